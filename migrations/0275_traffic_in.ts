import { type Kysely, sql } from 'kysely'

/** How much came in by a connection, beside what became of what it sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table traffic_sum add column received integer not null default 0`.execute(db)
}
