import { type Kysely, sql } from 'kysely'

/** Who made a finding: without the log's key nobody says that a chain holds. What was found before, without one, is looked for anew. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ticket_chain add column mac text`.execute(db)
}
