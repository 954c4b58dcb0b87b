import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withTimeout } from '#app/concurrency/retry.ts'
import { type Jobs, job, openJobs } from '#app/scheduler/jobs.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { noRedis, startRedis } from '#tests/support/redis.ts'
import { eventually } from '#tests/support/wait.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let jobs: Jobs
const faults: number[] = []
const logger = pino({ level: 'debug' }, { write: (line: string) => void (line.includes('Job store error') && faults.push(Date.now())) })
const done: number[] = []
const greet = job<object>()<{ n: number }>('greet', { attempts: 3, concurrency: 1, run: async ({ n }) => done.push(n) })

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

it('a worker pauses between errors of Job store error, and continues afterwards', async () => {
  await jobs.enqueue(greet, { n: 1 }, { id: 'one' })
  await eventually(
    async () => done.length,
    (n) => n === 1,
  )
  await elsewhere((name) => `alter database ${name} allow_connections false`)
  await elsewhere((name) => `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  faults.length = 0
  await eventually(
    async () => faults.length,
    (n) => n >= 9, // the first ones are those of the connections that were open
  )
  expect(faults[8]! - faults[0]!).toBeGreaterThan(1500) // without pauses there would be a thousand a second
  await elsewhere((name) => `alter database ${name} allow_connections true`)
  await jobs.enqueue(greet, { n: 2 }, { id: 'two' })
  await eventually(
    async () => done.length,
    (n) => n === 2,
  )
})

const unworked = job<object>()<object>('unworked', { attempts: 1, concurrency: 1, run: async () => undefined })

it('counts the jobs that wait, also those with a delay', async () => {
  await jobs.enqueue(unworked, {}, { id: 'now' })
  await jobs.enqueue(unworked, {}, { id: 'later', delay: 60_000 })
  expect([await jobs.countWaiting(['greet', 'unworked']), jobs.countUnsent()]).toEqual([2, 0])
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
    await expect(onRedis.countWaiting(['unworked'])).rejects.toThrow('The job store is down')
    const again = await startRedis(redis.port)
    await eventually(
      async () => onRedis.countUnsent(),
      (n) => n === 0,
    )
    expect(await onRedis.countWaiting(['unworked'])).toBe(1) // this Redis keeps nothing, so the earlier job is gone
    await onRedis.close()
    await again.stop()
  } finally {
    await onRedis.close()
  }
})
