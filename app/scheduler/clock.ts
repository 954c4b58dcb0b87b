import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import { refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import { type NotificationBus, presence } from '../postgres/notification-bus.ts'

/** The simulated clock for decisions, events and deadlines. Leases, sessions, limits, caches and anchors use the system clock. */
export type Clock = {
  /** Milliseconds since 1970. */
  now: () => number
  /** ISO 8601, UTC. */
  iso: () => string
  /** How far the clock is ahead of the system clock, in milliseconds. */
  offsetMs: () => number
}

export function openClock(ahead: () => number = () => 0): Clock {
  const now = () => Date.now() + ahead()
  return { now, iso: () => new Date(now()).toISOString(), offsetMs: ahead }
}

/** Notification channels: the clock was moved; a process has adopted the new time. */
const moved = 'clock_moved'
const adopted = 'clock_followed'

const readStoredOffset = async (db: Kysely<Database>): Promise<number> =>
  Math.max(0, Number((await db.selectFrom('clockOffset').select('offsetMs').executeTakeFirstOrThrow()).offsetMs))

/** Opens the clock. Without the sandbox a stored offset is ignored and logged, because nobody may move the clock. */
export async function clockOf(
  sandbox: boolean,
  db: Kysely<Database>,
  notifications: NotificationBus,
  logger: Pick<Logger, 'warn'>,
): Promise<Clock> {
  if (sandbox) return followClock(db, notifications)
  const { offsetMs } = await db.selectFrom('clockOffset').select('offsetMs').executeTakeFirstOrThrow()
  if (Number(offsetMs) !== 0) logger.warn({ offsetMs: Number(offsetMs) }, 'Stored clock offset ignored without the sandbox')
  return openClock()
}

/** The clock that all processes of a store share. It never goes back, even if notifications arrive late. */
export async function followClock(db: Kysely<Database>, notifications: NotificationBus): Promise<Clock> {
  const process = randomUUID()
  let ahead = await readStoredOffset(db)
  const take = (offset: number) => {
    ahead = Math.max(ahead, offset)
  }
  const look = () => void readStoredOffset(db).then(take, () => undefined)
  notifications.on(moved, (payload) => {
    take(Number(payload))
    void ignoreErrors(sql`select pg_notify(${adopted}, ${`${ahead} ${process}`})`.execute(db), 'the caller stops waiting')
  })
  notifications.onMissed(look)
  void notifications.listening.then(look) // it may have been moved between the first read and that
  return openClock(() => ahead)
}

/** Calls back when the clock was moved, so that due deadlines fire at once. */
export const onMoved = (notifications: NotificationBus, tell: () => void): (() => void) => notifications.on(moved, tell)

const timeoutMs = 10_000
const retryMs = 200

/** Moves the clock forward, once per command, and waits until every process has adopted it. Returns the new offset. */
export async function advanceClock(
  db: Kysely<Database>,
  notifications: NotificationBus,
  { byMs, commandId }: { byMs: number; commandId: string },
): Promise<number> {
  const offsets = new Map<string, number>()
  const leave = notifications.on(adopted, (line) => {
    const [ahead = '0', process = ''] = line.split(' ')
    offsets.set(process, Number(ahead))
  })
  try {
    await db
      .updateTable('clockOffset')
      .set({ offsetMs: sql`offset_ms + ${byMs}`, commandId })
      .where('commandId', 'is distinct from', commandId)
      .execute()
    const ahead = await readStoredOffset(db)
    for (const end = performance.now() + timeoutMs; ; await sleep(retryMs)) {
      await sql`select pg_notify(${moved}, ${String(ahead)})`.execute(db)
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = ${presence}`.execute(db)
      await sleep(20)
      if ([...offsets.values()].filter((one) => one >= ahead).length >= rows[0]!.n) return ahead
      if (performance.now() > end) refuse('ERR_BUSY') // the offset is stored; a retry of the call waits again for all processes
    }
  } finally {
    leave()
  }
}
