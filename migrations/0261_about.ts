import { type Kysely, sql } from 'kysely'

/** What a contact's message came by, or is about: a story, an advertisement, a link. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table message add column about jsonb`.execute(db)
}
