import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dayRange, periodBefore } from '#domain/report/days.ts'
import { groupsOf } from '#projections/report/breakdown.ts'
import { attendantsOf, countersOf } from '#projections/report/dashboard.ts'
import { openHoursOf } from '#projections/report/open-hours.ts'
import { reportPage } from '#projections/report/tickets.ts'
import { sent } from '#tests/support/story.ts'
import { openTables } from '#tests/support/tables.ts'
import { ana, closingOf, company, davi, on, request, suporte, type TicketFact, tell, ticket, vendas, zone } from './scene.ts'

/* Measures in open hours. Company 1 is in São Paulo (UTC-3). */
let tables: Awaited<ReturnType<typeof openTables>>
beforeAll(async () => {
  tables = await openTables()
  await company(tables)
})
afterAll(() => tables.drop())
beforeEach(() => sql`delete from rule_version`.execute(tables.db))

/** Puts a rule in force from a moment on, or since ever. */
const rule = (kind: string, value: unknown, since: string | null = null, ownerId = 0) =>
  sql`insert into rule_version values (1, ${kind}, ${ownerId}, ${since === null ? '-infinity' : on(since).at}, ${JSON.stringify(value)})`.execute(
    tables.db,
  )
const names = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const week = (days: number, startTimeA: string, endTimeA: string, startTimeB = '', endTimeB = '') =>
  names.slice(0, days).map((weekdayEn) => ({ weekdayEn, startTimeA, endTimeA, startTimeB, endTimeB }))
const office = week(5, '08:00', '12:00', '13:00', '18:00')

const answered = (of: number, when: string, who = ana): TicketFact =>
  ({ ...sent(of * 10, {}), by: { kind: 'user', id: who }, ...on(when), of }) as TicketFact
/** A ticket that waits from the first moment on, is accepted and answered at the second, and closed at the third. */
const served = (of: number, begins: string, answers: string, closes: string, how: object = {}) => [
  ...ticket(of, begins, answers, closes, how),
  answered(of, answers),
]

async function times(first: string, last = first, openHours = true) {
  const at = Date.parse('2027-01-01T12:00:00Z')
  const range = dayRange(zone, at, first, last)
  const plain = { companyId: 1, range, filters: { queueIds: [], connectionIds: [], userIds: [], limit: null } }
  const before = periodBefore(zone, at, range)
  const scope = openHours ? { ...plain, openHours: await openHoursOf(tables.db, 1) } : plain
  const [counters, [row]] = [await countersOf(tables.db, scope, before), await attendantsOf(tables.db, scope)]
  const [queue] = await groupsOf(tables.db, scope, 'queue')
  const minutes = (of: Record<string, { average: number | null }> | null, name: string) => {
    const average = of === null ? null : of[name]!.average
    return average === null ? null : average / 60
  }
  return {
    open: (name: string) => minutes(counters.times, name),
    closed: (name: string) => minutes(counters.closedTimes, name),
    agent: (name: string) => minutes(row!.times, name),
    queue: (name: string) => minutes(queue!.times, name),
  }
}
/** First answers of finalized tickets in minutes: open, closed. */
async function firstAnswer(first: string, last = first) {
  const { open, closed } = await times(first, last)
  return [open('firstAnswer'), closed('firstAnswer')]
}

