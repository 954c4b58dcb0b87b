import type { ErrorTexts } from '#domain/errors.ts'

export const uploadErrors = {
  ERR_UPLOAD_INCOMPLETE: [
    'O arquivo ainda não chegou inteiro. Envie de novo.',
    'The file has not arrived completely yet. Send it again.',
    'El archivo aún no llegó completo. Envíelo de nuevo.',
    'Dosya henüz tam olarak ulaşmadı. Yeniden gönderin.',
  ],
} as const satisfies ErrorTexts
