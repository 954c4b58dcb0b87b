import { type Kysely, sql } from 'kysely'

/** When another program last took the session of an account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table wa_account add column replaced_at timestamptz`.execute(db)
}
