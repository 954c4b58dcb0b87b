import { type Kysely, sql } from 'kysely'

/** How long it leaves behind what left before it to the same person, whenever it was put there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table outbox add column gap_ms integer not null default 0`.execute(db)
}
