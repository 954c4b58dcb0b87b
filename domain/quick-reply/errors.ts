import type { ErrorTexts } from '#domain/errors.ts'

export const quickReplyErrors = {
  ERR_NO_QUICK_MESSAGE_FOUND: [
    'Nenhuma resposta rápida encontrada com este ID.',
    'No quick reply found with this ID.',
    'No se encontró ninguna respuesta rápida con este ID.',
    'Bu kimlikle hızlı yanıt bulunamadı.',
  ],
} as const satisfies ErrorTexts
