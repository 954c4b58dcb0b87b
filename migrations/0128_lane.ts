import { type Kysely, sql } from 'kysely'

/** In which lane of the board a ticket stands. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ticket add column lane_id integer`.execute(db)
}
