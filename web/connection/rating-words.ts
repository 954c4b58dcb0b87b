import { words } from '#web/i18n.ts'

/** Texts of the rating that a customer is asked for after the ticket is resolved. */
export const ratingWords = words({
  mute: [
    'As avaliações estão ligadas em Configurações: sem esta mensagem, nenhuma avaliação é pedida por esta conexão.',
    'Ratings are on in the settings: without this message, this connection requests none.',
    'Las calificaciones están activadas en Configuración: sin este mensaje no se pide ninguna por esta conexión.',
    'Değerlendirmeler ayarlarda açık: bu mesaj olmadan bu bağlantıdan değerlendirme istenmez.',
  ],
  waits: [
    'No mínimo 1 quando há mensagem de avaliação.',
    'At least 1 when there is a rating message.',
    'Al menos 1 cuando hay mensaje de calificación.',
    'Değerlendirme mesajı varsa en az 1.',
  ],
})
