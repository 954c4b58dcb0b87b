import { type Kysely, sql } from 'kysely'

/** Which close-all a ticket was closed by, so that all of it can be undone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ticket add column batch uuid`.execute(db)
  await sql`create index ticket_by_batch on ticket (batch, id) where batch is not null`.execute(db)
}
