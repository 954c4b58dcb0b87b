import { type Kysely, sql } from 'kysely'

/** Who is one person with a contact is asked for from either side, whenever a ticket is accepted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index contact_duplicate_of on contact_duplicate (duplicate_id)`.execute(db)
}
