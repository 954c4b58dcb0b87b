import { type Kysely, sql } from 'kysely'

/** A user who is retired keeps the row, for whatever they did; the e-mail is free again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "user" add column version integer not null default 1, add column retired_at timestamptz`.execute(db)
  await sql`drop index user_by_email`.execute(db)
  await sql`create unique index user_by_email on "user" (lower(email)) where retired_at is null`.execute(db)
}
