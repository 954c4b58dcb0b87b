import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { placed } from '#tests/support/history.ts'
import { closed, contact, deleted, type Fact, opened, received, sent, servedBy, system, user } from '#tests/support/story.ts'
import { openTables } from '#tests/support/tables.ts'

/* What reports count of a ticket. Ana is user 7, Bia 8, Caio 9; Vendas is queue 5, Suporte 6. Times are UTC. */
let tables: Awaited<ReturnType<typeof openTables>>
beforeAll(async () => {
  tables = await openTables()
})
afterAll(() => tables.drop())

const minute = 60
const hour = 60 * minute
/** Tuesday 10 November at this time, or another day: `at('12 09:00')`. */
function at(time: string): { at: string } {
  const [day, clock] = time.includes(' ') ? time.split(' ') : ['10', time]
  return { at: `2026-11-${day}T${clock!.length === 5 ? `${clock}:00` : clock}.000Z` }
}
const byContact = { by: contact }
const writes = (messageId: number, time: string): Fact => received(messageId, at(time))
const types = (messageId: number, time: string, who = 7, to: object = {}): Fact => sent(messageId, { by: user(who), ...at(time), ...to })
const bot: Fact = { type: 'BotMoved', node: 'menu', menus: 1, answers: 1, begins: true }
const botEnds: Fact = { type: 'BotEnded', why: 'queue' }
const queued = (queueId: number): Fact => ({ type: 'TicketQueued', queueId })
const toQueue = (queueId: number, fromUserId = 7): Fact => ({
  ...{ type: 'TicketTransferred', userId: null, queueId, fromUserId, fromQueueId: 5, note: null },
})
const closes = (time: string, who = 7, to: object = {}): Fact => ({ ...closed, userId: who, by: user(who), ...at(time), ...to }) as Fact

async function factsOf(...facts: Fact[]) {
  const rows = await tables.fold(placed(facts.map((fact) => ({ ...fact, of: 17 }))))
  const byRevision = (a: any, b: any) => a.revision - b.revision
  return { fact: rows.ticket_fact![0], intervals: rows.ticket_interval!.sort(byRevision), closings: rows.ticket_closing!.sort(byRevision) }
}
const closingsOf = async (...facts: Fact[]) => (await factsOf(...facts)).closings
const states = (intervals: any[]) => intervals.map(({ state, queue_id, user_id }) => [state, queue_id, user_id])

