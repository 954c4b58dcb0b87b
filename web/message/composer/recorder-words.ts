import { words } from '#web/i18n.ts'

export const recorderWords = words({
  recording: ['Gravando…', 'Recording…', 'Grabando…', 'Kaydediliyor…'],
  cancelRecording: ['Cancelar gravação', 'Cancel recording', 'Cancelar grabación', 'Kaydı iptal et'],
  sendRecording: ['Enviar áudio', 'Send the voice message', 'Enviar audio', 'Sesli mesajı gönder'],
  microphoneWait: ['Aguardando o microfone…', 'Waiting for the microphone…', 'Esperando el micrófono…', 'Mikrofon bekleniyor…'],
  microphoneDenied: [
    'O navegador não liberou o microfone. Permita o acesso nas configurações do site.',
    'The browser did not allow the microphone. Allow it in the site settings.',
    'El navegador no permitió el micrófono. Permítalo en la configuración del sitio.',
    'Tarayıcı mikrofona izin vermedi. Site ayarlarından izin verin.',
  ],
  microphoneMissing: ['Nenhum microfone encontrado', 'No microphone found', 'No se encontró ningún micrófono', 'Mikrofon bulunamadı'],
  tooShort: [
    'Áudio curto demais; nada foi enviado',
    'The voice message is too short; nothing was sent',
    'Audio demasiado corto; no se envió nada',
    'Sesli mesaj çok kısa; gönderilmedi',
  ],
})
