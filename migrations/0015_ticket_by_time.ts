import { type Kysely, sql } from 'kysely'

/** A search looks through tickets of every status, newest first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index ticket_by_time on ticket (company_id, updated_at desc, id desc)`.execute(db)
}
