import type { Kysely } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Database } from '#projections/database.ts'
import { createAutoResetEvent } from '../concurrency/auto-reset-event.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import { createBackoff, createLoggedBackoff, repeatUntilAborted, withTimeout } from '../concurrency/retry.ts'
import { Unavailable } from '../event-store/event-store.ts'
import { isTransient } from '../event-store/transient-errors.ts'
import type { Queue, RegisterLeaseHolder } from '../inbound/worker-wakeups.ts'
import type { NotificationBus } from '../postgres/notification-bus.ts'
import type { LeasedConnection } from './channel.ts'
import {
  acquireLeases,
  connectionsWithWork,
  deregisterWorker,
  evictDeadWorkers,
  type LeasableConnection,
  leasedConnections,
  registerWorker,
  releaseLeases,
  renewLeases,
  sessionName,
} from './lease.ts'

type Deps = {
  connectionString: string
  db: Kysely<Database>
  notifications: NotificationBus
  registerLeaseHolder: RegisterLeaseHolder
  logger: Logger
}
/** Work on a connection for as long as this process leases it. */
export type Work<D> = (leased: LeasedConnection, deps: D, signal: AbortSignal) => Promise<void>
/** `status`: from the last read of the table; the work on the connection may know a newer one. `touched`: when the row was last changed. */
type LeaseEntry = { status: string; touched: number; leased: LeasedConnection; leave: AbortController; left: Promise<unknown> }

/** Another process acquires the connections of a stalled one within `leaseMs + beatMs`, and of a killed one at once, because its session ends. */
export type Pace = { beatMs: number; leaseMs: number; sweepMs: number }
const usual: Pace = { beatMs: 3000, leaseMs: 9000, sweepMs: 10_000 }
/** How long running work may take when this process stops; less than the time that the roles have to stop. */
const stopMs = 5000

/**
 * Leases this process's share of the connections and runs the work for each. One session to Postgres represents this process: when it breaks,
 * all leases are lost at once and acquired again.
 */
export async function runLeaseCoordinator<D extends Deps>(works: Work<D>[], deps: D, signal: AbortSignal, pace = usual): Promise<void> {
  const wait = createLoggedBackoff(createBackoff(200, 5000), deps.logger, 'Lease coordination')
  const leaseOverSession = async (): Promise<void> => {
    const settings = { keepAlive: true, connectionTimeoutMillis: 5000, query_timeout: 5000, application_name: sessionName }
    const client = new pg.Client({ connectionString: deps.connectionString, ...settings })
    const lost = new AbortController()
    client.on('error', () => lost.abort())
    client.on('end', () => lost.abort())
    try {
      await client.connect()
      await runLeases(client, works, deps, wait.over, { stop: signal, lost: lost.signal }, pace)
      if (!signal.aborted) throw new SessionEnded('Lease session to Postgres ended')
    } finally {
      await ignoreErrors(withTimeout(client.end(), 5000, 'Lease session end'), 'the session has ended')
    }
  }
  await repeatUntilAborted(leaseOverSession, wait, signal, (error) => {
    if (!(error instanceof SessionEnded))
      deps.logger[isTransient(error) ? 'debug' : 'warn']({ err: error }, 'Leases lost; acquiring them again')
  })
}

class SessionEnded extends Unavailable {}