describe('waiting (A-COUNT-05)', () => {
  it.each([
    ['10', '10'],
    ['12', '10'],
  ])('begins at the hand-over of the bot, and the bot’s time stands apart (day %s)', async (day, from) => {
    const [closing] = await closingsOf(
      opened({ queueId: null, ...byContact, ...at(`${from} 09:00`) } as never),
      { ...writes(1, `${from} 09:00`) },
      { ...bot, ...at(`${from} 09:00`) },
      { ...botEnds, ...at(`${day} 09:07`) },
      { ...queued(5), ...at(`${day} 09:07`) },
      { ...servedBy(7), ...at(`${day} 09:09`) },
      types(2, `${day} 09:09`, 7, { actionRevision: 5 }),
      types(3, `${day} 09:10`),
      closes(`${day} 09:20`),
    )
    expect(closing).toMatchObject({
      ...{ waiting_seconds: 2 * minute, first_answer_seconds: 3 * minute, first_answer_user_id: 7 },
      bot_seconds: day === '10' ? 7 * minute : 48 * hour + 7 * minute,
    })
  })

  it.each<[string, Fact, number | null]>([
    ['a user', types(1, '09:05'), 7],
    ['the API', sent(1, { by: { kind: 'api', connectionId: 4 }, ...at('09:05') }), null],
    ['the phone', { ...sent(1, { by: system, ...at('09:05') }), type: 'MessageSentExternally' } as Fact, null],
  ])('begins when %s writes while the bot leads, and lists show no bot (A-BOT-08)', async (_, message, firstAnswerUserId) => {
    const told = [{ ...opened(), ...byContact, ...at('09:00') }, writes(2, '09:00'), { ...bot, ...at('09:00') }, message]
    const { fact, intervals } = await factsOf(...told)
    expect(intervals.map(({ state }) => state)).toEqual(['bot', 'waiting'])
    expect(fact.first_answer_user_id).toBe(firstAnswerUserId)
    const { ticket } = await tables.fold(placed(told.map((one) => ({ ...one, of: 17 }))))
    expect(ticket).toMatchObject([{ status: 'pending', is_bot: false }])
  })

  it('adds up over queues, and support time lasts from the first accept to the closing', async () => {
    const { closings, intervals } = await factsOf(
      { ...opened(), ...byContact, ...at('08:57') },
      { ...servedBy(7), ...at('09:00') },
      types(1, '09:02'),
      { ...toQueue(6), ...at('09:10') },
      { ...servedBy(9, 6), ...at('09:25') },
      closes('09:45', 9),
    )
    expect(states(intervals)).toEqual([
      ['waiting', 5, null],
      ['open', 5, 7],
      ['waiting', 6, null],
      ['open', 6, 9],
    ])
    expect(closings).toMatchObject([
      {
        ...{ waiting_seconds: 18 * minute, support_seconds: 45 * minute, resolution_seconds: 48 * minute },
        ...{ first_answer_seconds: 5 * minute, first_answer_user_id: 7, user_id: 9, participant_ids: [7, 9] },
      },
    ])
  })

  it('does not contain the time until the first menu of a bot', async () => {
    const [closing] = await closingsOf(
      { ...opened({ queueId: null }), ...byContact, ...at('09:00') },
      writes(1, '09:00'),
      { ...bot, ...at('09:01') },
      { ...botEnds, ...at('09:07') },
      { ...servedBy(7), ...at('09:09') },
      types(2, '09:10'),
      closes('09:20'),
    )
    expect(closing).toMatchObject({ bot_seconds: 7 * minute, waiting_seconds: 2 * minute, first_answer_seconds: 3 * minute })
  })

  it('begins when the contact writes in a ticket that was started by us (A-COUNT-02)', async () => {
    const { fact, closings } = await factsOf(
      { ...opened(), by: { kind: 'api', connectionId: 4 }, ...at('09:00') },
      sent(1, { by: system, ...at('09:00') }),
      writes(2, '11 10:00'),
      { ...servedBy(7), ...at('11 10:03') },
      types(3, '11 10:04'),
      closes('11 10:30'),
    )
    expect(fact).toMatchObject({ started_by_us: true, created_at: '2026-11-10T09:00:00+00:00' })
    expect(closings).toMatchObject([{ waiting_seconds: 3 * minute, first_answer_seconds: 4 * minute }])
  })

  it('keeps its value when the ticket waits again later', async () => {
    const [closing] = await closingsOf(
      { ...opened(), by: user(7), ...at('09:00') },
      { ...servedBy(7), waited: false, ...at('09:00') } as Fact,
      types(1, '09:00'),
      writes(2, '10:00'),
      types(3, '10:04'),
      { ...toQueue(6), ...at('10:10') },
      { ...servedBy(9, 6), ...at('10:25') },
      closes('10:30', 9),
    )
    expect(closing).toMatchObject({ waiting_seconds: 15 * minute, first_answer_seconds: 4 * minute, first_answer_user_id: 7 })
  })

  it('has no value for a ticket that nobody waited in', async () => {
    const [closing] = await closingsOf(
      { ...opened(), by: user(7), ...at('09:00') },
      { ...servedBy(7), ...at('09:00') },
      types(1, '09:00'),
      closes('09:10'),
    )
    expect(closing).toMatchObject({ waiting_seconds: null, first_answer_seconds: null, support_seconds: 10 * minute })
  })
})

