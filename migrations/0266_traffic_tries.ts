import { type Kysely, sql } from 'kysely'

/** Why a message failed that left all the same, and how often each was tried. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table traffic add column overcome text, add column tries integer not null default 0`.execute(db)
  await sql`alter table traffic_sum add column overcome integer not null default 0, add column retried integer not null default 0`.execute(
    db,
  )
}
