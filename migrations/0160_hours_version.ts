import { type Kysely, sql } from 'kysely'

/** Which edit of a company's week stands: of two admins none overwrites the other's unseen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table company add column hours_version integer not null default 1`.execute(db)
}
