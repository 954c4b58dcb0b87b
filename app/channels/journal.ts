import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '#projections/database.ts'
import type { Heard } from './channel.ts'

export type Entry = { companyId: number; connectionId: number; externalId: string; conversation: string; heard: Heard }

/** Takes down what a provider said, before anything is confirmed to it. Each id once; answers which of them are new. Then `awaken`. */
export async function takeDown(db: Kysely<Database> | Transaction<Database>, entries: Entry[]): Promise<Set<string>> {
  if (entries.length === 0) return new Set()
  const rows = await db
    .insertInto('journal')
    .values(entries.map(({ heard, ...entry }) => ({ ...entry, heard: JSON.stringify(heard), doneAt: null, refused: null })))
    .onConflict((row) => row.columns(['connectionId', 'externalId']).doNothing())
    .returning('externalId')
    .execute()
  return new Set(rows.map(({ externalId }) => externalId))
}

const gatherMs = 2
const woken = new WeakMap<Kysely<Database>, Set<number>>()
/**
 * Tells whoever hears a connection that something waits, once for all that was taken down in a moment, and after it is committed:
 * commits that notify stand in one queue, each until the disk has it. Who is not told looks by itself within a second.
 */
export function awaken(db: Kysely<Database>, connectionId: number): void {
  const waiting = woken.get(db)
  if (waiting) return void waiting.add(connectionId)
  const ids = new Set([connectionId])
  woken.set(db, ids)
  setTimeout(() => {
    woken.delete(db)
    const list = [...ids].map(String)
    void sql`select pg_notify('journal', id), set_config('synchronous_commit', 'off', true) from unnest(${list}::text[]) as id`
      .execute(db)
      .catch(() => undefined)
  }, gatherMs)
}
