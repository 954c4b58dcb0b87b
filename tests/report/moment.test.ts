import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Points, pastMoment, pointAt, pointsOfDay } from '#domain/report/moments.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import { type PersistedEvent, project } from '#projections/projector.ts'
import { countNow } from '#projections/report/dashboard.ts'
import { countsAt, ticketsAt } from '#projections/report/moment.ts'
import type { Filters } from '#projections/report/range.ts'
import { ticketProjector } from '#projections/ticket/projector.ts'
import { history } from '#tests/support/history.ts'
import { tables as filled } from '#tests/support/recompute-read-models.ts'
import { deleted, servedBy, system, user } from '#tests/support/story.ts'
import { openTables } from '#tests/support/tables.ts'
import { ana, closingOf, company, davi, on, suporte, type TicketFact, tell as tellTables, ticket, vendas, zone } from './scene.ts'

/* The counts of past moments from events. Company 1 is in São Paulo (UTC-3); see scene.ts. */
let tables: Awaited<ReturnType<typeof openTables>>
beforeAll(async () => {
  tables = await openTables()
  await company(tables)
})
afterAll(() => tables.drop())

const none: Filters = { queueIds: [], connectionIds: [], userIds: [], limit: null }
const at = async (moment: string, filters: Partial<Filters> = {}, companyId = 1) =>
  (await countsAt(tables.db, companyId, { ...none, ...filters }, pointAt(zone, moment)))[0]!
const panelAt = (moment: string, filters: Partial<Filters> = {}, companyId = 1) =>
  ticketsAt(tables.db, companyId, { ...none, ...filters }, { moment, offset: 0, limit: 1000 })
const tell = (...facts: TicketFact[]) => tellTables(tables, ...facts)
const toQueue = (of: number, when: string, queueId = suporte): TicketFact => ({
  ...{ type: 'TicketTransferred', userId: null, queueId, fromUserId: ana, fromQueueId: vendas, note: null },
  ...{ by: user(ana), ...on(when), of },
})

type Standing = { id: number; status: string; isBot: boolean; queueId: number | null; userId: number | null }
type Seen = { event: PersistedEvent<TicketEvent>; standing: Standing[] }
/** The active tickets of a company. */
const active = async (companyId: number): Promise<Standing[]> =>
  (
    await sql<Standing>`select id, status, is_bot, queue_id, user_id from ticket
      where company_id = ${companyId} and status in ('open', 'pending', 'group') order by id`.execute(tables.db)
  ).rows
async function clear(): Promise<void> {
  await sql`delete from checkpoint`.execute(tables.db)
  for (const table of filled) await sql`delete from ${sql.table(table)}`.execute(tables.db)
}

const fields = ['supportHappening', 'supportPending', 'supportWithBot', 'supportGroups'] as const
const some = (of: Record<(typeof fields)[number], number>) => fields.map((name) => of[name])
const filterCases: Partial<Filters>[] = [{}, { queueIds: [5] }, { queueIds: [0, 6], userIds: [7, 8] }, { connectionIds: [1], userIds: [0] }]

describe('a generated history (A-PAST-01)', () => {
  it.each([3, 4, 5, 6])('the moment "now" equals the dashboard of now, after every append (seed %d)', async (seed) => {
    await clear()
    const events = history(seed, 250)
    for (const [i, event] of events.entries()) {
      await project(tables.pool, ticketProjector, [event], event.position)
      if (events[i + 1]?.at === event.at) continue
      const { companyId } = event
      for (const filters of filterCases) {
        const now = await countNow(tables.db, companyId, { ...none, ...filters })
        expect([event.type, filters, some(await at(event.at, filters, companyId))]).toEqual([event.type, filters, some(now)])
      }
    }
  })

  it.each([7, 8, 9])('an earlier moment shows what the dashboard showed then (seed %d)', async (seed) => {
    await clear()
    const events = history(seed, 400)
    const seen: Seen[] = []
    for (const event of events) {
      await project(tables.pool, ticketProjector, [event], event.position)
      seen.push({ event, standing: await active(event.companyId) })
    }
    let compared = 0
    for (const [i, { event, standing }] of seen.entries()) {
      const { companyId, at: moment } = event
      if (events[i + 1]?.at === moment) continue
      const later = Map.groupBy(events.slice(i + 1), ({ aggregateId }) => aggregateId)
      const shown = await standingAt(moment, companyId)
      const withBot = new Set(shown.filter(({ state }) => state === 'bot').map(({ id }) => id))
      const isKept = ({ id }: { id: number }) => !isChangedLater(later.get(id) ?? [])
      const expected = standing.filter(isKept).map((one) => placeOf(one, withBot.has(one.id) && isBotLater(later.get(one.id) ?? [])))
      expect([moment, shown.filter(isKept)]).toEqual([moment, expected])
      const of = (state: string) => shown.filter((one) => one.state === state).length
      expect(some(await at(moment, {}, companyId))).toEqual(['open', 'pending', 'bot', 'group'].map(of))
      compared += expected.length
    }
    expect(compared).toBeGreaterThan(200)
  })
})
/** A deletion and an undone action change a past moment. */
const isChangedLater = (later: PersistedEvent<TicketEvent>[]): boolean =>
  later.some(
    ({ type, ...event }) => type === 'TicketDeleted' || (type === 'ActionUndone' && (event as Undone).actionRevision < later[0]!.revision),
  )
