import { words } from '#web/i18n.ts'

/** Texts of the field itself, which is shown before the ticket has loaded. */
export const fieldWords = words({
  replyTo: ['Mensagem para {name}', 'Message to {name}', 'Mensaje para {name}', '{name} kişisine mesaj'],
  reply: ['Mensagem para o cliente', 'Message to the customer', 'Mensaje para el cliente', 'Müşteriye mesaj'],
  note: [
    'Nota interna: mensagem só para a equipe',
    'Internal note: message for the team only',
    'Nota interna: mensaje solo para el equipo',
    'Dahili not: yalnızca ekibe mesaj',
  ],
  loading: [
    'O atendimento está carregando. O que você escrever fica nele.',
    'The ticket is loading. What you write stays in it.',
    'La atención se está cargando. Lo que escriba queda en ella.',
    'Talep yükleniyor. Yazdıklarınız orada kalır.',
  ],
  leavesThen: [
    'Sai assim que o atendimento carregar:',
    'Leaves as soon as the ticket has loaded:',
    'Sale en cuanto se cargue la atención:',
    'Talep yüklenince gönderilir:',
  ],
  notSent: [
    'Não foi enviado. O texto fica guardado neste atendimento.',
    'Not sent. The text is kept in this ticket.',
    'No se envió. El texto queda guardado en esta atención.',
    'Gönderilmedi. Metin bu talepte saklanır.',
  ],
})
