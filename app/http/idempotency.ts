import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { Call, Calls, Upload } from '#domain/contract.ts'
import { refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import type { Command, Handlers } from './serve.ts'

type Asked = { viewer: Viewer; commandId: string; params?: object; query?: object; body?: unknown; files?: Upload[] }

/** How long a client may repeat a call. */
const days = 7

/**
 * Stores the command id in the transaction of the change, so that both commit or neither. A concurrent
 * duplicate fails here. `rowId` is 0 without a row.
 */
export async function storeCommandId(
  on: Kysely<Database>,
  { id: userId, companyId }: Viewer,
  command: Command,
  rowId: number,
): Promise<void> {
  const { id: commandId, call, asked } = command
  await on.insertInto('idempotencyKey').values({ companyId, userId, commandId, call, asked, rowId }).execute()
}

/** Wraps the handlers of idempotent calls: a command id is executed once. A duplicate returns the current row. */
export function idempotent<K extends Calls>(db: Kysely<Database>, calls: K, handlers: Handlers<K>): Handlers<K> {
  const find = handlers.find as unknown as ((ask: object) => Promise<unknown>) | undefined
  const wrapped = Object.entries(calls).map(([name, call]) => {
    const handle = handlers[name] as unknown as (ask: object) => Promise<unknown>
    if (!call.idempotent) return [name, handle]
    const answerDuplicate = async (ask: Asked, command: Command): Promise<{ answer: unknown } | null> => {
      const before = await findExecuted(db, ask.viewer, command)
      if (!before) return null
      const named = typeof call.idempotent === 'function' ? call.idempotent(ask.body as never) : {}
      return { answer: call.answer && (await find!({ ...ask, params: { ...ask.params, ...named, id: before.rowId } })) }
    }
    return [
      name,
      async (ask: Asked) => {
        const command = commandOf(call, ask)
        const done = await answerDuplicate(ask, command)
        if (done) return done.answer
        try {
          return await handle({ ...ask, command })
        } catch (error) {
          /** A concurrent duplicate may fail in any way once the first one has committed. */
          const first = await answerDuplicate(ask, command)
          if (first) return first.answer
          throw error
        }
      },
    ]
  })
  return Object.fromEntries(wrapped)
}

/**
 * Runs an idempotent call over many rows, each with its own derived command id. The ids are stored before the
 * first row, and the count after the last. A repeated call continues with the same ids and returns the same
 * count.
 */
export async function executeForMany(
  db: Kysely<Database>,
  viewer: Viewer,
  command: Command,
  meant: () => Promise<number[]>,
  act: (ids: number[]) => Promise<number>,
): Promise<number> {
  const { id: commandId, call, asked } = command
  const own = { companyId: viewer.companyId, userId: viewer.id, commandId }
  if (!(await findExecuted(db, viewer, command))) {
    const row = { ...own, call, asked, rowId: 0, meant: await meant() }
    await db
      .insertInto('idempotencyKey')
      .values(row)
      .onConflict((same) => same.doNothing())
      .execute()
  }
  const first = await findExecuted(db, viewer, command)
  if (first!.count !== null) return first!.count
  const came = await act(first!.meant!)
  const kept = db.updateTable('idempotencyKey').set((eb) => ({ count: eb.fn.coalesce('count', eb.val(came)) }))
  const { count } = await kept
    .where((eb) => eb.and(own))
    .returning('count')
    .executeTakeFirstOrThrow()
  return count!
}

async function findExecuted(db: Kysely<Database>, { id: userId, companyId }: Viewer, { id: commandId, call, asked }: Command) {
  const row = await db
    .selectFrom('idempotencyKey')
    .select(['call', 'asked', 'rowId', 'meant', 'count'])
    .where((eb) => eb.and({ companyId, userId, commandId }))
    .executeTakeFirst()
  if (row && (row.call !== call || row.asked !== asked)) refuse('ERR_COMMAND_REUSED')
  return row
}

export function commandOf({ method, path }: Call, { commandId, params, query, body, files = [] }: Asked): Command {
  const asked = [params, query, body, files.map(({ field, name, size }) => [field, name, size])]
  return { id: commandId, call: `${method} ${path}`, asked: createHash('sha256').update(JSON.stringify(asked)).digest('base64url') }
}

export const deleteOldCommandIds = ({ db }: { db: Kysely<Database> }): Promise<unknown> =>
  sql`delete from idempotency_key where at < now() - make_interval(days => ${days})`.execute(db)