async function runLeases<D extends Deps>(
  client: pg.Client,
  works: Work<D>[],
  deps: D,
  onSuccess: () => void,
  { stop, lost }: { stop: AbortSignal; lost: AbortSignal },
  { beatMs, leaseMs, sweepMs }: Pace,
): Promise<void> {
  const { notifications } = deps
  const workerId = await registerWorker(client, leaseMs)
  const wakeUp = createAutoResetEvent()
  const signal = AbortSignal.any([stop, lost])
  let until = 0 // by this process's clock, which starts before that of Postgres
  const isLeaseValid = () => !lost.aborted && performance.now() < until

  const { entries, free, leave, applyRows, wakeConnection } = createLeaseEntries(works, deps, {
    workerId,
    isLeaseValid,
    onEnded: wakeUp.set,
  })
  const onReconnect = () => {
    wakeUp.set()
    for (const { leased } of entries.values()) for (const event of [leased.journal, leased.outbox]) event.set()
  }
  const offs = [
    notifications.on('changes', (change) => change.startsWith('whatsapp ') && wakeUp.set()),
    notifications.on('leases', wakeUp.set),
    notifications.on('journal', (id) => wakeConnection(Number(id), 'journal')),
    notifications.on('outbox', (id) => wakeConnection(Number(id), 'outbox')),
    deps.registerLeaseHolder(wakeConnection),
    notifications.onMissed(onReconnect),
  ]
  signal.addEventListener('abort', wakeUp.set, { once: true })
  try {
    for (let swept = performance.now(); !signal.aborted; ) {
      const began = performance.now()
      await evictDeadWorkers(client, workerId)
      const share = await renewLeases(client, workerId, leaseMs)
      if (share === null) throw new Unavailable('Process stalled; other workers hold its leases')
      until = began + leaseMs
      if (free.length > 0) await releaseLeases(client, workerId, free.splice(0))
      const staying = [...entries].filter(([, { leave }]) => !leave.signal.aborted)
      if (share > staying.length) await acquireLeases(client, workerId, share - staying.length)
      applyRows(await leasedConnections(client, workerId))
      for (const [id, entry] of staying.slice(share)) leave(id, entry)
      onSuccess()
      if (began - swept >= sweepMs) {
        swept = began
        for (const { id, ...which } of await connectionsWithWork(client, [...entries.keys()]))
          for (const what of ['journal', 'outbox'] as const) if (which[what]) wakeConnection(id, what)
      }
      if (!signal.aborted) await wakeUp.wait(beatMs)
    }
  } catch (error) {
    until = 0
    throw error
  } finally {
    for (const off of offs) off()
    for (const [id, entry] of entries) leave(id, entry)
    const last = setTimeout(() => entries.clear(), stopMs)
    while (entries.size > 0) {
      await wakeUp.wait(stopMs)
      if (free.length > 0) await ignoreErrors(releaseLeases(client, workerId, free.splice(0)), 'the leases expire')
    }
    clearTimeout(last)
    until = 0
    await ignoreErrors(deregisterWorker(client, workerId), 'the worker is evicted')
  }
}

type Holding = { workerId: number; isLeaseValid: () => boolean; onEnded: () => void }
/**
 * The leased connections of this process with their running work. `free`: connections whose work has ended and whose lease is not released
 * yet; they are not started again before. `onEnded`: called when the work of a connection that was left has ended.
 */
function createLeaseEntries<D extends Deps>(works: Work<D>[], deps: D, { workerId, isLeaseValid, onEnded }: Holding) {
  const entries = new Map<number, LeaseEntry>()
  const free: number[] = []

  function open({ number, updatedAt, ...now }: LeasableConnection): void {
    const leave = new AbortController()
    const events = {
      journal: createAutoResetEvent(),
      people: createAutoResetEvent(),
      outbox: createAutoResetEvent(),
      session: createAutoResetEvent(),
    }
    const leased: LeasedConnection = { connection: now, lease: { holder: workerId, number }, isLeaseValid, ...events }
    const left = Promise.allSettled(works.map((work) => work(leased, deps, leave.signal)))
    entries.set(now.id, { status: now.status, touched: Number(updatedAt), leased, leave, left })
  }
  function leave(id: number, { leave, left }: LeaseEntry): void {
    if (leave.signal.aborted) return
    leave.abort()
    void left.then(() => {
      entries.delete(id)
      free.push(id)
      onEnded()
    })
  }
  function applyRows(found: LeasableConnection[]): void {
    for (const { number, updatedAt, ...now } of found) {
      const entry = entries.get(now.id)
      if (!entry) {
        if (!free.includes(now.id)) open({ number, updatedAt, ...now })
      } else {
        const back = entry.leased.connection.status !== now.status || entry.status !== now.status
        entry.leased.connection = now
        entry.status = now.status
        if (back) for (const event of [entry.leased.journal, entry.leased.outbox, entry.leased.session]) event.set()
        else if (entry.touched !== Number(updatedAt)) for (const event of [entry.leased.journal, entry.leased.session]) event.set() // it may have been down in between, or have a new pairing code
        entry.touched = Number(updatedAt)
      }
    }
    const there = new Set(found.map(({ id }) => id))
    for (const [id, entry] of entries) if (!there.has(id)) leave(id, entry)
  }
  function wakeConnection(id: number, which: Queue): boolean {
    const entry = entries.get(id)
    entry?.leased[which].set()
    return entry !== undefined && !entry.leave.signal.aborted && isLeaseValid()
  }
  return { entries, free, leave, applyRows, wakeConnection }
}
