import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { contactKeys } from '#app/crypto/contact-keys.ts'
import { eventMacKeys } from '#app/crypto/event-mac-keys.ts'
import { createAggregateRepository } from '#app/event-store/aggregate-repository.ts'
import { createPostgresEventStore } from '#app/event-store/postgres.ts'
import { openSnapshots } from '#app/event-store/snapshots.ts'
import { openClock } from '#app/scheduler/clock.ts'
import { type Deadlines, type Due, deadlinesOf, fireDue, setDeadline } from '#app/scheduler/deadlines.ts'
import { migrate } from '#projections/migrate.ts'
import { openStore, type Store } from '#projections/postgres.ts'
import { counterStream } from '#tests/support/counter.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { eventually } from '#tests/support/wait.ts'

/* Two workers claim deadlines from one table, for a stream category other than tickets. */
let database: FreshDatabase
let one: Store
let two: Store
const logger = pino({ level: 'silent' })
beforeAll(async () => {
  database = await freshDatabase({ migrated: true })
  one = openStore(database.url, 10)
  two = openStore(database.url, 10)
  await migrate(one.db)
})
afterEach(async () => void (await one.db.deleteFrom('deadline').execute()))
afterAll(async () => {
  await one.db.destroy()
  await two.db.destroy()
  await database.drop()
})

let ahead = 0
const clock = openClock(() => ahead)
const past = '2026-01-05T12:00:00.000Z'
const due = (aggregateId: number, kind = 'stop', dueAt = past) => setDeadline(one.db, { companyId: 1, aggregateId, kind, dueAt })
const left = () => one.db.selectFrom('deadline').select(['aggregateId', 'kind', 'dueAt']).orderBy('aggregateId').execute()
const look = (store: Store, kinds: Deadlines<null>, leaseMs?: number) =>
  fireDue(kinds, null, { db: store.db, logger, clock }, { most: 100, ...(leaseMs && { leaseMs }) })

it('deadlines are claimed in batches, each by one worker, in order per aggregate', async () => {
  for (let id = 1; id <= 120; id++) await due(id)
  for (const n of [3, 1, 2]) await due(500, `stop/${n}`, new Date(Date.parse(past) + n * 1000).toISOString())
  await due(7, 'of another release')
  const fired: string[] = []
  let open = 0
  const kinds = {
    stop: async ({ aggregateId, kind }: Due) => {
      const { rows } = await one.pool.query(
        `select 1 from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
      )
      open += rows.length
      fired.push(`${aggregateId} ${kind}`)
    },
  }
  const claimed = await Promise.all([look(one, kinds), look(two, kinds)])
  expect([claimed.reduce((a, b) => a + b), Math.max(...claimed)]).toEqual([123, 100])
  expect([fired.length, new Set(fired).size, open]).toEqual([123, 123, 0])
  expect(fired.filter((one) => one.startsWith('500'))).toEqual(['500 stop/1', '500 stop/2', '500 stop/3'])
  expect(await left()).toMatchObject([{ aggregateId: 7, kind: 'of another release' }])
})

it('claimed deadlines return after a crash, and a repeated one changes nothing', async () => {
  const log = await createPostgresEventStore({ connectionString: database.url })
  const masterKey = Buffer.alloc(32, 7)
  const signer = (await eventMacKeys(one.db, masterKey)).current
  const { execute } = createAggregateRepository(counterStream, {
    clock: openClock(),
    eventStore: log,
    contactKeys: contactKeys(one.pool, masterKey),
    signer,
    snapshots: openSnapshots(one.db, signer, 1),
  })
  const asked: boolean[] = []
  const kinds = {
    stop: async ({ companyId, aggregateId }: Due) => {
      const { isDuplicate } = await execute(
        aggregateId,
        { type: 'Add', amount: 1, companyId, by: { kind: 'system' }, at: past },
        `stop-${aggregateId}`,
      )
      asked.push(isDuplicate)
    },
  }
  await due(1)
  void look(one, { stop: () => new Promise(() => {}) }, 400) // killed before its command
  await eventually(left, ([row]) => row!.dueAt > past)
  expect(await look(two, kinds)).toBe(0)
  await eventually(
    () => look(two, kinds),
    (claimed) => claimed === 1,
  )
  await due(1)
  await look(one, kinds)
  expect(asked).toEqual([false, true])
  expect((await log.read('counter-1-1')).events).toHaveLength(1)
  expect(await left()).toEqual([])
  await log.close()
})

it('a deadline moved while claimed stays moved, and a failed one is retried', async () => {
  const later = '2036-01-05T12:00:00.000Z'
  const kinds = {
    moved: () => due(1, 'moved', later),
    'moved and failing': () => due(2, 'moved and failing', later).then(() => Promise.reject(new Error('no'))),
    failing: () => Promise.reject(new Error('no')),
  }
  await Promise.all([due(1, 'moved'), due(2, 'moved and failing'), due(3, 'failing')])
  expect(await look(one, kinds)).toBe(3)
  const [moved, movedToo, failed] = await left()
  expect([moved, movedToo]).toMatchObject([{ dueAt: later }, { dueAt: later }])
  expect(failed!.dueAt > past && failed!.dueAt < later).toBe(true)
})

it('deadlines use the simulated clock', async () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  const fired: number[] = []
  const kinds = { stop: async ({ aggregateId }: Due) => void fired.push(aggregateId) }
  await due(1, 'stop', tomorrow)
  expect(await look(one, kinds)).toBe(0)
  ahead = 90_000_000
  expect(await look(one, kinds)).toBe(1)
  ahead = 0
  expect([fired, await left()]).toEqual([[1], []])
})

it('every deadline kind belongs to one module', () => {
  const stop = async () => {}
  expect(Object.keys(deadlinesOf<null>([{ stop }, { go: stop }]))).toEqual(['stop', 'go'])
  expect(() => deadlinesOf<null>([{ stop }, { stop }])).toThrow('stop')
})
