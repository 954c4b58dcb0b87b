import { type Kysely, sql } from 'kysely'

/** What a ticket may be worth; and the lanes and amounts that its log tells of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ticket add column amount double precision`.execute(db)
  await sql`alter table ticket_log add column lane_id integer, add column amount double precision`.execute(db)
}
