import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import { passing } from '#app/eventlog/passing.ts'
import type { Cause } from '#domain/decider.ts'
import type { Database } from '#projections/database.ts'

export type Due = { companyId: number; aggregateId: number; kind: string; cause?: Cause | null }
/** What a kind of deadline asks for when it is due. It decides nothing: late or twice, the state answers. "kind/n" is one more of its kind. */
export type Deadlines<Deps> = Record<string, (due: Due, deps: Deps) => Promise<unknown>>

/** Timers are rows, one a kind and aggregate: setting it again moves it, and none is ever cancelled. `dueAt`: ISO 8601. */
export async function setDeadline(db: Kysely<Database>, due: Due & { dueAt: string }): Promise<void> {
  await db
    .insertInto('deadline')
    .values({ ...due, cause: due.cause ? JSON.stringify(due.cause) : null })
    .onConflict((row) => row.columns(['aggregateId', 'kind']).doUpdateSet({ dueAt: due.dueAt, cause: (eb) => eb.ref('excluded.cause') }))
    .execute()
}

/** Claims what is due, however many processes look at once, and asks for it; what fails stays and is tried again. Answers how many. */
export async function fireDue<Deps>(
  kinds: Deadlines<Deps>,
  deps: Deps,
  { db, logger }: { db: Kysely<Database>; logger: Logger },
  most = 100,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const due = await tx
      .selectFrom('deadline')
      .select(['id', 'companyId', 'aggregateId', 'kind', 'cause'])
      .where('dueAt', '<=', sql<string>`now()`)
      .where(sql`split_part(kind, '/', 1)`, 'in', Object.keys(kinds))
      .orderBy('dueAt')
      .limit(most)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const { id, ...one } of due)
      try {
        await kinds[one.kind.split('/')[0]!]!(one, deps)
        await tx.deleteFrom('deadline').where('id', '=', id).execute()
      } catch (error) {
        logger[passing(error) ? 'debug' : 'warn']({ err: error, deadline: one }, 'a deadline is tried again')
        await tx.updateTable('deadline').set({ dueAt: sql`now() + interval '30 seconds'` }).where('id', '=', id).execute()
      }
    return due.length
  })
}
