import { words } from '#web/i18n.ts'

export const mailWords = words({
  passwordSet: [
    'Definida; escreva para trocar',
    'Set; type to replace it',
    'Definida; escriba para cambiarla',
    'Ayarlı; değiştirmek için yazın',
  ],
  passwordUnset: ['Não definida', 'Not set', 'No definida', 'Ayarlı değil'],
  test: ['Enviar e-mail de teste', 'Send a test email', 'Enviar correo de prueba', 'Test e-postası gönder'],
  tested: ['E-mail enviado para {to}', 'Email sent to {to}', 'Correo enviado a {to}', '{to} adresine e-posta gönderildi'],
})