describe('a first answer', () => {
  beforeEach(async () => {
    await rule('scheduleType', 'company')
    await rule('company', office)
    await rule('holidays', ['2026-10-12'])
  })
  it('does not count nights, weekends and holidays (V27)', async () => {
    await tell(tables, ...served(1, '2026-10-09 17:50', '2026-10-13 08:20', '2026-10-13 09:00'))
    expect(await firstAnswer('2026-10-13')).toEqual([30, 5160])
    const plain = await times('2026-10-13', '2026-10-13', false)
    expect([plain.open('firstAnswer'), plain.closed('firstAnswer'), plain.agent('firstAnswer')]).toEqual([5190, null, 5190])
    const { agent, queue } = await times('2026-10-13')
    expect([agent('firstAnswer'), queue('firstAnswer')]).toEqual([30, 30])
  })
  it('does not count the lunch break (V27)', async () => {
    await tell(tables, ...served(1, '2026-10-13 11:55', '2026-10-13 13:05', '2026-10-13 14:00'))
    expect(await firstAnswer('2026-10-13')).toEqual([10, 60])
  })
  it('is measured with the hours that were in force then (V27, A-COUNT-14)', async () => {
    await rule('company', week(5, '09:00', '17:00'), '01 00:00')
    await tell(
      tables,
      ...served(1, '2026-10-09 17:50', '2026-10-13 08:20', '2026-10-13 09:00'),
      ...served(2, '03 16:50', '04 09:10', '04 10:00'),
    )
    expect(await firstAnswer('2026-10-13')).toEqual([30, 5160])
    expect(await firstAnswer('2026-11-04')).toEqual([20, 960])
  })
  it('does not change by a holiday that is entered later', async () => {
    await rule('holidays', ['2026-10-12', '2026-10-13'], '2026-10-20 10:00')
    await tell(tables, ...served(1, '2026-10-13 11:55', '2026-10-13 13:05', '2026-10-13 14:00'))
    expect(await firstAnswer('2026-10-13')).toEqual([10, 60])
  })
  it('is measured in the zone that was in force then', async () => {
    await rule('timeZone', 'Europe/Lisbon', '2026-11-01 00:00')
    await tell(tables, ...served(1, '03 06:00', '03 06:30', '03 07:00')) // 9:00 in Lisbon
    expect(await firstAnswer('2026-11-03')).toEqual([30, 0])
  })
})

describe('the hours of a queue', () => {
  beforeEach(() => rule('scheduleType', 'queue'))
  it('have no lost minute at midnight (V28)', async () => {
    await rule('queue', week(7, '00:00', '23:59'), null, vendas)
    await tell(tables, ...served(1, '10 23:50', '11 00:10', '11 00:20'))
    expect(await firstAnswer('2026-11-11')).toEqual([20, 0])
  })
  it('may go over midnight (V28)', async () => {
    await rule('queue', week(1, '18:00', '02:00'), null, vendas)
    await tell(tables, ...served(1, '09 23:30', '10 02:30', '10 02:40'))
    expect(await firstAnswer('2026-11-10')).toEqual([150, 30])
  })
  it('count for the time in that queue, and a ticket without a queue is never closed', async () => {
    await rule('queue', week(7, '09:00', '10:00'), null, vendas)
    await rule('queue', week(7, '14:00', '15:00'), null, suporte)
    await tell(
      tables,
      ...ticket(1, '10 09:50', null, null, { queueId: null }),
      { type: 'TicketQueued', queueId: vendas, ...on('10 09:55'), of: 1 } as TicketFact,
      { type: 'TicketRedirected', queueId: suporte, rule: 'x', ...on('10 14:58'), of: 1 } as never,
      { ...closingOf(1, '10 16:00'), reason: 'ignored', waited: true } as TicketFact,
    )
    const { open, closed } = await times('2026-11-10')
    expect([open('waiting'), closed('waiting')]).toEqual([5 + 5 + 2, 370 - 12])
  })
})

describe('all measures', () => {
  const scene = () =>
    tell(
      tables,
      ...ticket(1, '10 11:50', '10 13:10', '10 18:30'),
      { type: 'TicketReopened', userId: davi, queueId: vendas, ...on('11 07:00'), of: 1 },
      closingOf(1, '11 08:30', davi),
      ...ticket(2, '10 22:00', '10 22:10', '10 22:20'),
    )
  it('have an open and a closed part that add up to the whole time', async () => {
    await rule('scheduleType', 'company')
    await rule('company', office)
    await scene()
    const whole = await times('2026-11-10', '2026-11-11', false)
    const parts = await times('2026-11-10', '2026-11-11')
    const inMinutes = {
      waiting: [10 + 10, 60 + 10],
      support: [290 + 30, 30 + 60 + 10],
      resolution: [10 + 10 + 290 + 30, 60 + 30 + 60 + 20],
    }
    for (const [name, [open, closed]] of Object.entries(inMinutes)) {
      expect([name, parts.open(name), parts.closed(name)]).toEqual([name, open! / 2, closed! / 2])
      expect(parts.open(name)! + parts.closed(name)!).toBe(whole.open(name))
    }
    expect([parts.open('firstAnswer'), parts.closed('firstAnswer')]).toEqual([null, null])
  })
  it.each([
    ['without opening hours', 'disabled'],
    ['with the hours of a connection that has none', 'connection'],
  ])('are whole %s', async (_, mode) => {
    await rule('scheduleType', mode)
    await scene()
    const [whole, parts] = [await times('2026-11-10', '2026-11-11', false), await times('2026-11-10', '2026-11-11')]
    for (const name of ['waiting', 'support', 'resolution']) expect([parts.open(name), parts.closed(name)]).toEqual([whole.open(name), 0])
  })
  it('use the hours of the ticket’s connection, from when these count', async () => {
    await rule('scheduleType', 'company')
    await rule('scheduleType', 'connection', '10 12:00')
    await rule('company', office)
    await rule('connection', week(7, '13:00', '13:05'), null, 4)
    await tell(tables, ...ticket(1, '10 11:50', '10 13:10', '10 18:30'))
    const { open, closed } = await times('2026-11-10')
    expect([open('waiting'), closed('waiting')]).toEqual([15, 65])
  })
})

