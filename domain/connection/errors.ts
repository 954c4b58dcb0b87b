import type { ErrorTexts } from '#domain/errors.ts'

export const connectionErrors = {
  ERR_NO_WAPP_FOUND: [
    'Nenhuma conexão encontrada com este ID.',
    'No connection found with this ID.',
    'No se encontró ninguna conexión con este ID.',
    'Bu kimlikle bağlantı bulunamadı.',
  ],
  ERR_WAPP_GREETING_REQUIRED: [
    'A mensagem de saudação é obrigatória quando há mais de uma fila.',
    'A greeting is required when there is more than one queue.',
    'El saludo es obligatorio cuando hay más de una cola.',
    'Birden fazla kuyruk varsa karşılama mesajı zorunludur.',
  ],
  ERR_NO_DEF_WAPP_FOUND: [
    'Nenhum WhatsApp padrão encontrado.',
    'No default WhatsApp found.',
    'No se encontró ningún WhatsApp predeterminado.',
    'Varsayılan WhatsApp bulunamadı.',
  ],
  ERR_WAPP_NOT_INITIALIZED: [
    'Esta sessão do WhatsApp não foi inicializada.',
    'This WhatsApp session is not initialised.',
    'Esta sesión de WhatsApp no está inicializada.',
    'Bu WhatsApp oturumu başlatılmadı.',
  ],
} as const satisfies ErrorTexts
