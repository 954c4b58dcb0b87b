import { type Kysely, sql } from 'kysely'

/** Uploaded tables of contacts: their rows wait here for the import and are deleted after days. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table contact_import (
      id         integer generated always as identity primary key,
      company_id integer not null,
      user_id    integer not null,
      name       text not null,
      has_header boolean not null,
      encoding   text,
      separator  text,
      columns    jsonb not null,
      fields     jsonb not null,
      total      integer not null default 0,
      checked    boolean not null default false,
      existing   text,
      work_id    integer,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create unique index contact_import_work on contact_import (work_id) where work_id is not null`.execute(db)
  /* `row`: its number in the file. `error`: why it will be ignored. `outcome`: what its import did. */
  await sql`
    create table contact_import_row (
      import_id  integer not null references contact_import (id) on delete cascade,
      row        integer not null,
      company_id integer not null,
      cells      jsonb not null,
      error      text,
      outcome    text,
      primary key (import_id, row)
    )`.execute(db)
}
