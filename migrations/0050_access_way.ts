import { type Kysely, sql } from 'kysely'

/** How a ticket was read where it was not opened on screen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ticket_log add column way text`.execute(db)
}
