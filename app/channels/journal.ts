import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '#projections/database.ts'
import type { Heard } from './channel.ts'

export type Entry = { companyId: number; connectionId: number; externalId: string; conversation: string; heard: Heard }

/** Takes down what a provider said, before anything is confirmed to it. Each id once; answers which of them are new. */
export async function takeDown(db: Kysely<Database> | Transaction<Database>, entries: Entry[]): Promise<Set<string>> {
  if (entries.length === 0) return new Set()
  const rows = await db
    .insertInto('journal')
    .values(entries.map(({ heard, ...entry }) => ({ ...entry, heard: JSON.stringify(heard), doneAt: null, refused: null })))
    .onConflict((row) => row.columns(['connectionId', 'externalId']).doNothing())
    .returning('externalId')
    .execute()
  for (const connectionId of new Set(entries.map((entry) => entry.connectionId)))
    await sql`select pg_notify('journal', ${String(connectionId)})`.execute(db)
  return new Set(rows.map(({ externalId }) => externalId))
}
