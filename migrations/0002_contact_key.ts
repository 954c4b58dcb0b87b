import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The row of a destroyed key stays, with nothing in it, so that the same contact can never be given another key.
  await sql`
    create table contact_key (
      company_id   integer     not null,
      contact_id   integer     not null,
      wrapped      bytea,
      created_at   timestamptz not null default now(),
      destroyed_at timestamptz,
      primary key (company_id, contact_id),
      check ((wrapped is null) = (destroyed_at is not null))
    )`.execute(db)
}
