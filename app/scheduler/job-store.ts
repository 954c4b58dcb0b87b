import type { Job as BullJob, Queue, Worker } from 'bullmq'
import pg from 'pg'
import { openPool } from '#projections/postgres.ts'

export type StoredJob = Pick<BullJob, 'name' | 'data' | 'moveToDelayed'>
type Perform = (job: StoredJob, token?: string) => Promise<unknown>
/** Where BullMQ keeps its queues. */
export type JobStore = {
  openQueue: (name: string) => Queue
  startWorker: (name: string, perform: Perform, concurrency: number) => Worker
  /** Those of these queues that have jobs to do. */
  queuesWithJobs: (names: string[]) => Promise<string[]>
  isAvailable: () => boolean
  ping?: () => Promise<unknown>
  close: () => Promise<unknown>
}

const schema = 'bullmq'
/** Connections to Postgres that add jobs. */
const atOnce = 2

export async function openRedisJobStore(url: string, log: (error: Error) => void): Promise<JobStore> {
  const bull = await import('bullmq') // loaded only here, because read-only commands do not need it
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, { maxRetriesPerRequest: null })
  redis.on('error', log)
  const isAvailable = () => redis.status === 'ready'
  return {
    openQueue: (name) => new bull.Queue(name, { connection: redis }),
    startWorker: (name, perform, concurrency) =>
      new bull.Worker(name, perform, { connection: redis.duplicate().on('error', log), concurrency }),
    async queuesWithJobs(names) {
      const counts = await Promise.all(
        names.map((name) => redis.exists(...['wait', 'active', 'delayed'].map((key) => `bull:${name}:${key}`))),
      )
      return names.filter((_, at) => counts[at]! > 0)
    },
    isAvailable,
    ping: () => (isAvailable() ? redis.ping() : Promise.reject(new Error(`connection ${redis.status}`))),
    close: async () => redis.disconnect(),
  }
}

export async function openPostgresJobStore(url: string): Promise<JobStore> {
  const bull = await import('bullmq') // loaded only here, because read-only commands do not need it
  await prepare(url)
  const onPostgres = bull.withBackend(bull.createPostgresBackend)
  const options = `-c search_path=${schema}`
  const pools: pg.Pool[] = []
  function openJobPool(max: number): pg.Pool {
    const made = openPool({ connectionString: url, options, max, application_name: 'guiche jobs' })
    made.setMaxListeners(0) // each queue listens to its errors
    pools.push(made)
    return made
  }
  const sharedPool = openJobPool(atOnce)
  return {
    openQueue: (name) => new onPostgres.Queue(name, { connection: sharedPool as never }) as never,
    /* One connection listens, the other one queries. */
    startWorker: (name, perform, concurrency) =>
      new onPostgres.Worker(name, perform as never, { connection: openJobPool(2) as never, concurrency }) as never,
    async queuesWithJobs(names) {
      const text = `select distinct queue from job where queue = any($1) and state in ('waiting', 'active', 'delayed')`
      return (await sharedPool.query<{ queue: string }>(text, [names])).rows.map(({ queue }) => queue)
    },
    isAvailable: () => true,
    close: () => Promise.allSettled(pools.map((one) => one.end())),
  }
}

async function prepare(connectionString: string): Promise<void> {
  const { runMigrations } = await import('bullmq')
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined) // the next query fails with the same error
  await client.connect()
  try {
    await runMigrations(client as never, schema)
  } finally {
    await client.end()
  }
}
