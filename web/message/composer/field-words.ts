import { words } from '#web/i18n.ts'

/** Texts of the field itself, which is shown before the ticket has loaded. */
export const fieldWords = words({
  replyTo: ['Mensagem para {name}', 'Message to {name}', 'Mensaje para {name}', '{name} kişisine mesaj'],
  resize: ['Altura do campo', 'Height of the field', 'Altura del campo', 'Alanın yüksekliği'],
  resizeHint: [
    'Arraste para mudar a altura; duplo clique volta ao automático',
    'Drag to change the height; a double click makes it automatic again',
    'Arrastre para cambiar la altura; doble clic vuelve al automático',
    'Yüksekliği değiştirmek için sürükleyin; çift tıklama otomatiğe döner',
  ],
  reply: ['Mensagem para o cliente', 'Message to the customer', 'Mensaje para el cliente', 'Müşteriye mesaj'],
  note: [
    'Nota interna: mensagem só para a equipe',
    'Internal note: message for the team only',
    'Nota interna: mensaje solo para el equipo',
    'Dahili not: yalnızca ekibe mesaj',
  ],
  loading: [
    'O atendimento está carregando. O que você escrever fica nele.',
    'The ticket is loading. What you write is kept in it.',
    'El ticket se está cargando. Lo que escriba queda en él.',
    'Talep yükleniyor. Yazdıklarınız orada kalır.',
  ],
  leavesThen: [
    'Será enviada assim que o atendimento carregar:',
    'Will be sent as soon as the ticket has loaded:',
    'Se enviará en cuanto se cargue el ticket:',
    'Talep yüklenince gönderilir:',
  ],
  notSent: [
    'Não foi enviado. O texto fica guardado neste atendimento.',
    'Not sent. The text is kept in this ticket.',
    'No se envió. El texto queda guardado en este ticket.',
    'Gönderilmedi. Metin bu talepte saklanır.',
  ],
})
