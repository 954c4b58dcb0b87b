import { type Kysely, sql } from 'kysely'

/** The place of a lane on the board, set by hand; null: after those that have one, by id. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tag add column position integer`.execute(db)
}
