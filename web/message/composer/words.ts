import { words } from '#web/i18n.ts'

export const composerWords = words({
  recordingKept: [
    'A gravação ficou no rascunho do atendimento',
    'The recording waits in the ticket’s draft',
    'La grabación quedó en el borrador de la atención',
    'Kayıt, talebin taslağında bekliyor',
  ],
  recordingDropped: ['Gravação descartada', 'Recording discarded', 'Grabación descartada', 'Kayıt silindi'],
})