type Undone = { actionRevision: number }
/** A bot takes the ticket. The time until it first acts is the bot's too (A-COUNT-05). */
const isBotLater = (later: PersistedEvent<TicketEvent>[]): boolean =>
  later.some((event) => event.type === 'BotMoved' || event.type === 'BotEnded' || (event.type === 'TicketClosed' && event.reason === 'bot'))
const placeOf = ({ id, status, isBot, queueId, userId }: Standing, isWithBot: boolean) => ({
  ...{ id, queueId, userId },
  state: status === 'pending' && (isBot || isWithBot) ? 'bot' : status,
})
async function standingAt(moment: string, companyId: number) {
  const { rows } = await sql<{ id: number; state: string; queueId: number | null; userId: number | null }>`
    select ticket_id as id, case when state in ('waiting', 'quiet', 'groupWaiting') then 'pending' else state end as state, queue_id, user_id
    from ticket_interval where company_id = ${companyId} and state not in ('consent', 'rating') and began_at <= ${moment}::timestamptz
      and (ended_at is null or ended_at > ${moment}::timestamptz) order by ticket_id`.execute(tables.db)
  return rows.map(({ id, queueId, userId, state }) => ({ id, queueId, userId, state }))
}

const november = (text: string) => on(text).at
describe('a moment (A-PAST-01)', () => {
  it('counts the day up to it, with queue and agent of then', async () => {
    await tell(
      ...ticket(1, '10 09:00', '10 09:10', '10 11:00'),
      ...ticket(2, '10 09:30', '10 10:00'),
      toQueue(2, '10 10:30'),
      ...ticket(3, '09 23:00'),
      ...ticket(4, '10 10:00', '10 10:05', '10 10:10'),
      { ...deleted, ...on('12 09:00'), of: 4 },
    )
    const then = november('10 10:20')
    expect(await at(then)).toEqual({
      ...{ moment: then, supportHappening: 2, supportPending: 1, supportWithBot: 0, supportGroups: 0 },
      ...{ tickets: 2, supportFinished: 0, longestWait: 11 * 3600 + 20 * 60 },
    })
    expect(await at(then, { queueIds: [vendas], userIds: [ana] })).toMatchObject({ supportHappening: 2, tickets: 2, longestWait: null })
    expect(await at(then, { queueIds: [suporte] })).toMatchObject({ supportHappening: 0, tickets: 0 })
    const later = november('10 11:30')
    expect(await at(later)).toMatchObject({ supportHappening: 0, supportPending: 2, tickets: 2, supportFinished: 1 })
    expect(await at(later, { queueIds: [suporte] })).toMatchObject({ supportPending: 1, tickets: 1, supportFinished: 0, longestWait: 3600 })
    expect(await at(november('08 12:00'))).toMatchObject({ supportPending: 0, tickets: 0, longestWait: null })
    expect(await at(then, {}, 2)).toMatchObject({ supportHappening: 0, supportPending: 0, tickets: 0, supportFinished: 0 })
  })

  it('a wait goes on in another queue, and begins anew after an agent', async () => {
    const queued: TicketFact = { type: 'TicketQueued', queueId: suporte, by: system, ...on('10 09:20'), of: 1 }
    await tell(...ticket(1, '10 09:00'), queued, { ...servedBy(davi, suporte), ...on('10 09:40'), of: 1 }, toQueue(1, '10 09:50'))
    expect(await at(november('10 09:30'), { queueIds: [suporte] })).toMatchObject({ longestWait: 30 * 60 })
    expect(await at(november('10 09:55'))).toMatchObject({ longestWait: 5 * 60 })
    expect(await panelAt(november('10 09:30'))).toMatchObject([{ since: november('10 09:00'), queue: { name: 'Suporte' }, user: null }])
  })

  it('the panel names contact, queue, agent and since when, for the company only', async () => {
    await tell(
      ...ticket(1, '10 09:00', '10 09:10', '10 11:00', { opening: { contactId: 3 } }),
      ...ticket(2, '10 09:30', null, null, { opening: { contactId: 3 } }),
    )
    const rows = await panelAt(november('10 10:00'))
    expect(rows.map(({ id, contactName, state, since, user: agent }) => [id, contactName, state, since, agent?.name ?? null])).toEqual([
      [1, 'Maria Silva', 'open', november('10 09:10'), 'Ana'],
      [2, 'Maria Silva', 'waiting', november('10 09:30'), null],
    ])
    expect(Object.keys(rows[0]!).toSorted()).toEqual(
      ['id', 'uuid', 'channel', 'contactName', 'state', 'queueId', 'queue', 'userId', 'user', 'since'].toSorted(),
    )
    expect((await panelAt(november('10 10:00'), { userIds: [ana] })).map(({ id }) => id)).toEqual([1])
    expect(await panelAt(november('10 08:00'))).toEqual([])
    expect(await panelAt(november('10 10:00'), {}, 2)).toEqual([])
  })

  it('a group that was returned waits, and is a group again once it is accepted', async () => {
    const group = { group: true, contactId: 3 }
    const returned: TicketFact = { type: 'TicketReturned', by: user(ana), ...on('10 10:00'), of: 1 }
    await tell(...ticket(1, '10 09:00', '10 09:10', null, { opening: group }), returned, { ...servedBy(davi), ...on('10 11:00'), of: 1 })
    const of = async (time: string) => some(await at(november(time)))
    expect(await Promise.all(['10 09:30', '10 10:30', '10 11:30'].map(of))).toEqual([
      [0, 0, 0, 1],
      [0, 1, 0, 0],
      [0, 0, 0, 1],
    ])
  })
})

