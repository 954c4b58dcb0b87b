import { type Kysely, sql } from 'kysely'

/** What is set for the whole platform, and what is set anywhere and is nobody's to read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table platform_setting (
      key   text primary key,
      value text not null
    )`.execute(db)
  await sql`
    create table secret_setting (
      id         text    primary key,
      company_id integer not null,
      key        text    not null,
      wrapped    bytea   not null,
      wrapped_by text    not null
    )`.execute(db)
}
