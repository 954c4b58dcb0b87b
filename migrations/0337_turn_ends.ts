import { type Kysely, sql } from 'kysely'

/** When a ticket that waits for one agent of a rotation becomes the next one's turn (A-ROT-01). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ticket add column turn_ends_at timestamptz`.execute(db)
}
