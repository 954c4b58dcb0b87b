import { setTimeout as sleep } from 'node:timers/promises'
import type { JobsOptions, Queue, Worker } from 'bullmq'
import type { Logger } from 'pino'
import { withTimeout } from '../concurrency/retry.ts'
import { Unavailable } from '../event-store/event-store.ts'
import { isTransient } from '../event-store/transient-errors.ts'
import { openPostgresJobStore, openRedisJobStore, type StoredJob } from './job-store.ts'

/**
 * The queues, with the number of jobs that a process runs at the same time. Kinds of jobs share a queue, because each queue costs a process
 * a connection to Postgres that listens. A slow mail server or a long task delays only its own queue.
 */
const jobQueues = { quick: 3, mail: 3, bulk: 4 }
export type JobQueue = keyof typeof jobQueues

export type Job<Data, Deps> = { name: string; queue: JobQueue; attempts: number; run: (data: Data, deps: Deps) => Promise<unknown> }
/** Attempts of a job that must succeed despite outages. The pauses between them double, from half a second to more than an hour. */
export const infiniteRetryAttempts = 15
export const job =
  <Deps>() =>
  <Data>(name: string, of: Omit<Job<Data, Deps>, 'name'>): Job<Data, Deps> => ({ name, ...of })

/** A job with the same `id` is not added twice while the first one waits, nor long after it failed. Jobs contain ids, never content. */
export type EnqueueJob = <Data extends object>(what: Job<Data, any>, data: Data, when: { id: string; delay?: number }) => Promise<void>
export type Jobs = {
  enqueue: EnqueueJob
  work: <Deps>(jobs: Job<any, Deps>[], deps: Deps) => void
  close: () => Promise<void>
  ping?: () => Promise<unknown>
  /** The number of jobs that are in the store and not done. */
  countWaiting: () => Promise<number>
  /** The number of jobs that this process could not add yet, because the store is down. */
  countUnsent: () => number
}

const timeoutMs = 4000
/** How long a caller waits until a job is added. Later the job is added when the store answers again, if this process still runs. */
const addMs = 5000
const faultMs = 1000
const unknownMs = 30_000

type Options = { databaseUrl: string; redisUrl: string | null; logger: Logger }
/** BullMQ on Redis if configured, otherwise on the same Postgres. */
export async function openJobs({ databaseUrl, redisUrl, logger }: Options): Promise<Jobs> {
  /* The store monitor logs an outage once, so the errors of each attempt are logged at debug level. */
  const log = (error: Error) => logger[isTransient(error) ? 'debug' : 'warn']({ err: error }, 'Job store error')
  const store = await (redisUrl ? openRedisJobStore(redisUrl, log) : openPostgresJobStore(databaseUrl))
  const queues = new Map<string, Queue>()
  /** Jobs that are being added, by kind and id: a caller that tries again waits for the same one. */
  const adding = new Map<string, Promise<unknown>>()
  const workers: Worker[] = []

  function queue(name: string): Queue {
    const known = queues.get(name)
    if (known) return known
    const made = store.openQueue(name)
    made.on('error', log)
    queues.set(name, made)
    return made
  }

  return {
    async enqueue({ name, queue: queueName, attempts }, data, { id, delay = 0 }) {
      const options: JobsOptions = {
        jobId: `${name}/${id}`,
        delay,
        attempts,
        backoff: { type: 'exponential', delay: 500 },
        removeOnComplete: true,
        removeOnFail: { count: 1000 },
      }
      const key = `${name} ${id}`
      const added = adding.get(key) ?? queue(queueName).add(name, data, options)
      if (!adding.has(key)) {
        adding.set(key, added)
        added.catch(log).finally(() => adding.delete(key))
      }
      await withTimeout(added, addMs, 'adding a job')
    },
    work(jobs, deps) {
      const run = async (stored: StoredJob, token?: string) => {
        const kind = jobs.find(({ name }) => name === stored.name)
        return kind ? kind.run(stored.data, deps) : postpone(stored, token)
      }
      const start = (queueName: string, concurrency: number) => {
        const worker = store.startWorker(queueName, run, concurrency)
        pauseAfterErrors(worker, log)
        worker.on('failed', (failed, error) =>
          logger[isTransient(error) ? 'debug' : 'warn']({ job: failed?.name, id: failed?.id, err: error }, 'Job failed'),
        )
        workers.push(worker)
      }
      for (const [queueName, concurrency] of Object.entries(jobQueues)) start(queueName, concurrency)
      // Release 0.1.0 had a queue for each kind of job
      const startFormer = (names: string[]) => {
        for (const name of names) start(name, 1)
      }
      store.queuesWithJobs(jobs.map(({ name }) => name)).then(startFormer, log)
    },
    async countWaiting() {
      if (!store.isAvailable()) throw new Unavailable('The job store is down')
      const names = Object.keys(jobQueues)
      const counts = await Promise.all(names.map((name) => queue(name).getJobCounts('waiting', 'delayed', 'prioritized', 'active')))
      return counts.flatMap((one) => Object.values(one)).reduce((a, b) => a + b, 0)
    },
    countUnsent: () => adding.size,
    ...(store.ping && { ping: store.ping }),
    async close() {
      const away = !store.isAvailable()
      const closing = workers.map((worker) => worker.close(away).then(() => undefined)) // forced if the store is unavailable, because it would wait for it
      await withTimeout(Promise.allSettled(closing), timeoutMs, 'closing the workers').catch(log)
      // The queues share the connection of the store, which is closed below. Closing a queue would wait for an unavailable store.
      const queued = away ? [] : [...queues.values()].map((one) => one.close())
      await withTimeout(Promise.allSettled(queued), timeoutMs, 'closing the queues').catch(log)
      await withTimeout(store.close(), timeoutMs, 'closing the job store').catch(log)
    },
  }
}

/** A process of a newer release added this job and can run it, as can this process after its own upgrade. */
async function postpone(stored: StoredJob, token?: string): Promise<never> {
  await stored.moveToDelayed(Date.now() + unknownMs, token)
  const { DelayedError } = await import('bullmq')
  throw new DelayedError()
}

/**
 * Pauses the worker after an error. BullMQ waits if a store is unreachable, but retries at once if the store answers with an error (no
 * free connection, starting up). Without a pause the process would do nothing else and receive no signal.
 */
function pauseAfterErrors(worker: Worker, log: (error: Error) => void): void {
  let resting = false
  worker.on('error', (error) => {
    log(error)
    if (resting) return
    resting = true
    void worker
      .pause(true)
      .then(() => sleep(faultMs, undefined, { ref: false }))
      .then(() => worker.resume())
      .catch(log)
      .finally(() => {
        resting = false
      })
  })
}
