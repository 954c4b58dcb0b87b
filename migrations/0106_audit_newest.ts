import { type Kysely, sql } from 'kysely'

/** Changes of every list are read newest first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index audit_newest on audit (company_id, id)`.execute(db)
}
