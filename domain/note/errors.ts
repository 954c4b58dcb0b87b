import type { ErrorTexts } from '#domain/errors.ts'

export const noteErrors = {
  ERR_NO_NOTE_FOUND: ['Observação não encontrada.', 'Note not found.', 'Observación no encontrada.', 'Not bulunamadı.'],
} as const satisfies ErrorTexts
