import type { ErrorTexts } from '#domain/errors.ts'

export const queueErrors = {
  ERR_NO_QUEUE_FOUND: [
    'Nenhuma fila encontrada com este ID.',
    'No queue found with this ID.',
    'No se encontró ninguna cola con este ID.',
    'Bu kimlikle kuyruk bulunamadı.',
  ],
  ERR_QUEUE_COLOR_ALREADY_EXISTS: [
    'Esta cor já está em uso, escolha outra.',
    'This color is already in use, choose another one.',
    'Este color ya está en uso, elija otro.',
    'Bu renk kullanımda, başka bir renk seçin.',
  ],
} as const satisfies ErrorTexts
