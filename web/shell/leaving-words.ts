import { words } from '#web/i18n.ts'
import { shellWords } from './words.ts'

/** Texts for signing out with unsent work. */
export const leavingWords = words({
  ...shellWords,
  leaving: ['Sair do Guichê?', 'Sign out of Guichê?', '¿Salir de Guichê?', 'Guichê’den çıkılsın mı?'],
  leftOne: ['1 mensagem ainda não saiu daqui:', '1 message has not left yet:', '1 mensaje aún no ha salido:', '1 mesaj henüz gitmedi:'],
  left: [
    '{n} mensagens ainda não saíram daqui:',
    '{n} messages have not left yet:',
    '{n} mensajes aún no han salido:',
    '{n} mesaj henüz gitmedi:',
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
    'Signing out leaves nothing on this device: what was not sent is lost.',
    'Al salir no queda nada en este equipo: lo que no se envió se pierde.',
    'Çıkınca bu cihazda hiçbir şey kalmaz: gönderilmeyenler kaybolur.',
  ],
  leftNothing: ['Tudo já foi enviado.', 'Everything has been sent.', 'Ya se envió todo.', 'Her şey gönderildi.'],
  stay: ['Ficar', 'Stay', 'Quedarse', 'Kal'],
  dropAndLeave: ['Sair e descartar', 'Discard and sign out', 'Descartar y salir', 'Sil ve çık'],
  sendFirst: ['Enviar e sair', 'Send and sign out', 'Enviar y salir', 'Gönder ve çık'],
})

/** Texts of undelivered messages. */
export const notSentWords = words({
  ...shellWords,
  failedTitle: ['O que não foi enviado', 'What was not sent', 'Lo que no se envió', 'Gönderilmeyenler'],
  failedLead: [
    'Mensagens suas que não chegaram ao contato, onde quer que o atendimento esteja agora.',
    'Messages of yours that did not reach the contact, wherever the ticket is now.',
    'Mensajes suyos que no llegaron al contacto, dondequiera que esté ahora la atención.',
    'Talep şimdi nerede olursa olsun, kişiye ulaşmayan mesajlarınız.',
  ],
  failedAway: [
    'O atendimento não está mais à sua vista.',
    'The ticket is no longer in your sight.',
    'La atención ya no está a su vista.',
    'Talep artık sizin görebildikleriniz arasında değil.',
  ],
  failedMore: ['e mais {n}', 'and {n} more', 'y {n} más', 've {n} tane daha'],
  dismiss: ['Dispensar', 'Dismiss', 'Quitar aviso', 'Uyarıyı kaldır'],
  dismissHint: [
    'Some desta lista; na conversa continua como não enviada',
    'Leaves this list; in the conversation it stays as not sent',
    'Sale de esta lista; en la conversación sigue como no enviado',
    'Bu listeden çıkar; görüşmede gönderilmedi olarak kalır',
  ],
  discardHint: [
    'Apaga a mensagem: ela só existe neste aparelho',
    'Deletes the message: it exists on this device alone',
    'Borra el mensaje: solo existe en este equipo',
    'Mesajı siler: yalnız bu cihazda var',
  ],
})
