import { languages } from '#domain/user/rules.ts'

export type TextRow = readonly [pt: string, en: string, es: string, tr: string]
/** The texts of the report, for its screen and its file: one row per text, in the order of `languages`. */
export const reportTexts = {
  sheet: ['Atendimentos', 'Tickets', 'Tickets', 'Talepler'],
  id: ['Atendimento', 'Ticket', 'Ticket', 'Talep'],
  contactName: ['Contato', 'Contact', 'Contacto', 'Kişi'],
  contactNumber: ['Número', 'Number', 'Número', 'Numara'],
  whatsappName: ['Conexão', 'Connection', 'Conexión', 'Bağlantı'],
  queueName: ['Fila', 'Queue', 'Cola', 'Kuyruk'],
  userName: ['Atendente', 'Agent', 'Agente', 'Temsilci'],
  status: ['Situação atual', 'Status now', 'Estado actual', 'Şimdiki durum'],
  lastMessage: ['Última mensagem', 'Last message', 'Último mensaje', 'Son mesaj'],
  createdAt: ['Criado', 'Created', 'Creado', 'Açıldı'],
  closedAt: ['Finalizado', 'Finalized', 'Finalizado', 'Sonuçlandı'],
  reopenedAt: ['Reaberto depois', 'Reopened since', 'Reabierto después', 'Sonra yeniden açıldı'],
  waitingTime: ['Espera', 'Waiting time', 'Espera', 'Bekleme'],
  firstAnswerTime: ['Primeira resposta', 'First response', 'Primera respuesta', 'İlk yanıt'],
  supportTime: ['Tempo de atendimento', 'Handling time', 'Tiempo de atención', 'Görüşme süresi'],
  resolutionTime: ['Resolução', 'Resolution', 'Resolución', 'Çözüm'],
  inOpenHours: [
    '{name} (só horário de atendimento)',
    '{name} (service hours only)',
    '{name} (solo horario de atención)',
    '{name} (yalnızca mesai saatleri)',
  ],
  inClosedHours: ['{name} (fora do horário)', '{name} (out of hours)', '{name} (fuera de horario)', '{name} (mesai dışı)'],
  NPS: ['NPS', 'NPS', 'NPS', 'NPS'],
  predecessor: ['Continua o nº', 'Continues no.', 'Continúa el n.º', 'Önceki talep no.'],
  successor: ['Continuado no nº', 'Continued in no.', 'Continuado en el n.º', 'Devam eden talep no.'],
  pending: ['Aguardando', 'Waiting', 'En espera', 'Bekliyor'],
  open: ['Em atendimento', 'Open', 'Abierto', 'Görüşülüyor'],
  group: ['Grupo', 'Group', 'Grupo', 'Grup'],
  closed: ['Resolvido', 'Resolved', 'Resuelto', 'Çözüldü'],
  lgpd: ['Aguardando consentimento', 'Awaiting consent', 'En espera de consentimiento', 'Onay bekliyor'],
  nps: ['Aguardando avaliação', 'Awaiting rating', 'En espera de calificación', 'Değerlendirme bekliyor'],
  removed: ['{name} (removido)', '{name} (removed)', '{name} (eliminado)', '{name} (silindi)'],
  removedConnection: ['Conexão removida', 'Removed connection', 'Conexión eliminada', 'Silinmiş bağlantı'],
} as const satisfies Record<string, TextRow>
export type ReportText = keyof typeof reportTexts

/** The function that gives a text of a table in the user's language; Portuguese if the language is unknown. */
export const textsOf =
  <K extends string>(table: Record<K, TextRow>) =>
  (key: K, language: string, values: Record<string, string> = {}): string => {
    const column = Math.max(0, (languages as readonly string[]).indexOf(language)) as 0 | 1 | 2 | 3
    return table[key][column].replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all)
  }
export const reportText = textsOf<ReportText>(reportTexts)
