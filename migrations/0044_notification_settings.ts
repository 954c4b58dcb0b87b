import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  /* How the user is notified of messages and waiting tickets; null: the defaults. */
  await sql`alter table "user" add column notifications jsonb`.execute(db)
}
