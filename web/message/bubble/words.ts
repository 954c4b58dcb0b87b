import { words } from '#web/i18n.ts'

/** Of what did not leave, or perhaps did not. */
export const troubleWords = words({
  uncertain: [
    'O canal não confirmou. Confira com o contato antes de repetir.',
    'The channel did not confirm. Check with the contact before you repeat it.',
    'El canal no confirmó. Verifique con el contacto antes de repetir.',
    'Kanal onaylamadı. Tekrarlamadan önce kişiyle kontrol edin.',
  ],
  refused: [
    'O canal não a aceitou (código {code}).',
    'The channel did not take it (code {code}).',
    'El canal no lo aceptó (código {code}).',
    'Kanal kabul etmedi (kod {code}).',
  ],
  sentAgain: ['Enviada de novo', 'Sent again', 'Enviado de nuevo', 'Yeniden gönderildi'],
})
