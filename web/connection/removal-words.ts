import { words } from '#web/i18n.ts'

export const removalWords = words({
  askRemove: [
    'A conexão não receberá nem enviará mais nada. O histórico fica. Se ainda houver atendimentos ativos, você verá antes quantos são.',
    'It will no longer receive or send anything. The history stays. If there are still active tickets, you see how many first.',
    'La conexión no recibirá ni enviará nada más. El historial queda. Si aún hay tickets activos, verá antes cuántos son.',
    'Bu bağlantıdan artık hiçbir şey alınmaz ve gönderilmez. Geçmiş kalır. Hâlâ etkin talep varsa önce kaç tane olduğunu görürsünüz.',
  ],
  endAndRemove: ['Encerrar e excluir', 'Close and delete', 'Cerrar y eliminar', 'Kapat ve sil'],
  usedTickets: ['Atendimentos ativos', 'Active tickets', 'Tickets activos', 'Etkin talepler'],
  usedMessages: [
    'Mensagens ainda não enviadas',
    'Messages not sent yet',
    'Mensajes que aún no se enviaron',
    'Henüz gönderilmemiş mesajlar',
  ],
  usedPeople: ['Pessoas que a usam', 'People who use it', 'Personas que la usan', 'Kullanan kişiler'],
  askRemoveUsed: [
    'Os atendimentos ativos dela são encerrados sem aviso aos clientes, as mensagens pendentes não são enviadas, e a conexão é retirada das pessoas que a usam. O histórico fica.',
    'Its active tickets are closed without notifying the customers, unsent messages are not sent, and it is removed from the people who use it. The history stays.',
    'Sus tickets activos se cierran sin avisar a los clientes, los mensajes pendientes no se envían y la conexión se quita a las personas que la usan. El historial queda.',
    'Etkin talepleri müşterilere haber verilmeden kapatılır, bekleyen mesajlar gönderilmez ve bağlantı onu kullanan kişilerden kaldırılır. Geçmiş kalır.',
  ],
  removed: ['Conexão excluída', 'Connection deleted', 'Conexión eliminada', 'Bağlantı silindi'],
})
