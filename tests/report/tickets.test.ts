import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inSlot } from '#app/report/slots.ts'
import { reportRange } from '#domain/report/days.ts'
import { reportChoices } from '#projections/report/choices.ts'
import { countersOf } from '#projections/report/dashboard.ts'
import { reportBatches, reportPage } from '#projections/report/tickets.ts'
import { contact, deleted, opened, received, servedBy, user } from '#tests/support/story.ts'
import { openTables } from '#tests/support/tables.ts'
import { ana, closingOf, company, davi, on, request, suporte, type TicketFact, tell, ticket, uuidOf, vendas, zone } from './scene.ts'

let tables: Awaited<ReturnType<typeof openTables>>
beforeAll(async () => {
  tables = await openTables()
})
afterAll(() => tables.drop())
beforeEach(() => company(tables))

type To = Parameters<typeof request>[0]
async function rowsOf(to: To = {}) {
  const { total, rows } = await reportPage(tables.db, request(to), 1, 50)
  expect(total).toBe(rows.length)
  return rows
}
const idsOf = async (to: To = {}) => (await rowsOf(to)).map(({ id }) => id).toSorted((a, b) => a - b)
const many = (n: number, make: (of: number) => TicketFact[]) => Array.from({ length: n }, (_, i) => make(i + 1)).flat()
const reopening = (of: number, when: string): TicketFact => ({ type: 'TicketReopened', userId: ana, queueId: vendas, ...on(when), of })

describe('a row', () => {
  it('shows the ticket with its last closing', async () => {
    await tell(
      tables,
      ...ticket(1, '10 09:00', '10 09:20'),
      { ...received(1, { body: 'Bom dia' }), ...on('10 09:01'), of: 1 },
      { type: 'RatingRequested', times: 1, rule: 'A-NPS-02', by: user(ana), ...on('10 09:50'), of: 1 },
      { type: 'TicketRated', rating: 9, by: contact, ...on('10 09:55'), of: 1 },
      closingOf(1, '10 09:55', ana, { reason: 'rated', by: contact, resolvedAt: on('10 09:50').at }),
    )
    expect(await rowsOf()).toEqual([
      {
        ...{ id: 1, uuid: uuidOf(1), revision: 5, status: 'closed', isGroup: false, imported: false },
        ...{ whatsappName: 'Loja', whatsappRemoved: false, contactId: 3, contactName: 'Maria Silva', contactNumber: '5511987654321' },
        ...{ userId: ana, userName: 'Ana', userRemoved: false },
        ...{ queueId: vendas, queueName: 'Vendas', queueColor: '#112233', queueRemoved: false, lastMessage: 'Bom dia' },
        ...{ createdAt: on('10 09:00').at, closedAt: on('10 09:50').at, reopenedAt: null, NPS: 9 },
        ...{ supportTime: 30, supportSeconds: 1800, waitingSeconds: 1200, firstAnswerSeconds: null, predecessor: null, successor: null },
        ...{ resolutionSeconds: 3000, closedWaitingSeconds: null, closedFirstAnswerSeconds: null },
        ...{ closedSupportSeconds: null, closedResolutionSeconds: null },
      },
    ])
  })

  it('names the tickets before and after a transfer; the list of finalized tickets has only the last (A-COUNT-09, V15)', async () => {
    const successor = { ticketId: 701, uuid: uuidOf(701), userId: null, queueId: suporte }
    const transfer = { userId: null, fromUserId: ana, fromQueueId: vendas, note: null, at: on('10 10:10').at }
    await tell(
      tables,
      ...ticket(700, '10 10:00', '10 10:02', '10 10:10', { closing: { reason: 'transfer', successor } }),
      {
        ...opened({ ticketId: 701, uuid: uuidOf(701), queueId: suporte, predecessorId: 700, transfer: transfer as never }),
        ...{ by: user(ana), ...on('10 10:10'), of: 701 },
      },
      { ...servedBy(davi, suporte), ...on('10 10:15'), of: 701 },
      closingOf(701, '10 10:30', davi),
    )
    expect(
      (await rowsOf({ sort: 'id', direction: 'asc' })).map(({ id, predecessor, successor: next }) => [id, predecessor?.id, next?.id]),
    ).toEqual([
      [700, undefined, 701],
      [701, 700, undefined],
    ])
    expect([await idsOf({ dateField: 'closedAt' }), await idsOf({ counted: true })]).toEqual([[701], [700]])
    const limited = await Promise.all([vendas, suporte].map((id) => rowsOf({ filters: { limit: [id] } })))
    expect(limited).toMatchObject([[{ id: 700, successor: null }], [{ id: 701, predecessor: null }]]) // not those outside (A-VIS-04)
    expect(await reportPage(tables.db, request(), 1, 10)).toMatchObject({ total: 2, counted: 1 }) // as the card counts
  })

  it('has one row for a ticket that was closed, reopened and continued by a transfer', async () => {
    const successor = { ticketId: 703, uuid: uuidOf(703), userId: null, queueId: suporte }
    await tell(
      tables,
      ...ticket(702, '10 10:00', '10 10:02', '10 10:10'),
      { type: 'TicketReopened', userId: ana, queueId: vendas, ...on('10 11:00'), of: 702 },
      closingOf(702, '10 11:10', ana, { reason: 'transfer', successor }),
    )
    expect([await idsOf({}), await idsOf({ dateField: 'closedAt' }), await idsOf({ counted: true })]).toEqual([[702], [702], [702]])
    expect((await rowsOf({}))[0]!.closedAt).toBe(on('10 11:10').at)
  })
})

