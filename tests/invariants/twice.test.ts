import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TicketEvent } from '#domain/ticket/events.ts'
import { type PersistedEvent, project } from '#projections/projector.ts'
import { ticketProjector } from '#projections/ticket/projector.ts'
import { history } from '#tests/support/history.ts'
import { tables as filled, rowsOf } from '#tests/support/recompute-read-models.ts'
import { seededRandom } from '#tests/support/seeded-random.ts'
import { openTables } from '#tests/support/tables.ts'

/*
 * A log may deliver an event again after a crash, a dropped subscription or a change of workers. The result must
 * be the same.
 */
let tables: Awaited<ReturnType<typeof openTables>>
beforeAll(async () => {
  tables = await openTables()
})
afterAll(() => tables.drop())

const delivered = history(14, 6000, 24)
const deliver = (some: PersistedEvent<TicketEvent>[]) => project(tables.pool, ticketProjector, some, some.at(-1)!.position)

describe('an event delivered twice', () => {
  it('may be of any type in the golden log', () => {
    const every = new Set(readFileSync(new URL('golden.jsonl', import.meta.url), 'utf8').match(/(?<=^\{"stream":"[^"]+","type":")\w+/gm))
    expect(every.size).toBeGreaterThanOrEqual(27)
    expect([...every].filter((type) => !delivered.some((one) => one.type === type))).toEqual([])
  })
  it('changes nothing if batches overlap, repeat and come out of order', async () => {
    const once = await tables.fold(delivered)
    const throws = seededRandom(5)
    for (let from = 0; from < delivered.length; ) {
      const end = Math.min(delivered.length, from + 1 + throws.int(40))
      await deliver(delivered.slice(from, end))
      if (throws.chance(0.5)) await deliver(delivered.slice(Math.max(0, from - throws.int(60)), end))
      from = Math.max(from + 1, end - throws.int(5)) // the next page starts a little before the end of the last one
    }
    await deliver(delivered)
    expect(await rowsOf(tables.db)).toEqual(once)
  })

  it('changes nothing if two workers deliver at the same time', async () => {
    const once = await tables.fold(delivered)
    const { db } = tables
    for (const table of filled) await sql`delete from ${sql.table(table)}`.execute(db)
    await db.updateTable('checkpoint').set({ position: '0' }).execute()
    const walk = async (size: number) => {
      for (let from = 0; from < delivered.length; from += size) await deliver(delivered.slice(0, from + size))
    }
    await Promise.all([walk(40), walk(70)])
    expect(await rowsOf(db)).toEqual(once)
  })

  it('does not move the checkpoint back', async () => {
    const before = await tables.db.selectFrom('checkpoint').select(['position', 'eventId']).execute()
    await deliver(delivered.slice(0, 30))
    expect(await tables.db.selectFrom('checkpoint').select(['position', 'eventId']).execute()).toEqual(before)
  })
})
