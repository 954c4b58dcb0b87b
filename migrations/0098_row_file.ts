import { type Kysely, sql } from 'kysely'

/** Which file a row of a plain list has. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table row_file (
      company_id integer not null,
      list       text    not null,
      row_id     integer not null,
      key        text    not null,
      media      jsonb   not null,
      primary key (list, row_id)
    )`.execute(db)
  await sql`create index row_file_by_file on row_file (company_id, key)`.execute(db)
}
