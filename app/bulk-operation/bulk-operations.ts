import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { WorkKind, WorkRow } from '#domain/bulk-operation/contract.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import type { AppContext } from '../context.ts'
import { isTransient } from '../event-store/transient-errors.ts'
import { job } from '../scheduler/jobs.ts'

/** The parts of a bulk operation that each step receives. */
export type Work = { id: number; companyId: number; userId: number; commandId: string; args: { batch?: string; importId?: number } }
/** One kind of bulk operation. A step may run twice after a kill; it must return both times whether it changed something. */
export type LongWork = {
  /** Processes one item. A refused item is recorded as an error, and the others continue. */
  each: (item: number, of: Work, ctx: AppContext) => Promise<boolean>
  /** Called at the end, also of a cancelled operation. */
  end?: (of: Work, ctx: AppContext) => Promise<void>
}
export type LongWorks = Partial<Record<WorkKind, LongWork>>

const batchSize = 8
const beatMs = 3000
/** Lease time: a holder without a heartbeat for this long has ended. */
const leaseMs = 12_000

export const workColumns = [
  'id',
  'companyId',
  'userId',
  'kind',
  'state',
  'total',
  'done',
  'changed',
  'failed',
  'startedAt',
  'endedAt',
] as const
const batch = sql<string | null>`args ->> 'batch'`.as('batch')
export const worksIn = (db: Kysely<Database>, companyId: number) =>
  db.selectFrom('bulkOperation').select(workColumns).select(batch).where('companyId', '=', companyId)

type StartDeps = Pick<AppContext, 'db' | 'enqueue'>
type Started = { companyId: number; userId: number; kind: WorkKind; commandId: string; items: number[]; args: Work['args'] }
/** Starts an operation, once per command, and returns its row. */
export async function startWork({ db, enqueue }: StartDeps, { items, args, ...of }: Started): Promise<WorkRow> {
  const row = { ...of, items: JSON.stringify(items), args: JSON.stringify(args), total: items.length }
  await db
    .insertInto('bulkOperation')
    .values(row)
    .onConflict((known) => known.columns(['companyId', 'userId', 'commandId']).doNothing())
    .execute()
  const begun = worksIn(db, of.companyId).where('userId', '=', of.userId).where('commandId', '=', of.commandId)
  const work = (await begun.executeTakeFirstOrThrow()) as WorkRow
  await enqueue(runWork, { id: work.id }, { id: `work-${work.id}` })
  return work
}

/** Runs a transaction. What it enqueues is enqueued after the commit. */
export async function inOneCommit<T>({ db, enqueue }: StartDeps, act: (deps: StartDeps) => Promise<T>): Promise<T> {
  const held: (() => Promise<unknown>)[] = []
  const later: typeof enqueue = async (...job) => void held.push(() => enqueue(...job))
  const result = await db.transaction().execute((on) => act({ db: on, enqueue: later }))
  for (const run of held) await run()
  return result
}

/** Continues an operation that no process holds, until it is done, cancelled or held by another process. */
export const runWork = job<AppContext & { longWorks: LongWorks }>()<{ id: number }>('long-work', {
  attempts: 5,
  queue: 'bulk',
  run: ({ id }, ctx) => goOn(id, ctx.longWorks, ctx),
})

export async function goOn(id: number, kinds: LongWorks, ctx: AppContext): Promise<void> {
  const { db } = ctx
  const holder = randomUUID()
  const mine = () => db.updateTable('bulkOperation').where('id', '=', id).where('holder', '=', holder)
  const claimed = await db
    .updateTable('bulkOperation')
    .set({ holder, beatAt: sql`now()` })
    .where('id', '=', id)
    .where('settled', '=', false)
    .where((eb) => eb.or([eb('holder', 'is', null), eb('beatAt', '<', sql<string>`now() - ${leaseMs} * interval '1 millisecond'`)]))
    .returning(['id', 'companyId', 'userId', 'kind', 'commandId', 'args', 'items', 'done', 'state'])
    .executeTakeFirst()
  if (!claimed) return
  const { items, kind, done: before, state: begun, ...work } = claimed
  const { each, end } = kinds[kind] ?? refuse('ERR_NOT_FOUND')
  const renew = () => void ignoreErrors(mine().set({ beatAt: sql`now()` }).execute(), 'the next beat renews the lease')
  const beat = setInterval(renew, beatMs)
  try {
    let state = begun
    for (let at = before; state === 'running' && at < items.length; at += batchSize) {
      const some = items.slice(at, at + batchSize)
      const outcomes = await Promise.all(some.map((item) => each(item, work, ctx).catch(refusedFor(ctx))))
      const errors = some.flatMap((item, i) =>
        typeof outcomes[i] === 'string' ? [{ workId: id, companyId: work.companyId, item, code: outcomes[i] }] : [],
      )
      const changed = outcomes.filter((one) => one === true).length
      const now = await db.transaction().execute(async (tx) => {
        if (errors.length > 0)
          await tx
            .insertInto('bulkOperationError')
            .values(errors)
            .onConflict((known) => known.doNothing())
            .execute()
        return tx
          .updateTable('bulkOperation')
          .set({ done: at + some.length, changed: sql`changed + ${changed}`, failed: sql`failed + ${errors.length}`, beatAt: sql`now()` })
          .where('id', '=', id)
          .where('holder', '=', holder)
          .returning('state')
          .executeTakeFirst()
      })
      if (!now) return
      state = now.state
    }
    await end?.(work, ctx)
    const done = {
      state: sql<'done'>`case state when 'running' then 'done' else state end`,
      endedAt: sql<string>`coalesce(ended_at, now())`,
    }
    await mine()
      .set({ ...done, settled: true })
      .execute()
  } catch (error) {
    await ignoreErrors(mine().set({ holder: null }).execute(), 'the next scheduled check resumes it')
    throw error
  } finally {
    clearInterval(beat)
  }
}
/** Transient errors abort the run, which is retried; any other error of one item is recorded and does not stop the others. */
const refusedFor =
  ({ logger }: AppContext) =>
  (error: unknown): string => {
    if (error instanceof Refusal && error.status < 500) return error.code
    if (error instanceof Refusal || isTransient(error)) throw error
    logger.error({ err: error }, 'Item of a bulk operation failed')
    return 'ERR_INTERNAL'
  }

/** Resumes operations that no process holds, because their process was killed or the database was unavailable. */
export async function resumeWorks({ db, enqueue }: AppContext): Promise<void> {
  const left = await db
    .selectFrom('bulkOperation')
    .select('id')
    .where('settled', '=', false)
    .where((eb) => eb.or([eb('beatAt', 'is', null), eb('beatAt', '<', sql<string>`now() - ${leaseMs} * interval '1 millisecond'`)]))
    .execute()
  for (const { id } of left) await enqueue(runWork, { id }, { id: `work-${id}-${Math.floor(Date.now() / leaseMs)}` })
}
