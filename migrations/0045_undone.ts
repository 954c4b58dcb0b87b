import { type Kysely, sql } from 'kysely'

/** Which act an undoing took back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ticket_log add column undone text`.execute(db)
}
