import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Grouping } from '#domain/dashboard/contract.ts'
import { dayRange } from '#domain/report/days.ts'
import { groupsOf, weekOf } from '#projections/report/breakdown.ts'
import { attendantsOf, countersOf } from '#projections/report/dashboard.ts'
import { reportPage } from '#projections/report/tickets.ts'
import { openTables } from '#tests/support/tables.ts'
import { ana, company, davi, person, request, suporte, type TicketFact, tell as tellTables, ticket, vendas, zone } from './scene.ts'

/* The dashboard per queue, connection, agent, tag and hour of the week, from events; see scene.ts. */
let tables: Awaited<ReturnType<typeof openTables>>
beforeAll(async () => {
  tables = await openTables()
  await company(tables)
})
afterAll(() => tables.drop())

const tell = (...facts: TicketFact[]) => tellTables(tables, ...facts)
const scopeOf = (first: string, last = first, timeZone = zone) => {
  const { from, to } = dayRange(timeZone, Date.parse('2026-12-01T12:00:00Z'), first, last)
  return { companyId: 1, range: { from, to }, filters: { queueIds: [], connectionIds: [], userIds: [], limit: null } }
}
const november = scopeOf('2026-11-01', '2026-11-30')
const groups = (by: Grouping) => groupsOf(tables.db, november, by)

describe('per value (A-COUNT-08, A-COUNT-11)', () => {
  beforeEach(() =>
    tell(
      ...ticket(1, '10 09:00', '10 09:10', '10 10:00'),
      ...ticket(2, '10 09:00', '10 09:30', '10 11:00', { who: davi }),
      ...ticket(3, '10 09:00', '10 09:05', '10 10:00', { queueId: suporte }),
      ...ticket(4, '10 09:00', null, null, { queueId: null }),
    ),
  )

  it('the rows of queues add up to the cards, and tickets without a queue are a row', async () => {
    const rows = await groups('queue')
    expect(rows.map(({ id, name, created, finalized }) => [id, name, created, finalized])).toEqual([
      [vendas, 'Vendas', 2, 2],
      [suporte, 'Suporte', 1, 1],
      [null, null, 1, 0],
    ])
    const { tickets, supportFinished } = await countersOf(tables.db, november, november.range)
    expect(rows.reduce((sum, { created }) => sum + created, 0)).toBe(tickets)
    expect(rows.reduce((sum, { finalized }) => sum + finalized, 0)).toBe(supportFinished)
    expect(rows[0]!.times.waiting).toEqual({ n: 2, average: 20 * 60, median: 20 * 60, p90: 28 * 60 })
    expect(rows[2]!.times.waiting).toEqual({ n: 0, average: null, median: null, p90: null })
  })

  it.each([null, [vendas], [suporte]])(
    'the rows of agents are those of the table of agents, within the limit %j (A-VIS-04)',
    async (limit) => {
      await tell(
        ...ticket(5, '10 09:00', '10 09:10', null, { who: davi, queueId: suporte }),
        ...ticket(6, '10 09:00', '10 09:10', '10 10:00'),
      )
      const scope = { ...november, filters: { ...november.filters, limit } }
      const [groupsOfAgents, table] = await Promise.all([groupsOf(tables.db, scope, 'user'), attendantsOf(tables.db, scope)])
      const listed = (rows: { id: number | null }[]) => rows.map(({ id }) => id).filter((id) => id !== null)
      expect(new Set(listed(groupsOfAgents))).toEqual(new Set(listed(table)))
      const own = limit === null ? [ana, davi] : limit.includes(vendas) ? [ana] : [davi]
      expect(new Set(listed(table))).toEqual(new Set(own))
    },
  )

  it('a removed agent keeps the name and is marked (A-COUNT-04)', async () => {
    const rows = await groups('user')
    expect(rows.map(({ id, removed, finalized }) => [id, removed, finalized])).toEqual([
      [ana, false, 2],
      [davi, true, 1],
      [null, false, 0],
    ])
  })

  it('a deleted connection is marked as removed', async () => {
    await sql`update connection set company_id = 2 where id = 4`.execute(tables.db)
    expect(await groups('connection')).toMatchObject([{ id: 4, name: null, removed: true, created: 4, finalized: 3 }])
    await sql`update connection set company_id = 1 where id = 4`.execute(tables.db)
  })

  it('a ticket counts for each tag of its contact, and for none if there is no tag', async () => {
    expect((await groups('tag')).map(({ id, finalized }) => [id, finalized])).toEqual([[null, 3]])
    await sql`insert into tag (id, company_id, name, color, kanban) overriding system value
      values (1, 1, 'VIP', '#112233', 0), (2, 1, 'Novo', '#112233', 0)`.execute(tables.db)
    await sql`insert into contact_tag (company_id, contact_id, tag_id) values (1, ${person}, 1), (1, ${person}, 2)`.execute(tables.db)
    expect((await groups('tag')).map(({ id, name, created, finalized }) => [id, name, created, finalized])).toEqual([
      [1, 'VIP', 4, 3],
      [2, 'Novo', 4, 3],
    ])
  })
})

describe('per hour of the week (A-COUNT-01)', () => {
  it('the hour is that of the company, and the list behind it has as many tickets (V32)', async () => {
    await tell(
      ...ticket(11, '2026-05-12 11:40', '2026-05-12 11:50', '2026-05-13 09:00'),
      ...ticket(12, '2026-05-12 11:10'),
      ...ticket(13, '2026-05-11 23:59'),
    )
    const tuesday11 = 24 + 11
    const may = scopeOf('2026-05-01', '2026-05-31')
    const hours = await weekOf(tables.db, may, zone)
    expect(hours.map(({ weekHour, created, waiting }) => [weekHour, created, waiting.n, waiting.median])).toEqual([
      [23, 1, 0, null],
      [tuesday11, 2, 1, 600],
    ])
    const behind = request({ first: '2026-05-01', last: '2026-05-31', weekHour: tuesday11, counted: true })
    expect((await reportPage(tables.db, behind, 1, 10)).rows.map(({ id }) => id)).toEqual([11, 12])
  })

  it('a repeated hour has both passes (V30)', async () => {
    const at = (text: string) => ({ at: `2026-10-${text}:00.000Z` })
    const opened = (of: number, text: string) => ({ ...ticket(of, '10 09:00')[0]!, ...at(text) })
    await tell(opened(21, '25T00:30'), opened(22, '25T01:30'), opened(23, '25T23:45'), opened(24, '26T00:05'))
    const october = scopeOf('2026-10-25', '2026-10-25', 'Europe/Lisbon')
    expect((await weekOf(tables.db, october, 'Europe/Lisbon')).map(({ weekHour, created }) => [weekHour - 6 * 24, created])).toEqual([
      [1, 2],
      [23, 1],
    ])
  })
})
