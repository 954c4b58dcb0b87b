import { type Kysely, sql } from 'kysely'

/** A quick reply may be kept without being offered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table quick_message add column status boolean not null default true`.execute(db)
}
