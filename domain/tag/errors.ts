import type { ErrorTexts } from '#domain/errors.ts'

export const tagErrors = {
  ERR_NO_TAG_FOUND: [
    'Nenhuma tag encontrada com este ID.',
    'No tag found with this ID.',
    'No se encontró ninguna etiqueta con este ID.',
    'Bu kimlikle etiket bulunamadı.',
  ],
} as const satisfies ErrorTexts