describe('the first answer (A-COUNT-06)', () => {
  it('is the first public message that a person types, credited to that person', async () => {
    const [closing] = await closingsOf(
      { ...opened(), ...byContact, ...at('10:00') },
      { ...servedBy(7), ...at('10:00:01') },
      types(1, '10:00:01', 7, { actionRevision: 1 }),
      types(2, '10:02', 7, { private: true }),
      sent(3, { by: system, ...at('10:03') }),
      types(4, '10:06', 8),
      types(5, '10:09', 7),
      closes('10:30'),
    )
    expect(closing).toMatchObject({ first_answer_seconds: 6 * minute, first_answer_user_id: 8, user_id: 7 })
  })

  it('counts from the reopening if only a bot had served the ticket', async () => {
    const { fact, closings } = await factsOf(
      { ...opened({ queueId: null }), ...byContact, ...at('09 10:20') },
      { ...writes(1, '09 10:20') },
      { ...bot, ...at('09 10:20') },
      { ...closed, reason: 'bot', waited: true, userId: null, by: system, ...at('09 10:24') } as Fact,
      { type: 'TicketResumed', queueId: 5, rule: 'A-TICKET-02', by: system, ...at('12 15:30') },
      writes(2, '12 15:30'),
      { ...servedBy(7), ...at('12 15:37') },
      types(3, '12 15:43'),
      closes('12 16:00'),
    )
    expect(fact.created_at).toBe('2026-11-09T10:20:00+00:00')
    expect(closings).toMatchObject([
      { reason: 'bot', user_id: null, waiting_seconds: null, bot_seconds: 4 * minute, reopened_at: '2026-11-12T15:30:00+00:00' },
      { reason: 'agent', waiting_seconds: 7 * minute, first_answer_seconds: 13 * minute, reopened_at: null, next_at: null },
    ])
    expect(closings[0].next_at).toBe(closings[1].at)
  })

  it('of the company’s own phone counts, without an agent', async () => {
    const phone: Fact = { ...sent(1), type: 'MessageSentExternally', by: system, ...at('09:05') } as never
    const [closing] = await closingsOf({ ...opened(), ...byContact, ...at('09:00') }, writes(2, '09:00'), phone, closes('09:10'))
    expect(closing).toMatchObject({ first_answer_seconds: 5 * minute, first_answer_user_id: null })
  })
})

describe('support time (A-COUNT-07)', () => {
  it('is the sum of the attendances; the time in which the ticket is closed does not count', async () => {
    const { fact, closings } = await factsOf(
      { ...opened(), ...byContact, ...at('01 02:50') },
      { ...servedBy(7), ...at('01 03:10') },
      closes('01 03:40'),
      { type: 'TicketReopened', userId: 7, queueId: 5, ...at('01 12:00') },
      closes('01 12:30'),
    )
    expect(fact.created_at).toBe('2026-11-01T02:50:00+00:00')
    expect(closings).toMatchObject([
      { waiting_seconds: 20 * minute, support_seconds: 30 * minute, reopened_at: '2026-11-01T12:00:00+00:00' },
      { waiting_seconds: 20 * minute, support_seconds: 60 * minute },
    ])
  })
})

