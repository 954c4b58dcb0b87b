import { words } from '#web/i18n.ts'

export const uploadWords = words({
  cancel: ['Cancelar envio', 'Cancel upload', 'Cancelar envío', 'Göndermeyi iptal et'],
})
