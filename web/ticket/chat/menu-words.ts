import { words } from '#web/i18n.ts'

export const menuWords = words({
  meeting: [
    'Enviar link de videochamada',
    'Send a video-meeting link',
    'Enviar enlace de videollamada',
    'Görüntülü görüşme bağlantısı gönder',
  ],
})
