import { words } from '#web/i18n.ts'

export const tabWords = words({
  open: ['Atendendo', 'Serving', 'Atendiendo', 'Görüşülen'],
  pending: ['Aguardando', 'Waiting', 'En espera', 'Bekleyen'],
  group: ['Grupos', 'Groups', 'Grupos', 'Gruplar'],
  closed: ['Resolvidos', 'Resolved', 'Resueltos', 'Çözülen'],
  search: ['Busca', 'Search', 'Búsqueda', 'Arama'],
  asked: ['Consentimento e avaliação', 'Consent and rating', 'Consentimiento y valoración', 'Onay ve değerlendirme'],
})

export const filterWords = words({
  filters: ['Filtros', 'Filters', 'Filtros', 'Filtreler'],
  filtersOnOne: ['Filtros: 1 ativo', 'Filters: 1 on', 'Filtros: 1 activo', 'Filtreler: 1 etkin'],
  filtersOn: ['Filtros: {n} ativos', 'Filters: {n} on', 'Filtros: {n} activos', 'Filtreler: {n} etkin'],
  queues: ['Filas', 'Queues', 'Colas', 'Kuyruklar'],
  tags: ['Tags', 'Tags', 'Etiquetas', 'Etiketler'],
  users: ['Atendentes', 'Agents', 'Agentes', 'Temsilciler'],
  connections: ['Conexões', 'Connections', 'Conexiones', 'Bağlantılar'],
  unread: ['Só não lidos', 'Unread only', 'Solo no leídos', 'Yalnızca okunmamış'],
  showAll: ['Ver de todos', 'Show everyone’s', 'Ver los de todos', 'Herkesinkileri göster'],
  ownOnly: [
    'Sem “Ver de todos”, a lista só tem os seus atendimentos e os que não têm atendente.',
    'Without “Show everyone’s”, the list has only your tickets and those without an agent.',
    'Sin «Ver los de todos», la lista solo tiene sus atenciones y las que no tienen agente.',
    '“Herkesinkileri göster” kapalıyken listede yalnız sizin talepleriniz ve temsilcisi olmayanlar vardır.',
  ],
  sort: ['Ordenar', 'Sort', 'Ordenar', 'Sırala'],
  newest: ['Mais recentes', 'Newest first', 'Más recientes', 'Önce en yeni'],
  oldest: ['Mais antigos', 'Oldest first', 'Más antiguos', 'Önce en eski'],
  auto: ['Padrão da aba', 'The tab’s own', 'Propio de la pestaña', 'Sekmenin kendi sırası'],
})
