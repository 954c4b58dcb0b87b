import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fold } from '#domain/decider.ts'
import { ticket } from '#domain/ticket/decide.ts'
import { foldsOf } from '#projections/projector.ts'
import { ticketProjector } from '#projections/ticket/projector.ts'
import { frozen, frozenEvents, goldenEvents, goldenLines } from '#tests/support/golden.ts'
import { openTables } from '#tests/support/tables.ts'

const of = (ticketId: number) => frozenEvents.filter((one) => one.aggregateId === ticketId)

let tables: Awaited<ReturnType<typeof openTables>>
beforeAll(async () => {
  tables = await openTables()
})
afterAll(() => tables.drop())

describe('the golden log', () => {
  it('keeps its frozen lines unchanged', () => {
    const first = goldenLines.slice(0, frozen.lines).join('\n')
    expect(createHash('sha256').update(first).digest('hex')).toBe(frozen.sha256)
  })

  it('contains every event type, and only known ones', () =>
    expect([...new Set(goldenEvents.map(({ type }) => type))].sort()).toEqual(Object.keys(ticket.evolve).sort()))

  it.each(Object.keys(ticket.evolve))('%s still folds', (type) => {
    const at = goldenEvents.findIndex((one) => one.type === type)
    const own = goldenEvents.filter(({ aggregateId }) => aggregateId === goldenEvents[at]!.aggregateId)
    const until = own.slice(0, own.indexOf(goldenEvents[at]!))
    const before = fold(ticket, until)
    const after = fold(ticket, [...until, goldenEvents[at]!])
    if (after.status === 'absent') return expect.unreachable('it left no ticket')
    if (after.status === 'deleted') return expect(type).toBe('TicketDeleted')
    expect(after.revision).toBe('revision' in before ? before.revision + 1 : 0)
  })

  it('folds into the same tickets', () => {
    const now = fold(ticket, of(17))
    expect(now).toMatchObject({
      status: 'closed',
      userId: 8,
      queueId: 6,
      unread: 0,
      revision: 30,
      last: { from: 'us' },
      answered: { revision: 18, userId: 7 },
    })
    if (now.status !== 'closed') return
    expect([...now.messages].map(([id, { from, ack, removed, reactions }]) => [id, from, ack, removed, reactions])).toEqual([
      [1, 'contact', 0, true, {}],
      [2, 'us', 5, false, {}],
      [3, 'contact', 0, false, { us: '👍' }],
      [4, 'us', 0, false, {}],
      [5, 'us', 0, false, {}],
      [6, 'us', 0, false, {}],
    ])
    expect([...now.usedIds.keys()]).toEqual(['wamid.1', 'G1', 'c-1', 'wamid.2', 'G2', 'c-2', 'G3', 'c-3', 'G4', 'c-4'])
    expect([...now.notes.keys()]).toEqual([51])
  })

  it('projects into the same rows', async () => {
    const rows = await tables.fold(frozenEvents)
    expect(rows.ticket).toMatchObject([
      {
        id: 17,
        status: 'closed',
        queue_id: 6,
        user_id: 8,
        last_message: 'Segue o boleto.',
        unread_messages: 0,
        is_transfered: true,
        use_integration: true,
        revision: 30,
      },
      { id: 27, status: 'pending', last_message: '🚫', unread_messages: 1 },
      { id: 28, status: 'open', last_message: 'Encaminhada de outra conversa', failed_ids: [] },
      { id: 29, status: 'group', last_message: 'Pois não', unread_messages: 1 },
      { id: 30, status: 'pending', queue_id: 4, transfer: null },
      { id: 31, status: 'pending', queue_id: 6, user_id: null },
      { id: 41, status: 'pending', queue_id: 5, user_id: 8, is_bot: false, unread_messages: 2 },
      { id: 42, status: 'closed', is_bot: false },
      { id: 51, status: 'pending', queue_id: 4, user_id: null, closed_at: null },
      { id: 52, status: 'closed', nps: 9, closed_at: '2026-01-05T18:30:00+00:00' },
      { id: 61, status: 'pending', queue_id: 4, lane_id: 8, amount: 1234.5 },
      { id: 71, status: 'closed', queue_id: 4, waiting_since: null },
      { id: 72, status: 'lgpd', waiting_since: null },
      { id: 73, status: 'pending', queue_id: 4, last_message: 'até meio-dia', unread_messages: 0, created_at: '2025-11-03T09:00:00+00:00' },
      { id: 74, status: 'pending', last_message: 'a tabela nova', unread_messages: 0 },
      { id: 75, status: 'pending', user_id: 8 },
      { id: 76, status: 'pending', user_id: null },
    ])
    const counted = rows.ticket_counter!.filter(({ status, tickets }) => status === 'closed' && tickets > 0)
    expect(counted.sort((a, b) => b.queue_id - a.queue_id)).toMatchObject([
      { status: 'closed', queue_id: 6, user_id: 8, tickets: 1, unread: 0 },
      { status: 'closed', queue_id: 4, user_id: 0, tickets: 1, unread: 0 },
      { status: 'closed', queue_id: 4, user_id: 7, tickets: 1, unread: 0 },
      { status: 'closed', queue_id: 0, user_id: 0, tickets: 1, unread: 0 },
    ])
    expect(rows.note).toMatchObject([{ id: 51, note: 'Pediu boleto' }])
    expect(rows.message!.sort((a, b) => a.id - b.id)).toMatchObject([
      { id: 1, body: 'Bom dia, tudo bem?', deleted_by: 'contact' },
      { id: 2, body: 'Olá, Maria!', ack: 5, quoted_id: 1, reactions: [] },
      { id: 3, media_type: 'image', media: { name: 'nota.jpg', width: 800 }, reactions: [{ emoji: '👍', from: 'us' }] },
      { id: 4, failed: 'ERR_WAPP_NOT_INITIALIZED', is_forwarded: true, media: { seconds: 4 } },
      { id: 5, uncertain: true, is_edited: true, body: 'Segue o boleto.' },
      { id: 6, is_private: true },
      { id: 71, media_type: 'image', body: '', words: '', media: null, deleted_by: 'contact' },
      { id: 81, failed: 'ERR_SENDING_WAPP_MSG' },
      { id: 82, failed: null },
      { id: 83, is_forwarded: true },
      { id: 91, sender_name: 'Zé', created_at: '2026-01-05T15:01:00+00:00' },
      { id: 92, sender_name: 'Ana', created_at: '2026-01-05T15:02:00+00:00', reactions: [{ emoji: '👍', from: 'contact' }], read: true },
      { id: 93, ack: 1 },
      { id: 94, read: false, reactions: [{ emoji: '🎉', from: 'contact', name: 'Rui' }] },
      { id: 95 },
      { id: 96, user_id: 8 },
      { id: 101 },
      { id: 102, from_me: true, user_id: null, queue_id: null },
      { id: 103 },
      { id: 111 },
      { id: 721, body: 'agora dá para ler', undecryptable: false, from_me: false, read: true },
      { id: 722, from_me: true, elsewhere: true, ack: 1, user_id: null, quoted_id: 721 },
      { id: 723, body: 'Olá Maria, podemos continuar?', template: { name: 'volta', category: 'utility' }, interactive: null },
      { id: 724, media_type: 'unsupported', body: '' },
      { id: 725, media_type: 'interactiveMessage', interactive: { kind: 'list', buttonText: 'Ver' } },
      { id: 726, media_type: 'image', media: { name: 'capa.png' }, user_id: null },
      { id: 727, body: 'sobre aquilo', quoted_id: 71 },
      { id: 731, from_me: false, read: true, created_at: '2025-11-03T09:00:00+00:00' },
      { id: 732, from_me: true, elsewhere: true, ack: 1, quoted_id: 731, is_forwarded: false },
      { id: 741, from_me: false, is_forwarded: true },
      { id: 742, elsewhere: true, is_forwarded: true },
      { id: 743, about: { of: 'ad', title: 'Casacos' } },
    ])
    expect(rows.ticket_log!.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ type }) => type)).toEqual([
      ...['create', 'queue', 'open', 'access', 'transfered', 'receivedTransfer', 'pending', 'reopen', 'closed', 'closed'],
      ...['create', 'create', 'open', 'access', 'create'],
      ...['create', 'open', 'queueDeleted', 'receivedTransfer', 'pending', 'queueDeleted', 'receivedTransfer'],
      ...['create', 'open', 'pending'],
      ...['create', 'chatBot', 'queue', 'queue', 'create', 'closed'],
      ...['create', 'redirect', 'open', 'warned', 'closed', 'reopen'],
      ...['create', 'open', 'ratingAsked', 'ratingAsked', 'unrated', 'closed', 'reopen', 'ratingAsked', 'rated', 'closed'],
      ...['create', 'lane', 'lane', 'laneLeft', 'lane', 'lane', 'lane', 'amount'],
      ...['create', 'consentAsked', 'consentGiven', 'reopen', 'consentAsked', 'consentRefused', 'closed'],
      ...['create', 'consentAsked'],
      ...['imported', 'queue', 'create'],
      ...['create', 'queue', 'create', 'queue', 'pending'],
    ])
  })

  it('counts unsent messages until sent again, and never counts aside messages as answers', () => {
    const { on } = foldsOf(ticketProjector).find(({ table }) => table === 'ticket')!
    const rows = on as unknown as Record<string, (row: any, event: any, key: number) => any>
    let now: any = null
    const failed = of(28).map((event) => {
      now = rows[event.type]!(now, event, 28)
      return now.failedIds
    })
    expect(failed).toEqual([[], [], [], [81], [], [], []])
    expect(fold(ticket, of(28))).toMatchObject({ status: 'open', userId: 7, answered: { revision: 4, userId: 7 } })
  })

  it('offers no undo of moves out of a deleted queue', async () => {
    const now = of(30).map((_, at) => fold(ticket, of(30).slice(0, at + 1)))
    expect(now.at(2)).toMatchObject({ status: 'open', queueId: 9, undoableAction: null })
    expect(now.at(-1)).toMatchObject({ status: 'pending', queueId: 4, undoableAction: null })
  })
})
