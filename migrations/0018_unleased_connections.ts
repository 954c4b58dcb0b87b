import { type Kysely, sql } from 'kysely'

/** Since when no live worker leases a connection, so that it is not shown as connected. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table connection add column unleased_since timestamptz`.execute(db)
}