describe('the range', () => {
  it('is of whole local days, and the total equals the dashboard’s (A-COUNT-01, V3)', async () => {
    await tell(
      tables,
      ...ticket(1, '09 23:59'),
      ...ticket(2, '10 00:00'),
      ...ticket(3, '10 14:00'),
      ...ticket(4, '10 23:59'),
      ...ticket(5, '11 00:00'),
    )
    const day = { first: '2026-11-10', last: '2026-11-10' }
    expect(await idsOf(day)).toEqual([2, 3, 4])
    const { scope } = request(day)
    expect((await countersOf(tables.db, scope, scope.range)).tickets).toBe(3)
  })

  it('begins on the first of the month without a first day, and ends today without a last (R-REPORT-01)', () => {
    const now = Date.parse('2026-11-11T01:00:00Z') // the evening of 10 November
    const days = (first?: string, last?: string) => {
      const { first: begin, last: end } = reportRange(zone, now, first, last)
      return [begin, end]
    }
    expect(days()).toEqual(['2026-11-01', '2026-11-10'])
    expect(days('2026-10-05')).toEqual(['2026-10-05', '2026-11-10'])
    expect(days(undefined, '2026-09-20')).toEqual(['2026-09-01', '2026-09-20'])
    expect(days('2026-12-24')).toEqual(['2026-12-24', '2026-12-24'])
  })

  it('by closing keeps tickets that were reopened since; the status is that of now (A-COUNT-11, V6)', async () => {
    const day = '2026-10-30'
    const closings = { first: day, last: day, dateField: 'closedAt' as const }
    const facts = [
      ...many(12, (of) => ticket(of, `${day} 09:00`, `${day} 09:10`, `${day} 10:00`)),
      reopening(1, '04 09:00'),
      reopening(2, '04 09:00'),
    ]
    await tell(tables, ...facts)
    const rows = await rowsOf(closings)
    expect([rows.length, rows.filter(({ reopenedAt }) => reopenedAt !== null).length]).toEqual([12, 2])
    expect((await idsOf({ ...closings, statuses: ['closed'] })).length).toBe(10)
    expect((await idsOf({ ...closings, filters: { userIds: [ana] } })).length).toBe(12)
    await tell(tables, ...facts, { ...deleted, ...on('05 09:00'), of: 3 })
    expect((await idsOf(closings)).length).toBe(11)
  })

  it('by closing lists all tickets behind the number of an agent, whenever they were created (V12)', async () => {
    await tell(
      tables,
      ...many(8, (of) => ticket(of, '2026-09-20 09:00', '2026-09-20 09:10', '05 10:00')),
      ...many(2, (of) => ticket(of + 20, '04 09:00', '04 09:10', '05 10:00')),
      ...many(5, (of) => ticket(of + 40, '20 09:00', '20 09:10')),
    )
    expect((await idsOf({ dateField: 'closedAt', filters: { userIds: [ana] } })).length).toBe(10)
  })
})

