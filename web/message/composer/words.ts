import { words } from '#web/i18n.ts'

export const composerWords = words({
  fromDevice: ['Arquivos deste aparelho', 'Files of this device', 'Archivos de este dispositivo', 'Bu cihazdaki dosyalar'],
  fileList: ['Enviar uma lista de arquivos…', 'Send a file list…', 'Enviar una lista de archivos…', 'Dosya listesi gönder…'],
  recordingKept: [
    'A gravação ficou no rascunho do atendimento',
    'The recording waits in the ticket’s draft',
    'La grabación quedó en el borrador de la atención',
    'Kayıt, talebin taslağında bekliyor',
  ],
  recordingStopped: [
    'O microfone parou. A gravação até ali ficou nos anexos.',
    'The microphone stopped. What was recorded until then is among the attachments.',
    'El micrófono se detuvo. Lo grabado hasta entonces quedó en los adjuntos.',
    'Mikrofon durdu. O ana kadar kaydedilenler eklerde.',
  ],
  recordingFound: [
    'Uma gravação foi interrompida. O que foi falado até ali ficou nos anexos.',
    'A recording was interrupted. What was spoken until then is among the attachments.',
    'Una grabación se interrumpió. Lo dicho hasta entonces quedó en los adjuntos.',
    'Bir kayıt yarıda kaldı. O ana kadar söylenenler eklerde.',
  ],
  numberAway: [
    'Este número está sem conexão agora. O que você escrever espera e sai quando ele voltar.',
    'This number is away right now. What you write waits and leaves when it is back.',
    'Este número está sin conexión ahora. Lo que escriba espera y sale cuando vuelva.',
    'Bu numara şu anda bağlı değil. Yazdıklarınız bekler, geri geldiğinde gider.',
  ],
  numberUnlinked: [
    'Este número está desconectado. O que você escrever espera e sai quando o mesmo número for conectado de novo.',
    'This number is disconnected. What you write waits and leaves once the same number is connected again.',
    'Este número está desconectado. Lo que escriba espera y sale cuando se conecte de nuevo el mismo número.',
    'Bu numaranın bağlantısı kesik. Yazdıklarınız bekler, aynı numara yeniden bağlandığında gider.',
  ],
  pageAway: [
    'Esta página está sem conexão agora. O que você escrever espera e sai quando ela voltar.',
    'This page is away right now. What you write waits and leaves when it is back.',
    'Esta página está sin conexión ahora. Lo que escriba espera y sale cuando vuelva.',
    'Bu sayfa şu anda bağlı değil. Yazdıklarınız bekler, geri geldiğinde gider.',
  ],
  pageUnlinked: [
    'Esta página está desconectada. O que você escrever espera e sai quando ela for conectada de novo.',
    'This page is disconnected. What you write waits and leaves once it is connected again.',
    'Esta página está desconectada. Lo que escriba espera y sale cuando se conecte de nuevo.',
    'Bu sayfanın bağlantısı kesik. Yazdıklarınız bekler, yeniden bağlandığında gider.',
  ],
  windowPolicy: [
    'Você tem 24h para responder após receber uma mensagem, de acordo com as políticas do Facebook.',
    'You have 24h to answer after receiving a message, according to Facebook’s policies.',
    'Tiene 24h para responder después de recibir un mensaje, según las políticas de Facebook.',
    'Facebook politikalarına göre bir mesaj aldıktan sonra yanıtlamak için 24 saatiniz var.',
  ],
  windowCloses: [
    'O canal aceita respostas até {at} ({left}).',
    'The channel takes answers until {at} ({left}).',
    'El canal acepta respuestas hasta {at} ({left}).',
    'Kanal {at} saatine kadar yanıt alıyor ({left}).',
  ],
  windowPerson: [
    'Passaram 24 horas: a resposta vai como atendimento humano, aceito até {at}.',
    '24 hours have passed: the answer goes as one by a person, taken until {at}.',
    'Pasaron 24 horas: la respuesta va como atención humana, aceptada hasta {at}.',
    '24 saat geçti: yanıt bir görevlinin yanıtı olarak gider, {at} tarihine kadar alınır.',
  ],
  windowDay: [
    'Passaram 24 horas desde a última mensagem do contato.',
    '24 hours have passed since the contact’s last message.',
    'Pasaron 24 horas desde el último mensaje del contacto.',
    'Kişinin son mesajının üzerinden 24 saat geçti.',
  ],
  windowWeek: [
    'Passaram 7 dias desde a última mensagem do contato.',
    '7 days have passed since the contact’s last message.',
    'Pasaron 7 días desde el último mensaje del contacto.',
    'Kişinin son mesajının üzerinden 7 gün geçti.',
  ],
  windowNever: [
    'O contato ainda não escreveu por este canal.',
    'The contact has not written on this channel yet.',
    'El contacto aún no escribió por este canal.',
    'Kişi bu kanaldan henüz yazmadı.',
  ],
  windowTemplate: [
    'Até que escreva de novo, só um modelo aprovado chega até ele.',
    'Until they write again, only an approved template reaches them.',
    'Hasta que vuelva a escribir, solo le llega una plantilla aprobada.',
    'Yeniden yazana kadar ona yalnızca onaylı bir şablon ulaşır.',
  ],
  windowWakes: [
    'Você pode responder quando ele escrever de novo.',
    'You can answer when they write again.',
    'Podrá responder cuando vuelva a escribir.',
    'Yeniden yazdığında yanıtlayabilirsiniz.',
  ],
  windowKept: [
    'O que você escreveu fica guardado.',
    'What you wrote is kept.',
    'Lo que escribió queda guardado.',
    'Yazdıklarınız saklanıyor.',
  ],
  chooseTemplate: ['Escolher um modelo', 'Choose a template', 'Elegir una plantilla', 'Şablon seç'],
  recordingDropped: ['Gravação descartada', 'Recording discarded', 'Grabación descartada', 'Kayıt silindi'],
})
