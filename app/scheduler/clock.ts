import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import { refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import { type NotificationBus, presence } from '../postgres/notification-bus.ts'

/** The product's time: what is decided, told and due by it. Leases, sessions, limits, caches and anchors go by the machine's. */
export type Clock = {
  /** Milliseconds since 1970. */
  now: () => number
  /** ISO 8601, UTC. */
  iso: () => string
  /** By how much it goes before the machine's, in milliseconds. */
  offsetMs: () => number
}

export function openClock(ahead: () => number = () => 0): Clock {
  const now = () => Date.now() + ahead()
  return { now, iso: () => new Date(now()).toISOString(), offsetMs: ahead }
}

/** Said when the clock was moved, and by each process when it follows. */
const moved = 'clock_moved'
const followed = 'clock_followed'

const storedAhead = async (db: Kysely<Database>): Promise<number> =>
  Math.max(0, Number((await db.selectFrom('clockOffset').select('offsetMs').executeTakeFirstOrThrow()).offsetMs))

/** Without a sandbox nobody moves it: what the table says then counts for nothing, and is told. */
export async function clockOf(
  sandbox: boolean,
  db: Kysely<Database>,
  notifications: NotificationBus,
  logger: Pick<Logger, 'warn'>,
): Promise<Clock> {
  if (sandbox) return followClock(db, notifications)
  const { offsetMs } = await db.selectFrom('clockOffset').select('offsetMs').executeTakeFirstOrThrow()
  if (Number(offsetMs) !== 0)
    logger.warn({ offsetMs: Number(offsetMs) }, 'the clock of this store was moved; without the sandbox it goes by the machine’s')
  return openClock()
}

/** The clock of all processes of a store. It is never put back, whatever is heard late. */
export async function followClock(db: Kysely<Database>, notifications: NotificationBus): Promise<Clock> {
  const process = randomUUID()
  let ahead = await storedAhead(db)
  const take = (offset: number) => {
    ahead = Math.max(ahead, offset)
  }
  const look = () => void storedAhead(db).then(take, () => undefined)
  notifications.on(moved, (payload) => {
    take(Number(payload))
    void sql`select pg_notify(${followed}, ${`${ahead} ${process}`})`.execute(db).catch(() => undefined)
  })
  notifications.onMissed(look)
  void notifications.listening.then(look) // it may have been moved between the first look and that
  return openClock(() => ahead)
}

/** What is due by then need not wait for the next look round. */
export const onMoved = (notifications: NotificationBus, tell: () => void): (() => void) => notifications.on(moved, tell)

const timeoutMs = 10_000
const againMs = 200

/** Moves it forward, once for a command, and waits until every process goes by it. Answers by how much it is ahead now. */
export async function advanceClock(
  db: Kysely<Database>,
  notifications: NotificationBus,
  { byMs, commandId }: { byMs: number; commandId: string },
): Promise<number> {
  const heard = new Map<string, number>()
  const leave = notifications.on(followed, (line) => {
    const [ahead = '0', process = ''] = line.split(' ')
    heard.set(process, Number(ahead))
  })
  try {
    await db
      .updateTable('clockOffset')
      .set({ offsetMs: sql`offset_ms + ${byMs}`, commandId })
      .where('commandId', 'is distinct from', commandId)
      .execute()
    const ahead = await storedAhead(db)
    for (const end = performance.now() + timeoutMs; ; await sleep(againMs)) {
      await sql`select pg_notify(${moved}, ${String(ahead)})`.execute(db)
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = ${presence}`.execute(db)
      await sleep(20)
      if ([...heard.values()].filter((one) => one >= ahead).length >= rows[0]!.n) return ahead
      if (performance.now() > end) refuse('ERR_BUSY') // it is stored, and the same call asks again whether all have followed
    }
  } finally {
    leave()
  }
}
