import { type Kysely, sql } from 'kysely'

/** When a contact's place was claimed: one whose ticket was never opened is freed by its age. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table active_ticket add column claimed_at timestamptz not null default now()`.execute(db)
}
