import { words } from '#web/i18n.ts'

export const removalWords = words({
  askRemove: [
    'Nada mais entra nem sai por ela. O histórico fica. Se ainda houver atendimentos ativos, você vê quantos antes.',
    'It will no longer receive or send anything. The history stays. If there are still active tickets, you see how many first.',
    'Nada más entra ni sale por ella. El historial queda. Si aún hay tickets activos, verá antes cuántos son.',
    'Buradan artık hiçbir şey gelmez ve gitmez. Geçmiş kalır. Hâlâ etkin talep varsa önce kaç tane olduğunu görürsünüz.',
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
    'Os atendimentos ativos dela são encerrados sem aviso aos clientes, o que ainda não saiu não é mais enviado, e ela sai das pessoas que a usam. O histórico fica.',
    'Its active tickets are closed without notifying the customers, unsent messages are not sent, and it is removed from the people who use it. The history stays.',
    'Sus tickets activos se cierran sin avisar a los clientes, lo que aún no salió ya no se envía, y se quita a las personas que la usan. El historial queda.',
    'Etkin talepleri müşterilere haber verilmeden kapatılır, henüz gitmemiş olanlar artık gönderilmez ve onu kullanan kişilerden alınır. Geçmiş kalır.',
  ],
  removed: ['Conexão excluída', 'Connection deleted', 'Conexión eliminada', 'Bağlantı silindi'],
})
