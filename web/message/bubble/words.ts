import { words } from '#web/i18n.ts'

/** Texts of undelivered messages and of unconfirmed ones. */
export const troubleWords = words({
  uncertain: [
    'O canal não confirmou. Confira com o contato antes de repetir.',
    'The channel did not confirm. Check with the contact before you send it again.',
    'El canal no confirmó. Verifique con el contacto antes de repetir.',
    'Kanal onaylamadı. Yeniden göndermeden önce kişiye sorun.',
  ],
  uncertainOnce: [
    'O canal não confirmou. Você pode repetir: o contato a recebe uma só vez.',
    'The channel did not confirm. You can send it again: the contact gets it only once.',
    'El canal no confirmó. Puede repetirlo: el contacto lo recibe una sola vez.',
    'Kanal onaylamadı. Yeniden gönderebilirsiniz: kişi onu yalnızca bir kez alır.',
  ],
  refused: [
    'O canal não a aceitou (código {code}).',
    'The channel did not accept it (code {code}).',
    'El canal no lo aceptó (código {code}).',
    'Kanal kabul etmedi (kod {code}).',
  ],
  notOnNetwork: [
    'O número não recebe mensagens por este canal.',
    'The number does not receive messages on this channel.',
    'El número no recibe mensajes por este canal.',
    'Bu numara bu kanaldan mesaj almıyor.',
  ],
  windowOver: [
    'O contato não escreve há mais de 24 horas: só um modelo aprovado chega até ele.',
    'The contact has not written for more than 24 hours: only an approved template reaches them.',
    'El contacto no escribe desde hace más de 24 horas: solo le llega una plantilla aprobada.',
    'Kişi 24 saatten uzun süredir yazmadı: yalnızca onaylı bir şablon ulaşır.',
  ],
  restricted: [
    'O canal limitou por ora as conversas novas deste número.',
    'The channel has restricted new conversations from this number for now.',
    'El canal limitó por ahora las conversaciones nuevas de este número.',
    'Kanal bu numaranın yeni görüşmelerini şimdilik kısıtladı.',
  ],
  forbidden: [
    'O WhatsApp não permite escrever nesta conversa: em um grupo, talvez o número tenha saído ou só administradores escrevam.',
    'WhatsApp does not allow writing in this conversation: in a group, the number may have left or only administrators may write.',
    'WhatsApp no permite escribir en esta conversación: en un grupo, quizá el número salió o solo escriben los administradores.',
    'WhatsApp bu görüşmeye yazmaya izin vermiyor: grupta numara ayrılmış ya da yalnızca yöneticiler yazıyor olabilir.',
  ],
  badKind: [
    'O canal não aceita este tipo de mensagem.',
    'The channel does not accept this type of message.',
    'El canal no acepta este tipo de mensaje.',
    'Kanal bu mesaj türünü kabul etmiyor.',
  ],
  tooFast: [
    'O canal ainda estava limitando os envios depois de muitas tentativas.',
    'The channel was still limiting messages after many attempts.',
    'El canal seguía limitando los envíos después de muchos intentos.',
    'Kanal birçok denemeden sonra hâlâ gönderimi sınırlıyordu.',
  ],
  badMedia: [
    'O canal não aceita este arquivo.',
    'The channel does not accept this file.',
    'El canal no acepta este archivo.',
    'Kanal bu dosyayı kabul etmiyor.',
  ],
  notDelivered: [
    'O canal aceitou a mensagem, mas não a entregou.',
    'The channel accepted the message but did not deliver it.',
    'El canal aceptó el mensaje, pero no lo entregó.',
    'Kanal mesajı aldı ama teslim etmedi.',
  ],
  check: ['Verificar', 'Check', 'Verificar', 'Kontrol et'],
  arrived: [
    'O canal tem a mensagem: ela foi enviada.',
    'The channel has the message: it was sent.',
    'El canal tiene el mensaje: fue enviado.',
    'Kanal mesajı almış: gönderildi.',
  ],
  missing: [
    'O canal não tem esta mensagem. Você pode enviá-la de novo.',
    'The channel does not have this message. You can send it again.',
    'El canal no tiene este mensaje. Puede enviarlo de nuevo.',
    'Kanalda bu mesaj yok. Yeniden gönderebilirsiniz.',
  ],
  silent: [
    'O WhatsApp ainda não confirmou, e costuma fazê-lo em segundos: é provável que ela não tenha sido enviada.',
    'WhatsApp has not confirmed it yet, which usually takes seconds: it was probably not sent.',
    'WhatsApp aún no lo confirmó, y suele hacerlo en segundos: es probable que no se haya enviado.',
    'WhatsApp henüz onaylamadı; genellikle saniyeler içinde onaylar: mesaj büyük olasılıkla gönderilmedi.',
  ],
  unknown: [
    'Não é possível saber se o canal a recebeu. Confira com o contato antes de repetir.',
    'There is no way to know whether the channel received it. Check with the contact before you send it again.',
    'No se puede saber si el canal lo recibió. Verifique con el contacto antes de repetir.',
    'Kanalın alıp almadığı bilinmiyor. Yeniden göndermeden önce kişiye sorun.',
  ],
  sendingAgain: ['Enviando de novo…', 'Sending again…', 'Enviando de nuevo…', 'Yeniden gönderiliyor…'],
  sentAgain: ['Enviada de novo', 'Sent again', 'Enviado de nuevo', 'Yeniden gönderildi'],
  failedAgain: [
    'A nova tentativa também falhou',
    'The new attempt failed too',
    'El nuevo intento también falló',
    'Yeni deneme de başarısız oldu',
  ],
  uncertainAgain: [
    'A nova tentativa não foi confirmada',
    'The new attempt was not confirmed',
    'El nuevo intento no se confirmó',
    'Yeni deneme onaylanmadı',
  ],
})
