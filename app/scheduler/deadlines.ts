import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Cause } from '#domain/decider.ts'
import { minuteMs } from '#domain/duration/rules.ts'
import type { Database } from '#projections/database.ts'
import { forEachConcurrently } from '../concurrency/for-each-concurrently.ts'
import { isTransient } from '../event-store/transient-errors.ts'
import type { Clock } from './clock.ts'

export type Due = { companyId: number; aggregateId: number; kind: string; cause?: Cause | null }
/** Handlers by kind. They may run late or twice, because their commands check the state. "kind/n" is another one of a kind. */
export type Deadlines<Deps> = Record<string, (due: Due, deps: Deps) => Promise<unknown>>

/** Merges the deadline handlers of all modules; a kind belongs to one module. */
export function deadlinesOf<Deps>(all: Deadlines<Deps>[]): Deadlines<Deps> {
  const kinds: Deadlines<Deps> = {}
  for (const [kind, ask] of all.flatMap(Object.entries)) {
    if (kind in kinds) throw new Error(`Two modules have a deadline called ${kind}`)
    kinds[kind] = ask
  }
  return kinds
}

/** Sets a deadline, one row per kind and aggregate. Setting it again moves it; deadlines are never cancelled. `dueAt`: ISO 8601. */
export async function setDeadline(db: Kysely<Database>, due: Due & { dueAt: string }): Promise<void> {
  await db
    .insertInto('deadline')
    .values({ ...due, cause: due.cause ? JSON.stringify(due.cause) : null })
    .onConflict((row) => row.columns(['aggregateId', 'kind']).doUpdateSet({ dueAt: due.dueAt, cause: (eb) => eb.ref('excluded.cause') }))
    .execute()
}

/** Time until a failed deadline is retried. */
export const againMs = 30_000
const concurrency = 8
const nobody: ReadonlySet<number> = new Set()
type Deps = { db: Kysely<Database>; logger: Logger; clock: Clock }
type Claimed = Due & { id: number; dueAt: string }

/**
 * Claims due deadlines and runs their handlers; several processes may do so at once. A claimed deadline is due again after the lease, so
 * that those of a killed process are not lost. Handlers run outside any transaction, and in order for one aggregate. Returns the number
 * of claimed deadlines. `resting`: companies whose deadlines wait.
 */
export async function fireDue<D>(
  kinds: Deadlines<D>,
  deps: D,
  on: Deps,
  { most = 100, leaseMs = minuteMs, resting = nobody } = {},
): Promise<number> {
  const { db, logger, clock } = on
  const enough = performance.now() + leaseMs / 2
  const claimed = await claim({ kinds: Object.keys(kinds), now: clock.now(), leaseMs, most, resting }, db)
  const own = Map.groupBy(claimed, ({ aggregateId }) => aggregateId).values()

  async function fire({ id, dueAt, ...due }: Claimed): Promise<void> {
    try {
      await kinds[due.kind.split('/')[0]!]!(due, deps)
      await db.deleteFrom('deadline').where('id', '=', id).where('dueAt', '=', dueAt).execute() // unless it was moved meanwhile
    } catch (error) {
      logger[isTransient(error) ? 'debug' : 'warn']({ err: error, deadline: due }, 'Deadline failed; retrying')
      const again = { dueAt: new Date(clock.now() + againMs).toISOString() }
      await db.updateTable('deadline').set(again).where('id', '=', id).where('dueAt', '=', dueAt).execute()
    }
  }
  await forEachConcurrently(own, concurrency, async (some) => {
    for (const one of some) if (performance.now() < enough) await fire(one) // the others are due again after the lease
  })
  return claimed.length
}

type Claim = { kinds: string[]; now: number; leaseMs: number; most: number; resting: ReadonlySet<number> }
async function claim({ kinds, now, leaseMs, most, resting }: Claim, db: Kysely<Database>): Promise<Claimed[]> {
  const { rows } = await sql<Claimed & { was: string }>`
    with due as (select id, due_at from deadline where due_at <= ${new Date(now).toISOString()} and split_part(kind, '/', 1) = any(${kinds})
      and company_id <> all(${[...resting]}::int[])
      order by due_at limit ${most} for update skip locked)
    update deadline d set due_at = ${new Date(now + leaseMs).toISOString()} from due where d.id = due.id
    returning d.id, d.company_id, d.aggregate_id, d.kind, d.cause, d.due_at, due.due_at as was`.execute(db)
  return rows.toSorted((a, b) => Date.parse(a.was) - Date.parse(b.was)).map(({ was: _, ...one }) => one)
}
