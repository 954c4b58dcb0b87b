import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '#projections/database.ts'
import { abortableSleep } from '../concurrency/abortable-sleep.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import { isTransient } from '../event-store/transient-errors.ts'

/** A task that runs at an interval. */
export type Recurring<Deps> = {
  /** The name under which one process at a time claims it, once per `everyMs`. */
  name: string
  everyMs: number
  /** Runs also when a process starts. */
  atStart?: true
  /** Runs in every process, because it concerns state of that process or claims smaller parts itself. */
  everywhere?: true
  run: (deps: Deps) => Promise<unknown>
}
type On = { db: Kysely<Database>; logger: Logger }

/** Runs a task at its interval until `signal` aborts. `leaseMs`: after this time another process takes over from a killed one. */
export async function runRecurring<D>(of: Recurring<D>, deps: D, { db, logger }: On, signal: AbortSignal, leaseMs = 30_000): Promise<void> {
  const { name, everyMs, atStart = false, everywhere = false } = of
  const began = performance.now()
  const warn = (error: unknown) => logger[isTransient(error) ? 'debug' : 'warn']({ err: error, name }, 'Scheduled task failed')
  const act = () => Promise.resolve(of.run(deps)).catch(warn)
  for (let first = true; !signal.aborted; first = false) {
    let waitMs = everyMs
    if (!everywhere)
      waitMs = await inTurn({ name, everyMs, leaseMs, sinceMs: first && atStart ? performance.now() - began : null }, act, db).catch(lost)
    else if (!first || atStart) await act()
    await abortableSleep(Math.min(Math.max(waitMs, 20), everyMs), signal)
  }
  function lost(error: unknown): number {
    warn(error)
    return everyMs
  }
}

/** `sinceMs`: milliseconds since the process started, if the task must run once after the start; otherwise null. */
type Turn = { name: string; everyMs: number; leaseMs: number; sinceMs: number | null }
const ms = (of: number) => sql<string>`${of} * interval '1 millisecond'`

/** Runs the task if it is due and no other process runs it. Returns the milliseconds until the next check. */
async function inTurn({ name, everyMs, leaseMs, sinceMs }: Turn, act: () => Promise<unknown>, db: Kysely<Database>): Promise<number> {
  const holder = randomUUID()
  const leaseEnd = sql<string>`now() + ${ms(leaseMs)}`
  const since = sinceMs === null ? sql<boolean>`false` : sql<boolean>`next_at - ${ms(everyMs)} < now() - ${ms(sinceMs)}`
  const claimed = await db
    .updateTable('scheduledTask')
    .set({ nextAt: sql`now() + ${ms(everyMs)}`, heldUntil: leaseEnd, holder })
    .where('name', '=', name)
    .where(sql<boolean>`(held_until is null or held_until <= now())`)
    .where(sql<boolean>`(next_at <= now() or ${since})`)
    .executeTakeFirst()
  if (claimed.numUpdatedRows > 0n) {
    const mine = db.updateTable('scheduledTask').where('name', '=', name).where('holder', '=', holder)
    const renew = () => void ignoreErrors(mine.set({ heldUntil: leaseEnd }).execute(), 'the next beat renews the lease')
    const beat = setInterval(renew, leaseMs / 3)
    await act()
    clearInterval(beat)
    await mine.set({ heldUntil: null, holder: null }).execute()
  }
  const wait = sql<number | null>`extract(epoch from case when next_at > now() then next_at else held_until end - now())::float8 * 1000`.as(
    'waitMs',
  )
  const row = await db.selectFrom('scheduledTask').select(wait).where('name', '=', name).executeTakeFirst()
  if (row) return row.waitMs ?? 0
  const nextAt = sql<string>`now() + ${ms(sinceMs === null ? everyMs : 0)}`
  await db
    .insertInto('scheduledTask')
    .values({ name, nextAt, heldUntil: null, holder: null })
    .onConflict((known) => known.doNothing())
    .execute()
  return sinceMs === null ? everyMs : inTurn({ name, everyMs, leaseMs, sinceMs }, act, db)
}
