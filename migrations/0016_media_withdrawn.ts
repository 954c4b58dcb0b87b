import { type Kysely, sql } from 'kysely'

/** A file that its sender took back is shown to auditors alone, unless another message shows it too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table media add column withdrawn_at timestamptz`.execute(db)
  await sql`create index message_by_file on message (company_id, (media->>'key')) where media is not null`.execute(db)
}
