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

describe.each([1, 2, 3])('the facts of seed %i', (seed) => {
  const told = history(seed, 500)

  it('are many, and of most kinds', () => {
    expect(told.length).toBeGreaterThan(100)
    expect(new Set(told.map(({ type }) => type)).size).toBeGreaterThan(14)
  })

  it('make the same rows in one batch, in small ones, and one by one', async () => {
    const whole = await tables.fold(told)
    expect(whole.ticket!.length).toBeGreaterThan(3)
    expect(await tables.fold(told, { batch: 7 })).toEqual(whole)
    expect(await tables.fold(told, { batch: 1 })).toEqual(whole)
  })

  it('make the same rows when each batch comes twice, and then all of it once more', async () => {
    const whole = await tables.fold(told)
    expect(await tables.fold(told, { batch: 11, twice: true })).toEqual(whole)
  })

  it('make a row that says of each ticket what its decider believes', async () => {
    const { ticket: rows = [] } = await tables.fold(told)
    const believed = [...Map.groupBy(told, ({ aggregateId }) => aggregateId)].flatMap(([id, own]) => {
      const now = fold(ticket, own)
      if (now.status === 'absent' || now.status === 'deleted') return []
      return [{ id, status: now.status, queue_id: now.queueId, user_id: now.userId, unread_messages: now.unread }]
    })
    expect(rows.sort((a, b) => a.id - b.id)).toMatchObject(believed.sort((a, b) => a.id - b.id))
  })

  it('leave counters that equal a recount, at every stage', async () => {
    for (const end of [40, 120, told.length]) {
      const { ticket = [], ticket_counter: counters = [] } = await tables.fold(told.slice(0, end), { batch: 5 })
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