describe('filters (V24)', () => {
  const scene = () =>
    tell(
      tables,
      ...ticket(1, '10 09:00', '10 09:10'),
      ...ticket(2, '10 09:00', '10 09:10', '10 10:00'),
      ...ticket(3, '10 09:00', '10 09:10', null, { queueId: suporte, who: davi }),
      ...ticket(4, '10 09:00', '10 09:10', '10 10:00', { queueId: suporte }),
      ...ticket(5, '10 09:00', '10 09:10', null, { queueId: 9 }),
      ...ticket(6, '10 09:00', null, null, { queueId: null }),
    )
  it('are OR inside a field and AND between fields; only unknown ids find nothing', async () => {
    await scene()
    const queues = (...queueIds: number[]) => ({ filters: { queueIds } })
    expect(await idsOf({ ...queues(vendas, suporte), statuses: ['open'] })).toEqual([1, 3])
    expect(await idsOf(queues(vendas, 99_999))).toEqual([1, 2])
    expect(await idsOf(queues(99_999))).toEqual([])
    expect(await idsOf(queues(0))).toEqual([6])
    expect(await idsOf({ filters: { userIds: [ana, 99_999], queueIds: [suporte] } })).toEqual([4])
    expect(await idsOf({ filters: { connectionIds: [99_999] } })).toEqual([])
    expect(await idsOf({ statuses: ['nosuch'] })).toEqual([])
    expect(await idsOf({ onlyRated: true })).toEqual([])
    expect(await idsOf({ contactId: 99 })).toEqual([])
  })

  it('search by name, number, ticket and uuid', async () => {
    await scene()
    const all = [1, 2, 3, 4, 5, 6]
    expect(await idsOf({ searchParam: 'máría' })).toEqual(all)
    expect(await idsOf({ searchParam: '98765' })).toEqual(all)
    expect(await idsOf({ searchParam: '#4' })).toEqual([4])
    expect(await idsOf({ searchParam: uuidOf(2) })).toEqual([2])
    expect(await idsOf({ searchParam: '%' })).toEqual([])
  })

  it('filter by the tags of the contact', async () => {
    await scene()
    await sql`insert into tag (id, company_id, name, color) overriding system value values (21, 1, 'VIP', '#123456')`.execute(tables.db)
    await sql`insert into contact_tag (company_id, contact_id, tag_id) values (1, 3, 21)`.execute(tables.db)
    expect([(await idsOf({ tagIds: [21, 22] })).length, await idsOf({ tagIds: [22] }), await idsOf({ tagIds: [0] })]).toEqual([6, [], []])
  })

  it('still find the tickets of a retired agent, who is marked as removed (V25)', async () => {
    await scene()
    const [row, ...others] = await rowsOf({ filters: { userIds: [davi] } })
    expect([row!.id, row!.userName, row!.userRemoved, others]).toEqual([3, 'Davi', true, []])
    const { users } = await reportChoices(tables.db, request().viewer)
    expect(users.map(({ name, removed }) => [name, removed])).toEqual([
      ['Ana', false],
      ['Davi', true],
    ])
  })

  it('show nothing of another company', async () => {
    await scene()
    expect(await idsOf({ viewer: { companyId: 2 } })).toEqual([])
  })
})

