import { type Kysely, sql } from 'kysely'

/** When the address of an account was first called by Meta: until then it tells us nothing. What was told of already was called. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table meta_account add column hook_proven_at timestamptz`.execute(db)
  await sql`
    update meta_account a set hook_proven_at = now()
    where exists (select from journal j where j.connection_id::text = a.id)`.execute(db)
}
