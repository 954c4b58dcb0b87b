import type { Queue, Worker } from 'bullmq'
import pg from 'pg'
import { openPool } from '#projections/postgres.ts'

type Perform = (job: { data: unknown }) => Promise<unknown>
/** Where BullMQ keeps its queues. */
export type JobStore = {
  openQueue: (name: string) => Queue
  /** Returns the function that starts the worker of each kind. */
  workersFor: (kinds: number) => (name: string, perform: Perform, concurrency: number) => Worker
  isAvailable: () => boolean
  ping?: () => Promise<unknown>
  close: () => Promise<unknown>
}

const schema = 'bullmq'
/** Connections to Postgres for job queries. */
const atOnce = 4

export async function openRedisJobStore(url: string, log: (error: Error) => void): Promise<JobStore> {
  const bull = await import('bullmq') // loaded only here, because read-only commands do not need it
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, { maxRetriesPerRequest: null })
  redis.on('error', log)
  const isAvailable = () => redis.status === 'ready'
  return {
    openQueue: (name) => new bull.Queue(name, { connection: redis }),
    workersFor: () => (name, perform, concurrency) =>
      new bull.Worker(name, perform, { connection: redis.duplicate().on('error', log), concurrency }),
    isAvailable,
    ping: () => (isAvailable() ? redis.ping() : Promise.reject(new Error(`connection ${redis.status}`))),
    close: async () => redis.disconnect(),
  }
}

export async function openPostgresJobStore(url: string): Promise<JobStore> {
  const bull = await import('bullmq') // loaded only here, because read-only commands do not need it
  await prepare(url)
  const onPostgres = bull.withBackend(bull.createPostgresBackend)
  /* Shared by all kinds of jobs, because there are many kinds and Postgres has a hundred connections for all processes. */
  const pools: pg.Pool[] = []
  function pool(max: number): pg.Pool {
    const options = `-c search_path=${schema}`
    const made = openPool({ connectionString: url, options, max, application_name: 'guiche jobs' })
    made.setMaxListeners(0) // each kind of job listens
    pools.push(made)
    return made
  }
  const addingPool = pool(atOnce)
  return {
    openQueue: (name) => new onPostgres.Queue(name, { connection: addingPool as never }) as never,
    workersFor(kinds) {
      const workingPool = pool(kinds + atOnce) // each kind listens on its own connection
      return (name, perform, concurrency) =>
        new onPostgres.Worker(name, perform as never, { connection: workingPool as never, concurrency }) as never
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
