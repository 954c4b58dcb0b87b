import { words } from '#web/i18n.ts'

export const previewWords = words({
  reply: ['O cliente verá:', 'The customer will see:', 'El cliente verá:', 'Müşterinin göreceği:'],
  note: ['A equipe verá:', 'The team will see:', 'El equipo verá:', 'Ekibin göreceği:'],
})
