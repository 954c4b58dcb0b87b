import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { Call, Calls, Upload } from '#domain/contract.ts'
import { refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import type { Command, Handlers } from './serve.ts'

type Asked = { viewer: Viewer; commandId: string; params?: object; query?: object; body?: unknown; files?: Upload[] }

/** How long a client may ask again. */
const days = 7

/** Kept in the transaction that does it, so that both stand or neither; where the same came in between, none does. `rowId`: 0 where the row has none. */
export async function keepAnswered(
  on: Kysely<Database>,
  { id: userId, companyId }: Viewer,
  command: Command,
  rowId: number,
): Promise<void> {
  const { id: commandId, call, asked } = command
  await on.insertInto('answered').values({ companyId, userId, commandId, call, asked, rowId }).execute()
}

/** The handlers of a contract, whose calls marked `idempotent` are done once for a command id and answered with the row as it is each time. */
export function once<K extends Calls>(db: Kysely<Database>, calls: K, handlers: Handlers<K>): Handlers<K> {
  const find = handlers.find as unknown as ((ask: object) => Promise<unknown>) | undefined
  const wrapped = Object.entries(calls).map(([name, call]) => {
    const handle = handlers[name] as unknown as (ask: object) => Promise<unknown>
    if (!call.idempotent) return [name, handle]
    const again = async (ask: Asked, command: Command): Promise<{ answer: unknown } | null> => {
      const before = await earlier(db, ask.viewer, command)
      if (!before) return null
      const named = typeof call.idempotent === 'function' ? call.idempotent(ask.body as never) : {}
      return { answer: call.answer && (await find!({ ...ask, params: { ...ask.params, ...named, id: before.rowId } })) }
    }
    return [
      name,
      async (ask: Asked) => {
        const command = commandOf(call, ask)
        const done = await again(ask, command)
        if (done) return done.answer
        try {
          return await handle({ ...ask, command })
        } catch (error) {
          /* Of two at once the later one meets what the first has done, in whatever way. */
          const first = await again(ask, command)
          if (first) return first.answer
          throw error
        }
      },
    ]
  })
  return Object.fromEntries(wrapped)
}

/**
 * For an act over many, each of which knows by its own command whether it was asked before. Which it means is kept before the first of them,
 * and how many it came to behind the last: asked again, it goes on with those, whoever came in between, and answers the same.
 */
export async function overMany(
  db: Kysely<Database>,
  viewer: Viewer,
  command: Command,
  meant: () => Promise<number[]>,
  act: (ids: number[]) => Promise<number>,
): Promise<number> {
  const { id: commandId, call, asked } = command
  const own = { companyId: viewer.companyId, userId: viewer.id, commandId }
  if (!(await earlier(db, viewer, command))) {
    const row = { ...own, call, asked, rowId: 0, meant: await meant() }
    await db
      .insertInto('answered')
      .values(row)
      .onConflict((same) => same.doNothing())
      .execute()
  }
  const first = await earlier(db, viewer, command)
  if (first!.count !== null) return first!.count
  const came = await act(first!.meant!)
  const kept = db.updateTable('answered').set((eb) => ({ count: eb.fn.coalesce('count', eb.val(came)) }))
  const { count } = await kept
    .where((eb) => eb.and(own))
    .returning('count')
    .executeTakeFirstOrThrow()
  return count!
}

async function earlier(db: Kysely<Database>, { id: userId, companyId }: Viewer, { id: commandId, call, asked }: Command) {
  const row = await db
    .selectFrom('answered')
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

export const forgetAnswered = ({ db }: { db: Kysely<Database> }): Promise<unknown> =>
  sql`delete from answered where at < now() - make_interval(days => ${days})`.execute(db)
