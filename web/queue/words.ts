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
})
