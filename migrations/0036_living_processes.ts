import { type Kysely, sql } from 'kysely'

/** A process that lost its session to Postgres may live on. It is no reason to move an inbound event to the dead letters. */
export async function up(db: Kysely<unknown>): Promise<void> {
  /* The process of a worker's session. A process may have several sessions after each other. */
  await sql`alter table worker add column process text`.execute(db)
  /* The processes that counted as ended with the event in flight. */
  await sql`alter table inbound_event add column died_with text[]`.execute(db)
}