describe('a closing (A-COUNT-08)', () => {
  it.each([
    ['agent', 7, 7],
    ['expired', null, 7],
    ['closeAll', 8, 7],
    ['connectionRemoved', 8, null],
  ] as const)('for the reason %s belongs to the owner', async (reason, by, owner) => {
    const closing = { ...closes('09:30', 7, { reason }), by: by === null ? system : user(by) } as Fact
    const rows = await closingsOf({ ...opened(), ...byContact, ...at('09:00') }, { ...servedBy(7), ...at('09:10') }, closing)
    expect(rows).toMatchObject([{ reason, user_id: owner, closed_by: by }])
  })

  it('of a waiting ticket belongs to nobody', async () => {
    const ignored = { ...closes('09:30', 8, { reason: 'ignored', waited: true, userId: null }) }
    expect(await closingsOf({ ...opened(), ...byContact, ...at('09:00') }, ignored)).toMatchObject([{ user_id: null, closed_by: 8 }])
  })

  it('that asks for a rating is the closing, and the rating belongs to it (V37)', async () => {
    const asks: Fact = { type: 'RatingRequested', times: 1, rule: 'A-NPS-02', by: user(7), ...at('10:00') }
    const rows = await closingsOf(
      { ...opened(), ...byContact, ...at('09:00') },
      { ...servedBy(7), ...at('09:10') },
      asks,
      { ...asks, times: 2, by: system, ...at('10:03') } as Fact,
      { type: 'TicketRated', rating: 3, ...byContact, ...at('10:05') },
      { ...closes('10:05', 7, { reason: 'rated', resolvedAt: at('10:00').at }), by: contact } as Fact,
      { type: 'TicketReopened', userId: 8, queueId: 5, by: user(8), ...at('10:20') },
      closes('10:40', 8),
    )
    expect(rows).toMatchObject([
      { reason: 'agent', user_id: 7, rating: 3, at: '2026-11-10T10:00:00+00:00' },
      { reason: 'agent', user_id: 8, rating: null },
    ])
  })

  it('that is undone did not happen, and the time goes on', async () => {
    const { intervals, closings } = await factsOf(
      { ...opened(), ...byContact, ...at('09:00') },
      { ...servedBy(7), ...at('09:10') },
      closes('09:30'),
      {
        ...{ type: 'ActionUndone', actionRevision: 2, what: 'closed', status: 'open', userId: 7, queueId: 5, unread: 0 },
        ...{ waitingSince: null, transferred: false, ...at('09:31') },
      },
      closes('10:00'),
    )
    expect(states(intervals)).toEqual([
      ['waiting', 5, null],
      ['open', 5, 7],
    ])
    expect(closings).toMatchObject([{ revision: 4, support_seconds: 50 * minute, next_at: null }])
  })

  it('of a deleted ticket stays known as deleted (A-COUNT-04)', async () => {
    const rows = await factsOf({ ...opened(), ...byContact, ...at('09:00') }, closes('09:30'), { ...deleted, ...at('11:00') })
    expect(rows).toMatchObject({ intervals: [], closings: [{ is_deleted: true }], fact: { deleted_at: '2026-11-10T11:00:00+00:00' } })
  })
})

