import { words } from '#web/i18n.ts'

export const searchWords = words({
  title: ['Buscar nesta conversa', 'Search this conversation', 'Buscar en esta conversación', 'Bu görüşmede ara'],
  at: ['{n} de {total}', '{n} of {total}', '{n} de {total}', '{n} / {total}'],
  none: ['Nada encontrado', 'Nothing found', 'Nada encontrado', 'Bir şey bulunamadı'],
  older: ['Mais antigo', 'Older', 'Más antiguo', 'Daha eski'],
  newer: ['Mais novo', 'Newer', 'Más nuevo', 'Daha yeni'],
})

export const threadWords = words({
  showEvents: ['Mostrar mais {n} eventos', 'Show {n} more events', 'Mostrar {n} eventos más', '{n} olay daha göster'],
  hideEvents: ['Ocultar {n} eventos', 'Hide {n} events', 'Ocultar {n} eventos', '{n} olayı gizle'],
})
