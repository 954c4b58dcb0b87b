import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rebuild } from '#app/event-store/rebuild.ts'
import { isProcessorLockFree } from '#app/event-store/run-processor.ts'
import { ticketProjector } from '#projections/ticket/projector.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

it('two concurrent rebuilds give correct tables', async () => {
  for (let i = 0; i < 30; i++) await app.phone.says(`55119555500${10 + (i % 5)}`, `message ${i}`)
  await app.settled()
  const results = await Promise.all([rebuild(ticketProjector, app.ctx), rebuild(ticketProjector, app.ctx)])
  expect(results.map(({ differences }) => differences)).toEqual([[], []])
})

it('a rebuild keeps the indexes and their names, because migrations use them', async () => {
  const indexes = async () => {
    const { rows } = await app.ctx.pool.query<{ indexdef: string }>(`
      select indexdef from pg_indexes
      where schemaname = 'public' and tablename in ('ticket', 'message', 'note', 'ticket_log', 'ticket_counter') order by 1`)
    return rows.map(({ indexdef }) => indexdef)
  }
  const before = await indexes()
  expect(before.some((one) => one.includes('USING gin (words'))).toBe(true)
  expect(before.some((one) => one.startsWith('CREATE INDEX ticket_in_order '))).toBe(true) // it was rebuilt before
  await rebuild(ticketProjector, app.ctx)
  expect(await indexes()).toEqual(before)
})

it('a rebuild misses no event that arrives meanwhile, and compares at one position', async () => {
  let on = true
  const write = async (i: number) => {
    for (let n = 0; on; n++) await app.phone.says(`55119555500${10 + i}`, `message ${n}`)
  }
  const load = Promise.all([0, 1, 2, 3].map(write))
  const found = []
  for (let i = 0; i < 6; i++)
    found.push((await rebuild(ticketProjector, app.ctx)).differences.map((d) => [d.table, d.live.rows, d.rebuilt.rows]))
  on = false
  await load
  expect(found).toEqual([[], [], [], [], [], []])
})

it('a rebuild that fails before its first event releases its lock', async () => {
  const rename = (from: string, to: string) => sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(app.db)
  await rename('projector_skip', 'projector_skip_away')
  try {
    await expect(rebuild(ticketProjector, app.ctx)).rejects.toThrow(/projector_skip/)
  } finally {
    await rename('projector_skip_away', 'projector_skip')
  }
  expect(await isProcessorLockFree(app.db, 'rebuild')).toBe(true)
})
