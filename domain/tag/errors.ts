import type { ErrorTexts } from '#domain/errors.ts'

export const tagErrors = {
  ERR_NO_TAG_FOUND: [
    'Nenhuma tag encontrada com este ID.',
    'No tag found with this ID.',
    'No se encontró ninguna etiqueta con este ID.',
    'Bu kimlikle etiket bulunamadı.',
  ],
  ERR_OWN_LANE: [
    'Uma coluna não pode levar de volta a si mesma.',
    'A column cannot lead back to itself.',
    'Una columna no puede llevar de vuelta a sí misma.',
    'Bir sütun yeniden kendisine yönlendiremez.',
  ],
} as const satisfies ErrorTexts