describe('the report', () => {
  beforeEach(async () => {
    await rule('scheduleType', 'company')
    await rule('company', office)
    await rule('holidays', ['2026-10-12'])
    await tell(
      tables,
      ...served(1, '2026-10-09 17:50', '2026-10-13 08:20', '2026-10-13 09:00'),
      ...served(2, '2026-10-13 09:00', '2026-10-13 09:01', '2026-10-13 17:00'),
      ...ticket(3, '2026-10-13 09:00'),
    )
  })
  const rowsOf = async (to: Parameters<typeof request>[0], isOpen: boolean) => {
    const openHours = isOpen ? await openHoursOf(tables.db, 1) : null
    return (await reportPage(tables.db, request({ first: '2026-10-01', last: '2026-10-31', ...to, openHours }), 1, 10)).rows
  }
  it('shows open and closed parts of the same times (V27)', async () => {
    const minutes = async (isOpen: boolean) => {
      const [row] = await rowsOf({ sort: 'id', direction: 'asc' }, isOpen)
      return [row!.firstAnswerSeconds, row!.closedFirstAnswerSeconds].map((seconds) => seconds && seconds / 60)
    }
    expect([await minutes(true), await minutes(false)]).toEqual([
      [30, 5160],
      [5190, null],
    ])
  })
  it('sorts by the time that it shows; a ticket without it is last', async () => {
    const rows = await rowsOf({ sort: 'supportTime', direction: 'desc' }, true)
    expect(
      rows.map(({ id, supportTime, waitingSeconds, closedSupportSeconds }) => [id, supportTime, waitingSeconds, closedSupportSeconds]),
    ).toEqual([
      [2, 7 * 60 - 1, 60, 3600],
      [1, 40, 1800, 0],
      [3, null, null, null],
    ])
  })
})

describe('the versions of the rules', () => {
  const versions = async (kind: string) =>
    (
      await sql<{ since: boolean; value: unknown }>`select valid_from > '-infinity' as since, value from rule_version
        where kind = ${kind} order by valid_from`.execute(tables.db)
    ).rows.map(({ since, value }) => [since, value])
  it('are written by the database with every change', async () => {
    const { db } = tables
    await sql`insert into company (id, name, schedules) overriding system value values (9, 'Azul', ${JSON.stringify(office)})`.execute(db)
    expect(await versions('company')).toEqual([[false, office]])
    const later = week(5, '09:00', '17:00')
    await sql`update company set schedules = ${JSON.stringify(later)} where id = 9`.execute(db)
    await sql`update company set name = 'Azul Ltda' where id = 9`.execute(db)
    expect(await versions('company')).toEqual([
      [false, office],
      [true, later],
    ])
    await sql`insert into holiday (company_id, date, name) values (9, '2026-12-25', 'Natal'), (9, '2027-01-01', 'Ano novo')`.execute(db)
    expect(await versions('holidays')).toEqual([[true, ['2026-12-25', '2027-01-01']]])
    await sql`delete from holiday where date = '2027-01-01'`.execute(db)
    expect((await versions('holidays')).at(-1)).toEqual([true, ['2026-12-25']])
    await sql`insert into company_setting (company_id, key, value) values (9, 'scheduleType', 'company'), (9, 'userRating', 'enabled')`.execute(
      db,
    )
    expect([await versions('scheduleType'), await versions('userRating')]).toEqual([[[true, 'company']], []])
    await sql`insert into queue (id, company_id, name, color) overriding system value values (90, 9, 'Nova', '#123456')`.execute(db)
    await sql`update queue set schedules = '[]' where id = 90`.execute(db)
    expect((await versions('queue')).map(([since]) => since)).toEqual([false, true])
  })
})