describe('a film (A-PAST-02)', () => {
  const film = (day: string, filters: Partial<Filters> = {}, of = zone, now = '2026-12-31T00:00:00Z') =>
    countsAt(tables.db, 1, { ...none, ...filters }, pointsOfDay(of, Date.parse(now), day))

  it('each step equals the moment, also with filters', async () => {
    await tell(
      ...ticket(1, '10 00:00', '10 09:10', '10 11:02'),
      { type: 'TicketReopened', userId: davi, queueId: suporte, ...on('10 12:00'), of: 1 },
      closingOf(1, '10 12:31', davi),
      ...ticket(2, '10 09:31', '10 10:00'),
      toQueue(2, '10 10:30'),
      ...ticket(3, '09 23:00', '10 23:59'),
      ...ticket(4, '10 10:00', '10 10:05', '10 10:10', { queueId: suporte, who: davi }),
      ...ticket(5, '01 10:00', null, '10 15:00', { closing: { reason: 'expired', userId: null, by: system } }),
    )
    for (const filters of [{}, { queueIds: [suporte] }, { userIds: [0] }, { queueIds: [vendas], userIds: [ana] }]) {
      const steps = await film('2026-11-10', filters)
      expect(steps.length).toBe(288)
      for (const step of steps.filter((_, i) => i % 7 === 0 || i > 280)) expect(step).toEqual(await at(step.moment, filters))
    }
    const { moment, supportPending } = (await film('2026-11-10')).toSorted((a, b) => b.supportPending - a.supportPending)[0]!
    expect([moment, supportPending]).toEqual([november('10 00:00'), 3])
  })

  it.each([
    ['2026-03-29', 'Europe/Berlin', 276],
    ['2026-10-25', 'Europe/Berlin', 300],
    ['2018-11-04', 'America/Sao_Paulo', 276],
    ['2026-11-10', 'America/Sao_Paulo', 288],
  ])('of %s in %s has %d steps', async (day, of, n) => {
    const steps = await film(day, {}, of)
    expect(steps.length).toBe(n)
    expect(Date.parse(steps.at(-1)!.moment) - Date.parse(steps[0]!.moment)).toBe((n - 1) * 300_000)
  })

  it('of today ends now, and one of tomorrow is refused', () => {
    const now = Date.parse(november('10 10:42'))
    const { first, stepMs, n }: Points = pointsOfDay(zone, now, '2026-11-10')
    expect(new Date(Date.parse(first) + (n - 1) * stepMs).toISOString()).toBe(november('10 10:40'))
    expect(() => pointsOfDay(zone, now, '2026-11-11')).toThrow('ERR_FUTURE_MOMENT')
    expect(() => pastMoment(now, november('10 10:43'))).toThrow('ERR_FUTURE_MOMENT')
    expect(() => pastMoment(now, '2016-12-31T23:59:60Z')).toThrow('ERR_INVALID_INPUT')
    expect(pastMoment(now, '0001-01-01T00:00:00Z')).toBe('1970-01-01T00:00:00.000Z')
  })
})
