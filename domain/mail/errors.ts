import type { ErrorTexts } from '#domain/errors.ts'

export const mailErrors = {
  ERR_MAIL_NOT_SET: [
    'O envio de e-mails ainda não está configurado: falta o servidor ou o remetente.',
    'Mail is not set up yet: the server or the sender is missing.',
    'El correo aún no está configurado: falta el servidor o el remitente.',
    'E-posta henüz ayarlanmadı: sunucu ya da gönderen eksik.',
  ],
  ERR_MAIL_FAILED: [
    'O servidor de e-mail não aceitou: {reason}',
    'The mail server did not take it: {reason}',
    'El servidor de correo no lo aceptó: {reason}',
    'E-posta sunucusu kabul etmedi: {reason}',
  ],
} as const satisfies ErrorTexts
