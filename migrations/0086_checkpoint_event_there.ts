import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  /* Which event stood there: written with its place and by nobody else, for the release before moves `event_id` alone. */
  await sql`alter table checkpoint add column event_there uuid`.execute(db)
  await sql`update checkpoint set event_stream = null, event_revision = null`.execute(db)
}
