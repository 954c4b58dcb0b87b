import { type Kysely, sql } from 'kysely'

/** The address book and the chats of a linked phone, for the import of contacts (A-IMP-01). They go with the link. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table phone_book (
      connection_id integer not null references connection (id) on delete cascade,
      company_id    integer not null,
      number_key    text not null,
      number        text not null,
      name          text not null,
      in_book       boolean not null default false,
      in_chats      boolean not null default false,
      primary key (connection_id, number_key)
    )`.execute(db)
  /* People to erase. */
  await sql`create index phone_book_by_number on phone_book (company_id, number_key)`.execute(db)
}
