import { type Kysely, sql } from 'kysely'

/** The numbers that users replaced in a contact's form. Messages that were written before still go to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  /* `ids`: the identifiers that went with the number. `until`: when it was replaced. */
  await sql`
    create table contact_former_number (
      id         bigint generated always as identity primary key,
      company_id integer     not null,
      contact_id integer     not null references contact (id) on delete cascade,
      number     text        not null,
      ids        jsonb       not null,
      until      timestamptz not null default app_now()
    )`.execute(db)
  /* The former numbers of a contact. */
  await sql`create index contact_former_number_of on contact_former_number (contact_id)`.execute(db)
}