describe('what is not counted (A-COUNT-10)', () => {
  it('a group has only its own interval', async () => {
    const rows = await factsOf(
      { ...opened({ group: true }), ...byContact, ...at('09:00') },
      { ...servedBy(7), ...at('09:10') },
      closes('09:30'),
    )
    expect(rows).toMatchObject({ fact: { created_at: null }, closings: [] })
    expect(new Set(rows.intervals.map(({ state }) => state))).toEqual(new Set(['group']))
  })

  it('a group that is returned waits for an agent, and its waiting is no measure', async () => {
    const rows = await factsOf(
      { ...opened({ group: true }), ...byContact, ...at('09:00') },
      { ...servedBy(7), ...at('09:10') },
      { type: 'TicketReturned', ...at('09:20') },
      { ...queued(6), ...at('09:25') },
      { ...servedBy(9, 6), ...at('09:30') },
    )
    expect(states(rows.intervals)).toEqual([
      ['group', 5, null],
      ['group', 5, 7],
      ['groupWaiting', 5, null],
      ['groupWaiting', 6, null],
      ['group', 6, 9],
    ])
    expect(rows.closings).toEqual([])
  })

  it('an imported ticket counts when the contact writes', async () => {
    const opening = { ...opened({ imported: true } as never), by: system, ...at('05 09:00'), occurredAt: '2026-01-05T09:00:00.000Z' }
    const before = await factsOf(opening, { type: 'TicketImported', queueId: 5, ...at('05 09:00') })
    expect(before).toMatchObject({ fact: { is_imported: true, created_at: null }, closings: [] })
    const after = await factsOf(opening, { type: 'TicketImported', queueId: 5, ...at('05 09:00') }, writes(1, '06 10:00'))
    expect(after.fact).toMatchObject({ is_imported: false, created_at: '2026-11-06T10:00:00+00:00' })
  })

  it('closing imported tickets finalizes none of them, unless an agent served it (A-COUNT-10)', async () => {
    const opening = { ...opened({ imported: true } as never), by: system, ...at('05 09:00') }
    const imported: Fact = { type: 'TicketImported', queueId: 5, ...at('05 09:00') }
    expect(await closingsOf(opening, imported, closes('09:04', 7))).toEqual([])
    expect(await closingsOf(opening, imported, { ...servedBy(7), ...at('09:00') }, closes('09:04', 7))).toMatchObject([{ user_id: 7 }])
    const served = { ...servedBy(7), ...at('09:00') }
    const late: Fact = { ...imported, ...at('09:06') }
    expect(await closingsOf(opening, served, closes('09:04', 7), late, closes('09:08', 7))).toHaveLength(2) // it was served before
  })

  it('a ticket that waits for consent is created with the consent, and a refusal is a closing of its own reason', async () => {
    const asked: Fact = { type: 'ConsentRequested', times: 1, asks: true, text: 'x', rule: 'A-LGPD-01', by: system, ...at('09:00') }
    const opening = { ...opened(), ...byContact, ...at('09:00') }
    expect((await factsOf(opening, asked)).fact.created_at).toBeNull()
    const given: Fact = { type: 'ConsentGiven', text: 'x', answered: true, rule: 'A-LGPD-01', ...byContact, ...at('09:04') }
    expect((await factsOf(opening, asked, given)).fact.created_at).toBe('2026-11-10T09:04:00+00:00')
    const later = { ...asked, ...at('11 09:00') } as Fact
    expect((await factsOf(opening, later)).fact.created_at).toBe('2026-11-10T09:00:00+00:00')
    const accepted = { ...servedBy(7), ...at('09:05') }
    expect((await factsOf(opening, asked, accepted)).fact.created_at).toBe('2026-11-10T09:05:00+00:00')
    const refused = { ...closes('09:04', 7, { reason: 'consentRefused', userId: null }), ...byContact } as Fact
    expect(await closingsOf(opening, asked, refused)).toMatchObject([{ reason: 'consentRefused', user_id: null, waiting_seconds: null }])
  })

  it('a ticket whose contact gave consent at once was not started by us, although the phone answers next', async () => {
    const asked: Fact = { type: 'ConsentRequested', times: 1, asks: true, text: 'x', rule: 'A-LGPD-01', by: system, ...at('09:00') }
    const given: Fact = { type: 'ConsentGiven', text: 'x', answered: true, rule: 'A-LGPD-01', ...byContact, ...at('09:00') }
    const phone = { ...sent(2, { by: system, ...at('09:05') }), type: 'MessageSentExternally' } as Fact
    const { fact, intervals } = await factsOf({ ...opened(), ...byContact, ...at('09:00') }, writes(1, '09:00'), asked, given, phone)
    expect(fact.started_by_us).toBe(false)
    expect(intervals).toMatchObject([{ state: 'waiting' }])
  })

  it('a ticket that continues another one is not created again (A-COUNT-09)', async () => {
    const transfer = { userId: null, fromUserId: 7, fromQueueId: 5 }
    const { fact } = await factsOf({ ...opened({ predecessorId: 16, transfer }), by: user(7), ...at('10:10') })
    expect(fact).toMatchObject({ created_at: null, predecessor_id: 16, started_by_us: false })
  })
})
