import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '#projections/database.ts'
import { isTransient } from '../event-store/transient-errors.ts'

/** What is looked after again and again. */
export type Recurring<Deps> = {
  /** Under which it is claimed: once in `everyMs`, by one process at a time. */
  name: string
  everyMs: number
  /** Also when a process starts. */
  atStart?: true
  /** In every process: it is about what only that one has, or is claimed in smaller parts. */
  everywhere?: true
  run: (deps: Deps) => Promise<unknown>
}
type On = { db: Kysely<Database>; logger: Logger }

/** Does it again and again until `signal`. `leaseMs`: so long after a process was killed that had claimed it, another takes it over. */
export async function keepLooking<D>(of: Recurring<D>, deps: D, { db, logger }: On, signal: AbortSignal, leaseMs = 30_000): Promise<void> {
  const { name, everyMs, atStart = false, everywhere = false } = of
  const began = performance.now()
  const warn = (error: unknown) => logger[isTransient(error) ? 'debug' : 'warn']({ err: error, name }, 'a look round failed')
  const act = () => Promise.resolve(of.run(deps)).catch(warn)
  for (let first = true; !signal.aborted; first = false) {
    let waitMs = everyMs
    if (!everywhere)
      waitMs = await inTurn({ name, everyMs, leaseMs, sinceMs: first && atStart ? performance.now() - began : null }, act, db).catch(lost)
    else if (!first || atStart) await act()
    await sleep(Math.min(Math.max(waitMs, 20), everyMs), undefined, { signal }).catch(() => undefined)
  }
  function lost(error: unknown): number {
    warn(error)
    return everyMs
  }
}

/** `sinceMs`: how long ago this process started, where it is to be done once more since then. */
type Turn = { name: string; everyMs: number; leaseMs: number; sinceMs: number | null }
const ms = (of: number) => sql<string>`${of} * interval '1 millisecond'`

/** Does it if it is due and nobody is at it. Answers when to look again, in milliseconds. */
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
    const beat = setInterval(
      () =>
        void mine
          .set({ heldUntil: leaseEnd })
          .execute()
          .catch(() => undefined),
      leaseMs / 3,
    )
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
