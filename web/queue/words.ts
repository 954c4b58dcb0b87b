import { words } from '#web/i18n.ts'

export const queueWords = words({
  title: ['Filas', 'Queues', 'Colas', 'Kuyruklar'],
  add: ['Nova fila', 'New queue', 'Nueva cola', 'Yeni kuyruk'],
  edit: ['Editar fila', 'Edit queue', 'Editar cola', 'Kuyruğu düzenle'],
  empty: ['Nenhuma fila ainda', 'No queues yet', 'Aún no hay colas', 'Henüz kuyruk yok'],
  lead: [
    'Filas dividem os atendimentos entre as equipes.',
    'Queues share the tickets among teams.',
    'Las colas reparten los tickets entre los equipos.',
    'Kuyruklar talepleri ekipler arasında paylaştırır.',
  ],
  name: ['Nome', 'Name', 'Nombre', 'Ad'],
  color: ['Cor', 'Color', 'Color', 'Renk'],
  order: ['Ordem', 'Order', 'Orden', 'Sıra'],
  greeting: ['Mensagem de saudação', 'Greeting message', 'Mensaje de saludo', 'Karşılama mesajı'],
  greetingHint: [
    '{nome} vira o nome do contato.',
    '{nome} becomes the contact’s name.',
    '{nome} se convierte en el nombre del contacto.',
    '{nome} kişinin adına dönüşür.',
  ],
  warn: [
    'Deseja realmente excluir esse registro? Todas as opções internas da fila também serão excluídas.',
    'Do you really want to delete this record? All inner options of the queue are deleted too.',
    '¿Desea realmente eliminar este registro? También se eliminarán todas las opciones internas de la cola.',
    'Bu kaydı gerçekten silmek istiyor musunuz? Kuyruğun tüm iç seçenekleri de silinir.',
  ],
  inUse: [
    'Esta fila ainda está em uso. Os atendimentos vão para outra fila, na mesma ordem; ela sai das pessoas e das conexões. O histórico fica.',
    'This queue is still in use. Its tickets go to another queue, in the same order; it is taken from people and connections. The history stays.',
    'Esta cola todavía está en uso. Los tickets van a otra cola, en el mismo orden; se quita a las personas y a las conexiones. El historial queda.',
    'Bu kuyruk hâlâ kullanılıyor. Talepler aynı sırayla başka bir kuyruğa geçer; kuyruk kişilerden ve bağlantılardan alınır. Geçmiş kalır.',
  ],
  tickets: ['Atendimentos ativos', 'Active tickets', 'Tickets activos', 'Etkin talepler'],
  users: ['Pessoas', 'People', 'Personas', 'Kişiler'],
  connections: ['Conexões', 'Connections', 'Conexiones', 'Bağlantılar'],
  moveTo: ['Mover os atendimentos para', 'Move the tickets to', 'Mover los tickets a', 'Talepleri şuraya taşı'],
  noOther: [
    'Não há outra fila. Crie uma antes de excluir esta.',
    'There is no other queue. Create one before you delete this one.',
    'No hay otra cola. Cree una antes de eliminar esta.',
    'Başka kuyruk yok. Bunu silmeden önce bir tane oluşturun.',
  ],
  moveAndRemove: ['Mover e excluir', 'Move and delete', 'Mover y eliminar', 'Taşı ve sil'],
  retired: ['Fila excluída', 'Queue deleted', 'Cola eliminada', 'Kuyruk silindi'],
})
