import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  /* The files of a ticket, newest first, for the page of its contact. */
  await sql`create index message_files on message (ticket_id, created_at desc) where media is not null`.execute(db)
}
