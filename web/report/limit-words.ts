import { words } from '#web/i18n.ts'

export const limitWords = words({
  limitedTo: ['Você vê só as filas:', 'You only see the queues:', 'Solo ve las colas:', 'Yalnızca şu kuyrukları görürsünüz:'],
  noQueue: [
    'Nenhuma fila foi liberada para você, por isso não há números. Um administrador escolhe as filas no seu usuário.',
    'You have no queue here, so there are no numbers. An administrator chooses the queues of your user.',
    'No tiene ninguna cola aquí, por eso no hay números. Un administrador elige las colas de su usuario.',
    'Burada hiç kuyruğunuz yok, bu yüzden sayı gösterilmez. Kuyrukları bir yönetici kullanıcınızda seçer.',
  ],
})
