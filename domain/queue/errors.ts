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
  ERR_QUEUE_IN_USE: [
    'Esta fila ainda está em uso. Escolha para qual fila vão os atendimentos.',
    'This queue is still in use. Choose the queue that its tickets go to.',
    'Esta cola todavía está en uso. Elija a qué cola van los tickets.',
    'Bu kuyruk hâlâ kullanılıyor. Taleplerin geçeceği kuyruğu seçin.',
  ],
} as const satisfies ErrorTexts
