import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  /* Tickets of a range that do not count as created, such as those that continue another one. */
  await sql`create index ticket_created on ticket (company_id, created_at)`.execute(db)
}
