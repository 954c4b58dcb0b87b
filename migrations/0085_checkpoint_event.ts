import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  /* Where the event stands that a follower came to, so that a log which does not have it there is known for another one. */
  await sql`alter table checkpoint add column event_stream text, add column event_revision integer`.execute(db)
}
