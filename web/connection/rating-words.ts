import { words } from '#web/i18n.ts'

/** Texts of the rating that a customer is asked for after the ticket is resolved. */
export const ratingWords = words({
  mute: [
    'As avaliações estão ligadas em Configurações: sem esta mensagem, nenhuma nota é pedida por esta conexão.',
    'Ratings are on in the settings: without this message none is asked for by this connection.',
    'Las evaluaciones están activadas en Configuraciones: sin este mensaje no se pide ninguna por esta conexión.',
    'Değerlendirmeler ayarlarda açık: bu mesaj olmadan bu bağlantıdan değerlendirme istenmez.',
  ],
  waits: [
    'No mínimo 1 quando há mensagem de avaliação.',
    'At least 1 where there is a rating message.',
    'Al menos 1 cuando hay mensaje de evaluación.',
    'Değerlendirme mesajı varsa en az 1.',
  ],
})
