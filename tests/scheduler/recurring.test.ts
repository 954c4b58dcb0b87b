import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Recurring, runRecurring } from '#app/scheduler/recurring.ts'
import { migrate } from '#projections/migrate.ts'
import { openStore, type Store } from '#projections/postgres.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { eventually } from '#tests/support/wait.ts'

let database: FreshDatabase
let store: Store
const logger = pino({ level: 'silent' })
const done = new AbortController()
beforeAll(async () => {
  database = await freshDatabase({ migrated: true })
  store = openStore(database.url, 10)
  await migrate(store.db)
})
afterAll(async () => {
  done.abort()
  await Promise.all(running)
  await store.db.destroy()
  await database.drop()
})

const running: Promise<void>[] = []
/** Another process with the same task. */
function start(of: Omit<Recurring<null>, 'everyMs'> & { everyMs?: number }, leaseMs = 300): void {
  running.push(runRecurring({ everyMs: 150, ...of }, null, { db: store.db, logger }, done.signal, leaseMs))
}
const rowOf = (name: string) => store.db.selectFrom('scheduledTask').selectAll().where('name', '=', name).executeTakeFirst()

it('a scheduled task runs once per period, in one process at a time', async () => {
  const claims: number[] = []
  let now = 0
  let most = 0
  const run = async () => {
    most = Math.max(most, ++now)
    claims.push(Date.parse((await rowOf('sweep'))!.nextAt))
    if (claims.length % 3 === 0) await new Promise((go) => setTimeout(go, 500)) // longer than the period and the lease
    now--
  }
  for (const _ of [1, 2, 3]) start({ name: 'sweep', run })
  await eventually(
    async () => claims.length,
    (n) => n >= 8,
  )
  expect(most).toBe(1)
  for (const [i, next] of claims.slice(1).entries()) expect(next - claims[i]!).toBeGreaterThanOrEqual(150)
})

it('a scheduled task is taken over after the lease of a killed process', async () => {
  const name = 'taken over'
  await store.pool.query(
    `insert into scheduled_task values ($1, now() - interval '1 second', now() + interval '400 milliseconds', gen_random_uuid())`,
    [name],
  )
  const { heldUntil } = (await rowOf(name))!
  const done: number[] = []
  const run = async () => void done.push(Date.parse((await rowOf(name))!.nextAt) - 60_000)
  start({ name, everyMs: 60_000, run })
  await eventually(
    async () => done.length,
    (n) => n === 1,
  )
  expect(done[0]).toBeGreaterThanOrEqual(Date.parse(heldUntil!))
})

it('start tasks run at the start of a process, and a failing task does not stop others', async () => {
  const times = { plain: 0, start: 0, everywhere: 0, failing: 0 }
  const begin = () => {
    start({ name: 'plain', everyMs: 60_000, run: async () => void times.plain++ })
    start({ name: 'start', everyMs: 60_000, atStart: true, run: async () => void times.start++ })
    start({ name: 'here', everyMs: 60_000, atStart: true, everywhere: true, run: async () => void times.everywhere++ })
  }
  begin()
  start({ name: 'failing', run: async () => Promise.reject(new Error(`${++times.failing}`)) })
  await eventually(
    async () => times,
    (now) => now.everywhere === 1 && now.start === 1 && now.failing > 2,
  )
  begin() // a process that starts later
  await eventually(
    async () => times,
    (now) => now.everywhere === 2 && now.start === 2,
  )
  expect(times.plain).toBe(0)
})
