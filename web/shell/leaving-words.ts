import { words } from '#web/i18n.ts'
import { shellWords } from './words.ts'

/** Texts for signing out with unsent work. */
export const leavingWords = words({
  ...shellWords,
  leaving: ['Sair do Guichê?', 'Sign out of Guichê?', '¿Cerrar la sesión de Guichê?', 'Guichê oturumu kapatılsın mı?'],
  leftOne: [
    '1 mensagem ainda não foi enviada:',
    '1 message has not been sent yet:',
    '1 mensaje aún no se ha enviado:',
    '1 mesaj henüz gönderilmedi:',
  ],
  left: [
    '{n} mensagens ainda não foram enviadas:',
    '{n} messages have not been sent yet:',
    '{n} mensajes aún no se han enviado:',
    '{n} mesaj henüz gönderilmedi:',
  ],
  begunOne: ['1 texto começado e não enviado:', '1 draft that was not sent:', '1 borrador sin enviar:', 'Gönderilmemiş 1 taslak:'],
  begun: [
    '{n} textos começados e não enviados:',
    '{n} drafts that were not sent:',
    '{n} borradores sin enviar:',
    'Gönderilmemiş {n} taslak:',
  ],
  internal: ['Nota interna', 'Internal note', 'Nota interna', 'Dahili not'],
  begunFiles: ['Arquivos anexados', 'Attached files', 'Archivos adjuntos', 'Ekli dosyalar'],
  leavingWhy: [
    'Quem sai não deixa nada neste aparelho: o que não foi enviado se perde.',
    'Signing out removes everything from this device: what was not sent is lost.',
    'Al cerrar sesión no queda nada en este dispositivo: lo que no se envió se pierde.',
    'Oturum kapanınca bu cihazda hiçbir şey kalmaz: gönderilmeyenler kaybolur.',
  ],
  leftNothing: ['Tudo já foi enviado.', 'Everything has been sent.', 'Ya se envió todo.', 'Her şey gönderildi.'],
  stay: ['Ficar', 'Stay', 'Quedarse', 'Kal'],
  dropAndLeave: ['Sair e descartar', 'Discard and sign out', 'Descartar y cerrar sesión', 'Sil ve oturumu kapat'],
  sendFirst: ['Enviar e sair', 'Send and sign out', 'Enviar y cerrar sesión', 'Gönder ve oturumu kapat'],
})

/** Texts of undelivered messages. */
export const notSentWords = words({
  ...shellWords,
  failedTitle: ['O que não foi enviado', 'What was not sent', 'Lo que no se envió', 'Gönderilmeyenler'],
  failedLead: [
    'Mensagens suas que não chegaram ao contato, onde quer que o atendimento esteja agora.',
    'Your messages that did not reach the contact, wherever the ticket is now.',
    'Mensajes suyos que no llegaron al contacto, dondequiera que esté ahora el ticket.',
    'Talep şimdi nerede olursa olsun, kişiye ulaşmayan mesajlarınız.',
  ],
  failedAway: [
    'Você não pode mais ver este atendimento.',
    'You can no longer see this ticket.',
    'Usted ya no puede ver este ticket.',
    'Talep artık sizin görebildikleriniz arasında değil.',
  ],
  failedMore: ['e mais {n}', 'and {n} more', 'y {n} más', 've {n} tane daha'],
  dismiss: ['Dispensar', 'Dismiss', 'Quitar aviso', 'Uyarıyı kaldır'],
  dismissHint: [
    'Some desta lista; na conversa continua como não enviada',
    'Disappears from this list; in the conversation it stays as not sent',
    'Sale de esta lista; en la conversación sigue como no enviado',
    'Bu listeden çıkar; görüşmede gönderilmedi olarak kalır',
  ],
  discardHint: [
    'Apaga a mensagem: ela só existe neste aparelho',
    'Deletes the message: it exists only on this device',
    'Elimina el mensaje: solo existe en este dispositivo',
    'Mesajı siler: yalnızca bu cihazda var',
  ],
})
