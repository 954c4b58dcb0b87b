import { words } from '#web/i18n.ts'

export const tabWords = words({
  open: ['Atendendo', 'Open', 'Abiertos', 'Görüşülen'],
  pending: ['Aguardando', 'Waiting', 'En espera', 'Bekleyen'],
  group: ['Grupos', 'Groups', 'Grupos', 'Gruplar'],
  closed: ['Resolvidos', 'Resolved', 'Resueltos', 'Çözülen'],
  search: ['Busca', 'Search', 'Búsqueda', 'Arama'],
  asked: ['Consentimento e avaliação', 'Consent and rating', 'Consentimiento y calificación', 'Onay ve değerlendirme'],
})

export const filterWords = words({
  compactRows: ['Linhas compactas', 'Compact rows', 'Filas compactas', 'Sıkışık satırlar'],
  filters: ['Filtros', 'Filters', 'Filtros', 'Filtreler'],
  filtersOnOne: ['Filtros: 1 ativo', 'Filters: 1 active', 'Filtros: 1 activo', 'Filtreler: 1 etkin'],
  filtersOn: ['Filtros: {n} ativos', 'Filters: {n} active', 'Filtros: {n} activos', 'Filtreler: {n} etkin'],
  queues: ['Filas', 'Queues', 'Colas', 'Kuyruklar'],
  tags: ['Tags', 'Tags', 'Etiquetas', 'Etiketler'],
  users: ['Atendentes', 'Agents', 'Agentes', 'Temsilciler'],
  connections: ['Conexões', 'Connections', 'Conexiones', 'Bağlantılar'],
  unread: ['Só não lidos', 'Unread only', 'Solo no leídos', 'Yalnızca okunmamış'],
  showAll: ['Ver de todos', 'Show everyone’s', 'Ver los de todos', 'Herkesinkileri göster'],
  ownOnly: [
    'Sem “Ver de todos”, a lista só tem os seus atendimentos e os que não têm atendente.',
    'Without “Show everyone’s”, the list contains only your tickets and those without an agent.',
    'Sin «Ver los de todos», la lista solo tiene sus tickets y los que no tienen agente.',
    '“Herkesinkileri göster” kapalıyken listede yalnızca sizin talepleriniz ve temsilcisi olmayanlar vardır.',
  ],
  sort: ['Ordenar', 'Sort', 'Ordenar', 'Sırala'],
  newest: ['Mais recentes', 'Newest first', 'Más recientes', 'Önce en yeni'],
  oldest: ['Mais antigos', 'Oldest first', 'Más antiguos', 'Önce en eski'],
  auto: ['Ordem da aba', 'Tab order', 'Orden de la pestaña', 'Sekme sırası'],
})

export const noneWaitingWords = words({
  noQueue: ['Você não está em nenhuma fila', 'You are not in any queue', 'No está en ninguna cola', 'Hiçbir kuyrukta değilsiniz'],
  noQueueHint: [
    'Por isso os atendimentos das filas não aparecem para você. Peça a um administrador que coloque você em uma fila.',
    'This is why tickets from the queues do not appear here. Ask an administrator to add you to a queue.',
    'Por eso los tickets de las colas no aparecen aquí. Pida a un administrador que lo agregue a una cola.',
    'Bu yüzden kuyrukların talepleri burada görünmez. Bir yöneticiden sizi bir kuyruğa eklemesini isteyin.',
  ],
  noneForYou: [
    'Ninguém aguarda nas suas filas',
    'No one is waiting in your queues',
    'Nadie espera en sus colas',
    'Kuyruklarınızda bekleyen yok',
  ],
  withoutQueueOne: [
    '1 atendimento sem fila aguarda, e você não o vê.',
    '1 ticket without a queue is waiting, and you cannot see it.',
    '1 ticket sin cola espera, y usted no lo ve.',
    'Kuyruğu olmayan 1 talep bekliyor ve siz onu görmüyorsunuz.',
  ],
  withoutQueue: [
    '{n} atendimentos sem fila aguardam, e você não os vê.',
    '{n} tickets without a queue are waiting, and you cannot see them.',
    '{n} tickets sin cola esperan, y usted no los ve.',
    'Kuyruğu olmayan {n} talep bekliyor ve siz onları görmüyorsunuz.',
  ],
  inOtherQueuesOne: [
    '1 atendimento aguarda em uma fila que não é sua.',
    '1 ticket is waiting in a queue that is not yours.',
    '1 ticket espera en una cola que no es suya.',
    'Size ait olmayan bir kuyrukta 1 talep bekliyor.',
  ],
  inOtherQueues: [
    '{n} atendimentos aguardam em filas que não são suas.',
    '{n} tickets are waiting in queues that are not yours.',
    '{n} tickets esperan en colas que no son suyas.',
    'Size ait olmayan kuyruklarda {n} talep bekliyor.',
  ],
  askAdmin: [
    'Um administrador define quais filas você atende e se você vê atendimentos sem fila.',
    'An administrator chooses your queues and whether you see tickets without a queue.',
    'Un administrador define qué colas atiende y si ve los tickets sin cola.',
    'Hangi kuyruklara baktığınızı ve kuyruksuz talepleri görüp görmediğinizi bir yönetici belirler.',
  ],
})
