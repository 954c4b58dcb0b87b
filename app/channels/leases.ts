import type { Kysely } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Database } from '#projections/database.ts'
import { bell } from '../concurrency/auto-reset-event.ts'
import { createBackoff, createLoggedBackoff, withTimeout } from '../concurrency/retry.ts'
import { Unavailable } from '../event-store/event-store.ts'
import { isTransient } from '../event-store/transient-errors.ts'
import { onAwaken, type Queue } from '../inbound/inbound-journal.ts'
import type { NotificationBus } from '../postgres/notification-bus.ts'
import type { LeasedConnection } from './channel.ts'
import { beat, bury, type Found, give, join, leasedLines, part, sessionName, take, waiting } from './lease.ts'

type Deps = { connectionString: string; db: Kysely<Database>; notifications: NotificationBus; logger: Logger }
/** What is done with a connection for as long as it is held. */
export type Work<D> = (line: LeasedConnection, deps: D, signal: AbortSignal) => Promise<void>
/** `stood`: how it stood when the table was last read, whatever the work on it has learnt since; `touched`: when somebody changed it. */
type LeaseEntry = { stood: string; touched: number; line: LeasedConnection; leave: AbortController; left: Promise<unknown> }

/** Within `leaseMs + beatMs` another process has what one that stands still held; what is killed gives way at once, by its session. */
export type Pace = { beatMs: number; leaseMs: number; sweepMs: number }
const usual: Pace = { beatMs: 3000, leaseMs: 9000, sweepMs: 10_000 }
/** So long what is under way may take when this process stops; less than a stop of the roles. */
const partingMs = 5000

/**
 * Holds its share of the connections, as a lease each, and does for each what there is to do. One connection to Postgres stands for this
 * process: when it breaks all leases are lost at once, and claimed anew.
 */
export async function runLeaseCoordinator<D extends Deps>(works: Work<D>[], deps: D, signal: AbortSignal, pace = usual): Promise<void> {
  const wait = createLoggedBackoff(createBackoff(200, 5000), deps.logger, 'the claiming of connections')
  while (!signal.aborted) {
    const settings = { keepAlive: true, connectionTimeoutMillis: 5000, query_timeout: 5000, application_name: sessionName }
    const client = new pg.Client({ connectionString: deps.connectionString, ...settings })
    const lost = new AbortController()
    client.on('error', () => lost.abort())
    client.on('end', () => lost.abort())
    let fault: unknown = new Unavailable('the connection that stands for this process broke')
    try {
      await client.connect()
      await runLines(client, works, deps, wait.over, { stop: signal, lost: lost.signal }, pace)
    } catch (error) {
      fault = error
      deps.logger[isTransient(error) ? 'debug' : 'warn']({ err: error }, 'the connections were let go and are claimed anew')
    }
    await withTimeout(client.end(), 5000, 'letting go').catch(() => undefined)
    if (!signal.aborted) await wait.pause(fault, signal)
  }
}

async function runLines<D extends Deps>(
  client: pg.Client,
  works: Work<D>[],
  deps: D,
  looked: () => void,
  { stop, lost }: { stop: AbortSignal; lost: AbortSignal },
  { beatMs, leaseMs, sweepMs }: Pace,
): Promise<void> {
  const { notifications } = deps
  const me = await join(client, leaseMs)
  const lines = new Map<number, LeaseEntry>()
  /** What was left and is not given up yet. */
  const free: number[] = []
  const round = bell()
  const signal = AbortSignal.any([stop, lost])
  let until = 0 // of this process's own clock, which began to count before Postgres did
  const sure = () => !lost.aborted && performance.now() < until

  function open({ number, updatedAt, ...now }: Found): void {
    const leave = new AbortController()
    const bells = { journal: bell(), people: bell(), outbox: bell(), session: bell() }
    const line: LeasedConnection = { connection: now, lease: { holder: me, number }, isLeaseValid: sure, ...bells }
    const left = Promise.allSettled(works.map((work) => work(line, deps, leave.signal)))
    lines.set(now.id, { stood: now.status, touched: Number(updatedAt), line, leave, left })
  }
  function leave(id: number, { leave, left }: LeaseEntry): void {
    if (leave.signal.aborted) return
    leave.abort()
    void left.then(() => {
      lines.delete(id)
      free.push(id)
      round.ring()
    })
  }
  function seen(found: Found[]): void {
    for (const { number, updatedAt, ...now } of found) {
      const one = lines.get(now.id)
      if (!one) {
        if (!free.includes(now.id)) open({ number, updatedAt, ...now })
      } else {
        const back = one.line.connection.status !== now.status || one.stood !== now.status
        one.line.connection = now
        one.stood = now.status
        if (back) for (const bell of [one.line.journal, one.line.outbox, one.line.session]) bell.ring()
        else if (one.touched !== Number(updatedAt)) for (const bell of [one.line.journal, one.line.session]) bell.ring() // it may have been away in between, or have a new code
        one.touched = Number(updatedAt)
      }
    }
    const there = new Set(found.map(({ id }) => id))
    for (const [id, one] of lines) if (!there.has(id)) leave(id, one)
  }
  function ring(id: number, which: Queue): boolean {
    const one = lines.get(id)
    one?.line[which].ring()
    return one !== undefined && !one.leave.signal.aborted && sure()
  }
  const missed = () => {
    round.ring()
    for (const { line } of lines.values()) for (const one of [line.journal, line.outbox]) one.ring()
  }
  const offs = [
    notifications.on('changes', (change) => change.startsWith('whatsapp ') && round.ring()),
    notifications.on('leases', round.ring),
    notifications.on('journal', (id) => ring(Number(id), 'journal')),
    notifications.on('outbox', (id) => ring(Number(id), 'outbox')),
    onAwaken(deps.db, ring),
    notifications.onMissed(missed),
  ]
  signal.addEventListener('abort', round.ring, { once: true })
  try {
    for (let swept = performance.now(); !signal.aborted; ) {
      const began = performance.now()
      await bury(client, me)
      const share = await beat(client, me, leaseMs)
      if (share === null) throw new Unavailable('this process stood still, and others hold its connections')
      until = began + leaseMs
      if (free.length > 0) await give(client, me, free.splice(0))
      const staying = [...lines].filter(([, { leave }]) => !leave.signal.aborted)
      if (share > staying.length) await take(client, me, share - staying.length)
      seen(await leasedLines(client, me))
      for (const [id, one] of staying.slice(share)) leave(id, one)
      looked()
      if (began - swept >= sweepMs) {
        swept = began
        for (const { id, ...which } of await waiting(client, [...lines.keys()]))
          for (const what of ['journal', 'outbox'] as const) if (which[what]) ring(id, what)
      }
      if (!signal.aborted) await round.rung(beatMs)
    }
  } catch (error) {
    until = 0
    throw error
  } finally {
    for (const off of offs) off()
    for (const [id, one] of lines) leave(id, one)
    const last = setTimeout(() => lines.clear(), partingMs)
    while (lines.size > 0) {
      await round.rung(partingMs)
      if (free.length > 0) await give(client, me, free.splice(0)).catch(() => undefined)
    }
    clearTimeout(last)
    until = 0
    await part(client, me).catch(() => undefined)
  }
}
