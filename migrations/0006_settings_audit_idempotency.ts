import { type Kysely, sql } from 'kysely'

/** Settings, the audit of plain lists, and the answers that make a repeated call harmless. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table company_setting (
      id         integer generated always as identity primary key,
      company_id integer not null references company (id),
      key        text not null,
      value      text not null,
      unique (company_id, key)
    )`.execute(db)
  await sql`select make_live('company_setting', 'setting')`.execute(db)
  await sql`
    create table platform_setting (
      key   text primary key,
      value text not null
    )`.execute(db)
  /* Settings that nobody can read back, wrapped by the master key. */
  await sql`
    create table secret_setting (
      id         text primary key,
      company_id integer not null,
      key        text not null,
      wrapped    bytea not null,
      wrapped_by text not null
    )`.execute(db)
  /* Which user changed which row of a plain list, from what to what. */
  await sql`
    create table audit (
      id         bigint generated always as identity primary key,
      company_id integer not null,
      user_id    integer not null,
      list       text not null,
      row_id     integer not null,
      act        text not null,
      before     jsonb,
      after      jsonb,
      at         timestamptz default app_now() not null
    )`.execute(db)
  /* Changes of one row. */
  await sql`create index audit_by_row on audit (company_id, list, row_id, id)`.execute(db)
  /* Changes of a company, newest first. */
  await sql`create index audit_newest on audit (company_id, id)`.execute(db)
  /* Which call was done under a command id: the same call again is answered and not done again. */
  await sql`
    create table idempotency_key (
      company_id integer not null,
      user_id    integer not null,
      command_id text not null,
      call       text not null,
      asked      text not null,
      row_id     integer not null,
      at         timestamptz default now() not null,
      meant      integer[],
      count      integer,
      primary key (company_id, user_id, command_id)
    )`.execute(db)
  /* Removes old keys. */
  await sql`create index idempotency_key_by_age on idempotency_key (at)`.execute(db)
  /* Grows with each change of a name or colour that ticket rows show. */
  await sql`
    create table label_version (
      company_id integer primary key,
      version    bigint not null
    )`.execute(db)
  /* The file of a row of a plain list. */
  await sql`
    create table row_file (
      company_id integer not null,
      list       text not null,
      row_id     integer not null,
      key        text not null,
      media      jsonb not null,
      primary key (list, row_id)
    )`.execute(db)
  /* Rows that name a file. */
  await sql`create index row_file_by_file on row_file (company_id, key)`.execute(db)
}
