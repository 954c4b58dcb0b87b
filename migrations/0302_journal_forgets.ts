import { type Kysely, sql } from 'kysely'

/** Until when an entry is kept that is over and is no message: its provider tells it no more by then. Of messages the ids stay. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table journal add column forget_at timestamptz`.execute(db)
  await sql`create index journal_forgets on journal (forget_at) where forget_at is not null`.execute(db)
}
