import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withTimeout } from '#app/concurrency/retry.ts'
import { openPostgresJobStore, openRedisJobStore } from '#app/scheduler/job-store.ts'
import { type Jobs, job, openJobs } from '#app/scheduler/jobs.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { noRedis, startRedis } from '#tests/support/redis.ts'
import { eventually } from '#tests/support/wait.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let jobs: Jobs
const faults: number[] = []
const logger = pino({ level: 'debug' }, { write: (line: string) => void (line.includes('Job store error') && faults.push(Date.now())) })
const done: number[] = []
const greet = job<object>()<{ n: number }>('greet', { queue: 'quick', attempts: 3, run: async ({ n }) => done.push(n) })

beforeAll(async () => {
  database = await freshDatabase()
  jobs = await openJobs({ databaseUrl: database.url, redisUrl: null, logger })
  jobs.work([greet], {})
})
afterAll(async () => {
  await jobs?.close()
  await database?.drop()
})

/** Through another database of the same server. */
async function elsewhere(text: (name: string) => string): Promise<void> {
  const url = new URL(database.url)
  const name = url.pathname.slice(1)
  url.pathname = '/postgres'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(text(name))
  await client.end()
}

/** A job is active until the store has recorded its end, which is after its effect. */
async function isDone(expected: number[]): Promise<void> {
  await eventually(
    async () => [done, await jobs.countWaiting()] as const,
    ([seen, waiting]) => seen.length === expected.length && waiting === 0,
  )
  expect(done).toEqual(expected)
}

it('a worker pauses between errors of Job store error, and continues afterwards', async () => {
  await jobs.enqueue(greet, { n: 1 }, { id: 'one' })
  await isDone([1])
  await elsewhere((name) => `alter database ${name} allow_connections false`)
  await elsewhere((name) => `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  faults.length = 0
  await eventually(
    async () => faults.length,
    (n) => n >= 20, // the first ones are those of the connections that were open
  )
  expect(faults[19]! - faults[0]!).toBeGreaterThan(1500) // without pauses there would be a thousand a second
  await elsewhere((name) => `alter database ${name} allow_connections true`)
  await jobs.enqueue(greet, { n: 2 }, { id: 'two' })
  await isDone([1, 2])
})

const unworked = job<object>()<object>('unworked', { queue: 'mail', attempts: 1, run: async () => undefined })

it('counts the jobs that wait, also those with a delay', async () => {
  await jobs.enqueue(unworked, {}, { id: 'now' })
  await jobs.enqueue(unworked, {}, { id: 'later', delay: 60_000 })
  expect([await jobs.countWaiting(), jobs.countUnsent()]).toEqual([2, 0])
})

it('while Redis is down a caller is refused in time, and the job is added once when Redis is back', async (ctx) => {
  if (noRedis) return ctx.skip(noRedis)
  const redis = await startRedis()
  const onRedis = await openJobs({ databaseUrl: database.url, redisUrl: redis.url, logger })
  try {
    await onRedis.enqueue(unworked, {}, { id: 'before' })
    await redis.stop()
    await eventually(
      async () =>
        withTimeout(onRedis.ping!(), 2000, 'a ping').then(
          // one that was on its way when Redis stopped waits for the next connection
          () => 'up',
          () => 'down',
        ),
      (state) => state === 'down',
    )
    const attempts = [1, 2].map(() => onRedis.enqueue(unworked, {}, { id: 'during' }))
    expect(onRedis.countUnsent()).toBe(1)
    for (const attempt of attempts) await expect(attempt).rejects.toThrow('adding a job took more than')
    await expect(onRedis.countWaiting()).rejects.toThrow('The job store is down')
    const again = await startRedis(redis.port)
    await eventually(
      async () => onRedis.countUnsent(),
      (n) => n === 0,
    )
    expect(await onRedis.countWaiting()).toBe(1) // this Redis keeps nothing, so the earlier job is gone
    await onRedis.close()
    await again.stop()
  } finally {
    await onRedis.close()
  }
})

describe.for(['Postgres', 'Redis'])('on %s', (name) => {
  let redis: Awaited<ReturnType<typeof startRedis>> | null = null
  let redisUrl: string | null = null
  let own: Awaited<ReturnType<typeof freshDatabase>> // without a worker of the tests above
  beforeAll(async () => {
    own = await freshDatabase()
    if (name === 'Postgres' || noRedis) return
    redis = await startRedis()
    redisUrl = redis.url
  })
  afterAll(async () => {
    await redis?.stop()
    await own?.drop()
  })
  const openStore = () => (redisUrl ? openRedisJobStore(redisUrl, () => undefined) : openPostgresJobStore(own.url))

  it('a job of a release with one queue per kind is done', async (ctx) => {
    if (name === 'Redis' && noRedis) return ctx.skip(noRedis)
    const before = await openStore()
    const old = before.openQueue('greet')
    await old.add('greet', { n: 3 }, { jobId: 'three', delay: 1 })
    await old.close()
    await before.close()
    const after = await openJobs({ databaseUrl: own.url, redisUrl, logger })
    done.length = 0
    after.work([greet], {})
    await eventually(
      async () => done.length,
      (n) => n === 1,
    )
    expect(done).toEqual([3])
    await after.close()
  })

  it('a job of an unknown kind waits for a process that knows it', async (ctx) => {
    if (name === 'Redis' && noRedis) return ctx.skip(noRedis)
    const newer = job<object>()<{ n: number }>('newer', { queue: 'bulk', attempts: 1, run: async ({ n }) => done.push(n) })
    const one = await openJobs({ databaseUrl: own.url, redisUrl, logger })
    one.work([greet], {})
    await one.enqueue(newer, { n: 4 }, { id: 'four' })
    const waits = await openStore()
    const queue = waits.openQueue('bulk')
    await eventually(
      () => queue.getJobCounts('delayed', 'failed'),
      (counts) => counts.delayed === 1,
    )
    expect(await queue.getJobCounts('delayed', 'failed')).toEqual({ delayed: 1, failed: 0 })
    await one.close()
    const [delayed] = await queue.getDelayed()
    await delayed!.promote()
    const two = await openJobs({ databaseUrl: own.url, redisUrl, logger })
    done.length = 0
    two.work([newer], {})
    await eventually(
      async () => done.length,
      (n) => n === 1,
    )
    expect(done).toEqual([4])
    await queue.close()
    await Promise.all([two.close(), waits.close()])
  })
})