describe('imported tickets and groups (A-COUNT-10)', () => {
  it('are listed only on request', async () => {
    await tell(
      tables,
      ...ticket(1, '10 09:00'),
      ...ticket(2, '10 09:00', null, null, { opening: { group: true } }),
      ...ticket(3, '10 09:00', null, null, { opening: { imported: true } }),
    )
    expect(await idsOf()).toEqual([1])
    expect(await idsOf({ imported: true })).toEqual([1, 3])
    expect(await idsOf({ statuses: ['group'] })).toEqual([2])
  })
})

describe('order and pages', () => {
  it('rows without a value are last in both directions (A-COUNT-13, V38)', async () => {
    await tell(
      tables,
      ...ticket(1, '10 09:00', '10 09:10', '10 09:40'),
      ...ticket(2, '10 09:00', '10 09:10', '10 10:10'),
      ...ticket(3, '10 09:00'),
    )
    const by = async (direction: 'asc' | 'desc') => (await rowsOf({ sort: 'supportTime', direction })).map(({ id }) => id)
    expect([await by('asc'), await by('desc')]).toEqual([
      [1, 2, 3],
      [2, 1, 3],
    ])
  })

  it('pages follow each other, and all rows at once are the same rows', async () => {
    await tell(tables, ...many(1203, (of) => ticket(of, '10 09:00')))
    const asked = request()
    const pages = await Promise.all([1, 2].map((page) => reportPage(tables.db, asked, page, 5)))
    expect(pages.map(({ total, rows }) => [total, ...rows.map(({ id }) => id)])).toEqual([
      [1203, 1203, 1202, 1201, 1200, 1199],
      [1203, 1198, 1197, 1196, 1195, 1194],
    ])
    const sizes: number[] = []
    for await (const { total, rows } of reportBatches(tables.db, asked)) sizes.push(total, rows.length)
    expect(sizes).toEqual([1203, 500, 1203, 500, 1203, 203])
  })
})

describe('reading all rows', () => {
  const isReading = async () =>
    (
      await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`.execute(tables.db)
    ).rows[0]!.n

  it('ends its transaction when the reader stops early', async () => {
    await tell(tables, ...many(600, (of) => ticket(of, '10 09:00')))
    for await (const { total } of reportBatches(tables.db, request())) {
      expect([total, await isReading()]).toEqual([600, 1])
      break
    }
    expect(await isReading()).toBe(0)
  })

  it('waits for a slot, which a reader that stops frees', async () => {
    const begin = () => inSlot(reportBatches(tables.db, request()))
    await tell(tables, ...ticket(1, '10 09:00'))
    const [first, second, third] = [begin(), begin(), begin()]
    await Promise.all([first.next(), second.next()])
    let isWaiting = true
    const waits = third.next().then(() => (isWaiting = false))
    expect([await isReading(), isWaiting]).toEqual([2, true])
    await first.return(undefined)
    await waits
    await Promise.all([second.return(undefined), third.return(undefined)])
    expect(await isReading()).toBe(0)
  })
})

describe('masked numbers (A-LGPD-04, V19)', () => {
  it('show in no column, nor in a name or a message that is a number', async () => {
    await company(tables, '5511987654321', '5511987654321')
    await tell(tables, ...ticket(1, '10 09:00'), {
      ...received(1, { body: '5511987654321@s.whatsapp.net: meu número é 5511987654321, pedido 12345678' }),
      ...on('10 09:01'),
      of: 1,
    })
    const [row] = await rowsOf({ viewer: { masked: true } })
    const masked = '5511*******21'
    expect([row!.contactName, row!.contactNumber]).toEqual([masked, masked])
    expect(row!.lastMessage).toContain(`${masked}@s.whatsapp.net: meu número é ${masked}`)
    expect(JSON.stringify(row)).not.toContain('987654')
    expect(await idsOf({ viewer: { masked: true }, searchParam: '98765' })).toEqual([])
  })
})
