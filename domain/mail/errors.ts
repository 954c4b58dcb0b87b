import type { ErrorTexts } from '#domain/errors.ts'

export const mailErrors = {
  ERR_MAIL_NOT_SET: [
    'O envio de e-mails ainda não está configurado: falta o servidor ou o remetente.',
    'Email is not set up yet: the server or the sender is missing.',
    'El correo aún no está configurado: falta el servidor o el remitente.',
    'E-posta henüz ayarlanmadı: sunucu ya da gönderen eksik.',
  ],
  ERR_MAIL_NO_HOST: [
    'Nenhum servidor de e-mail se chama {host}. Confira o endereço do servidor.',
    'There is no email server named {host}. Check the server address.',
    'Ningún servidor de correo se llama {host}. Revise la dirección del servidor.',
    '{host} adında bir e-posta sunucusu yok. Sunucunun adresini kontrol edin.',
  ],
  ERR_MAIL_UNREACHABLE: [
    'O servidor de e-mail {host} não respondeu na porta {port}. Confira a porta e a rede.',
    'The email server {host} did not respond on port {port}. Check the port and the network.',
    'El servidor de correo {host} no respondió en el puerto {port}. Revise el puerto y la red.',
    '{host} e-posta sunucusu {port} portunda yanıt vermedi. Portu ve ağı kontrol edin.',
  ],
  ERR_MAIL_TLS: [
    'A conexão segura com {host} falhou. Confira a porta {port} e o tipo de segurança.',
    'The secure connection to {host} failed. Check port {port} and the security type.',
    'La conexión segura con {host} falló. Revise el puerto {port} y el tipo de seguridad.',
    '{host} ile güvenli bağlantı kurulamadı. {port} portunu ve güvenlik türünü kontrol edin.',
  ],
  ERR_MAIL_SIGN_IN: [
    'O servidor de e-mail {host} recusou o usuário ou a senha. Confira os dois. Resposta do servidor: {reason}',
    'The email server {host} refused the user or the password. Check both. The server replied: {reason}',
    'El servidor de correo {host} rechazó el usuario o la contraseña. Revise ambos. Respuesta del servidor: {reason}',
    '{host} e-posta sunucusu kullanıcıyı ya da parolayı reddetti. İkisini de kontrol edin. Sunucunun yanıtı: {reason}',
  ],
  ERR_MAIL_FAILED: [
    'O servidor de e-mail não aceitou: {reason}',
    'The email server did not accept it: {reason}',
    'El servidor de correo no lo aceptó: {reason}',
    'E-posta sunucusu kabul etmedi: {reason}',
  ],
} as const satisfies ErrorTexts
