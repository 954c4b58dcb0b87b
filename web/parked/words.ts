import { words } from '#web/i18n.ts'

export const parkedWords = words({
  title: ['Itens parados', 'Parked items', 'Elementos detenidos', 'Bekletilen öğeler'],
  lead: [
    'Um evento de cada um destes itens não pôde ser aplicado. O que veio depois espera na ordem; todo o resto segue.',
    'One event of each of these could not be applied. What came after it waits in order; everything else continues.',
    'Un evento de cada uno de estos elementos no se pudo aplicar. Lo que vino después espera en orden; todo lo demás sigue.',
    'Bu öğelerin her birinde bir olay uygulanamadı. Ardından gelenler sırayla bekliyor; geri kalan her şey sürüyor.',
  ],
  none: ['Nada está parado', 'Nothing is parked', 'Nada está detenido', 'Bekletilen öğe yok'],
  noneHint: [
    'Cada evento do registro foi aplicado.',
    'Every event of the log was applied.',
    'Cada evento del registro fue aplicado.',
    'Kayıttaki her olay uygulandı.',
  ],
  where: ['Onde parou', 'Where it waits', 'Dónde se detuvo', 'Nerede bekliyor'],
  event: ['Evento', 'Event', 'Evento', 'Olay'],
  eventAt: ['{type}, registro {record}', '{type}, record {record}', '{type}, registro {record}', '{type}, {record}. kayıt'],
  waiting: ['Esperam atrás dele', 'Waiting behind it', 'Esperan detrás', 'Arkasında bekleyen'],
  since: ['Desde', 'Since', 'Desde', 'Ne zamandan beri'],
  reason: ['Motivo', 'Reason', 'Motivo', 'Neden'],
  release: ['Tentar de novo', 'Try again', 'Reintentar', 'Yeniden dene'],
  released: ['Será tentado de novo…', 'Trying again…', 'Se intentará de nuevo…', 'Yeniden deneniyor…'],
  giveUp: ['Seguir sem o evento', 'Continue without the event', 'Seguir sin el evento', 'Olay olmadan sürdür'],
  giveUpOne: [
    'Seguir sem este evento: {what}',
    'Continue without this event: {what}',
    'Seguir sin este evento: {what}',
    'Bu olay olmadan sürdür: {what}',
  ],
  warn: [
    'O evento continua no registro, mas não aparecerá nas listas nem na conversa, também depois de uma reconstrução. Isto não se desfaz.',
    'The event stays in the log, but it will not appear in lists or in the conversation, not even after a rebuild. This cannot be undone.',
    'El evento sigue en el registro, pero no aparecerá en las listas ni en la conversación, tampoco tras una reconstrucción. Esto no se deshace.',
    'Olay kayıtta kalır, ama listelerde ve görüşmede, yeniden kurulumdan sonra da görünmez. Bu geri alınamaz.',
  ],
  why: ['Por quê', 'Why', 'Por qué', 'Neden böyle'],
  more: ['E mais {n}.', 'And {n} more.', 'Y {n} más.', 'Ve {n} tane daha.'],
})

export const followerWords = words({
  tickets: ['Listas e conversas', 'Lists and conversations', 'Listas y conversaciones', 'Listeler ve görüşmeler'],
  ticketReactor: [
    'Saudações, envios e prazos',
    'Greetings, sending and deadlines',
    'Saludos, envíos y plazos',
    'Karşılamalar, gönderimler ve süreler',
  ],
  bots: ['Respostas do bot', 'Bot replies', 'Respuestas del bot', 'Botun yanıtları'],
})

/** Name of a stream, by its kind. */
export const kindWords = words({ ticket: ['Atendimento', 'Ticket', 'Ticket', 'Talep'] })
