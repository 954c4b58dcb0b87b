import { words } from '#web/i18n.ts'

export const removalWords = words({
  askRemove: [
    'Nada mais entra nem sai por ela. O histórico fica. Se ainda houver atendimentos ativos, você vê quantos antes.',
    'Nothing comes in or leaves by it any more. The history stays. If there are active tickets still, you see how many first.',
    'Nada más entra ni sale por ella. El historial queda. Si aún hay tickets activos, verá cuántos antes.',
    'Buradan artık hiçbir şey gelmez ve gitmez. Geçmiş kalır. Hâlâ etkin talep varsa önce kaç tane olduğunu görürsünüz.',
  ],
  endAndRemove: ['Encerrar e excluir', 'Close and delete', 'Cerrar y eliminar', 'Kapat ve sil'],
  usedTickets: ['Atendimentos ativos', 'Active tickets', 'Tickets activos', 'Etkin talepler'],
  usedMessages: [
    'Mensagens que ainda não saíram',
    'Messages that have not left yet',
    'Mensajes que aún no salieron',
    'Henüz gitmemiş mesajlar',
  ],
  usedPeople: ['Pessoas que a usam', 'People who use it', 'Personas que la usan', 'Kullanan kişiler'],
  askRemoveUsed: [
    'Os atendimentos ativos dela são encerrados sem aviso aos clientes, o que ainda não saiu não é mais enviado, e ela sai das pessoas que a usam. O histórico fica.',
    'Its active tickets are closed without a word to the customers, what has not left yet is not sent any more, and it is taken from the people who use it. The history stays.',
    'Sus tickets activos se cierran sin avisar a los clientes, lo que aún no salió ya no se envía, y se quita a las personas que la usan. El historial queda.',
    'Etkin talepleri müşterilere haber verilmeden kapatılır, henüz gitmemiş olanlar artık gönderilmez ve onu kullanan kişilerden alınır. Geçmiş kalır.',
  ],
  removed: ['Conexão excluída', 'Connection deleted', 'Conexión eliminada', 'Bağlantı silindi'],
})
