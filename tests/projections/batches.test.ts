import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fold } from '#domain/decider.ts'
import { ticket } from '#domain/ticket/decide.ts'
import { history } from '#tests/support/history.ts'
import { openTables } from '#tests/support/tables.ts'

let tables: Awaited<ReturnType<typeof openTables>>
beforeAll(async () => {
  tables = await openTables()
})
afterAll(() => tables.drop())

describe.each([1, 2, 3])('the events of seed %i', (seed) => {
  const events = history(seed, 500)

  it('cover many event types', () => {
    expect(events.length).toBeGreaterThan(100)
    expect(new Set(events.map(({ type }) => type)).size).toBeGreaterThan(14)
  })

  it('give the same rows in one batch, in small batches and one by one', async () => {
    const whole = await tables.fold(events)
    expect(whole.ticket!.length).toBeGreaterThan(3)
    expect(await tables.fold(events, { batch: 7 })).toEqual(whole)
    expect(await tables.fold(events, { batch: 1 })).toEqual(whole)
  })

  it('give the same rows if batches are delivered twice', async () => {
    const whole = await tables.fold(events)
    expect(await tables.fold(events, { batch: 11, twice: true })).toEqual(whole)
  })

  it('give rows that agree with the state of the aggregate', async () => {
    const { ticket: rows = [] } = await tables.fold(events)
    const believed = [...Map.groupBy(events, ({ aggregateId }) => aggregateId)].flatMap(([id, own]) => {
      const now = fold(ticket, own)
      if (now.status === 'absent' || now.status === 'deleted') return []
      return [{ id, status: now.status, queue_id: now.queueId, user_id: now.userId, unread_messages: now.unread }]
    })
    expect(rows.sort((a, b) => a.id - b.id)).toMatchObject(believed.sort((a, b) => a.id - b.id))
  })

  it('give counters that equal a recount at every stage', async () => {
    for (const end of [40, 120, events.length]) {
      const { ticket = [], ticket_counter: counters = [] } = await tables.fold(events.slice(0, end), { batch: 5 })
      expect(byKey(counters.map(({ tickets, unread, ...key }) => [key, tickets, unread]))).toEqual(byKey(recounted(ticket)))
    }
  })
})

type Line = [key: object, tickets: number, unread: number]
const byKey = (lines: Line[]) =>
  Object.fromEntries(lines.map(([key, ...sums]) => [JSON.stringify(Object.entries(key).sort(([a], [b]) => (a < b ? -1 : 1))), sums]))

function recounted(rows: any[]): Line[] {
  const sums = new Map<string, Line>()
  for (const row of rows) {
    const key = {
      company_id: row.company_id,
      status: row.status,
      is_group: row.is_group,
      queue_id: row.queue_id ?? 0,
      user_id: row.user_id ?? 0,
    }
    const name = JSON.stringify(key)
    const [, tickets, unread] = sums.get(name) ?? [key, 0, 0]
    sums.set(name, [key, tickets + 1, unread + row.unread_messages])
  }
  return [...sums.values()]
}
