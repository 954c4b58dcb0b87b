import { type Kysely, sql } from 'kysely'

/** What a contact said of how they were served, from 0 to 10. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ticket add column nps smallint`.execute(db)
  await sql`alter table ticket_log add column nps smallint`.execute(db)
}
