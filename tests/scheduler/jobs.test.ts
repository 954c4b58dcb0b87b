import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Jobs, job, openJobs } from '#app/scheduler/jobs.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
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
    (n) => n >= 6,
  )
  expect(faults[5]! - faults[0]!).toBeGreaterThan(1500) // without pauses there would be a thousand a second
  await elsewhere((name) => `alter database ${name} allow_connections true`)
  await jobs.enqueue(greet, { n: 2 }, { id: 'two' })
  await eventually(
    async () => done.length,
    (n) => n === 2,
  )
})
