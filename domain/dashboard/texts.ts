import { reportTexts, type TextRow, textsOf } from '#domain/report/texts.ts'

/** The texts of the table of agents in a file: one row per text. */
const agentTexts = {
  sheet: ['Atendentes', 'Agents', 'Agentes', 'Temsilciler'],
  name: ['Nome', 'Name', 'Nombre', 'Ad'],
  tickets: ['Finalizados', 'Finalized', 'Finalizados', 'Sonuçlanan'],
  byHand: ['Pelo atendente', 'By the agent', 'Por el agente', 'Temsilci kapattı'],
  byRule: ['Por regra ou bot', 'By rule or bot', 'Por regla o bot', 'Kural ya da bot'],
  byOthers: ['Por outra pessoa', 'By someone else', 'Por otra persona', 'Başkası kapattı'],
  closeAll: ['Fechar todos', 'Close all', 'Cerrar todos', 'Toplu kapatma'],
  tookPart: ['Participou', 'Took part', 'Participó', 'Katıldı'],
  countRating: ['Avaliações', 'Ratings', 'Calificaciones', 'Değerlendirme sayısı'],
  rating: ['Nota média', 'Average rating', 'Nota media', 'Ortalama değerlendirme'],
  waiting: ['Espera média', 'Average waiting time', 'Espera media', 'Ortalama bekleme'],
  firstAnswer: ['Primeira resposta média', 'Average first response', 'Primera respuesta media', 'Ortalama ilk yanıt'],
  support: ['Tempo médio de atendimento', 'Average handling time', 'Tiempo medio de atención', 'Ortalama görüşme süresi'],
  inOpenHours: reportTexts.inOpenHours,
  noAgent: ['Sem atendente', 'No agent', 'Sin agente', 'Temsilcisiz'],
  removed: ['{name} (removido)', '{name} (removed)', '{name} (eliminado)', '{name} (silindi)'],
} as const satisfies Record<string, TextRow>
export type AgentText = keyof typeof agentTexts

export const agentText = textsOf<AgentText>(agentTexts)
