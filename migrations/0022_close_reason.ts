import { type Kysely, sql } from 'kysely'

/** Why a ticket was closed. Existing rows are filled when the projector rebuilds its tables. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ticket add column close_reason text`.execute(db)
}
