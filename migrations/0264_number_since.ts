import { type Kysely, sql } from 'kysely'

/** Since when a connection has another number than before: what was written for that one does not leave by this. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table connection add column number_since timestamptz`.execute(db)
}
