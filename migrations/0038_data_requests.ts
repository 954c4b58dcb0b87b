import { type Kysely, sql } from 'kysely'

/** Requests of people about their own data: erasure, or a copy of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  /* `person`: how the person is found; null once the erasure is done. `receipt`: the signed text of an erasure. `rows_at`: when the read tables were last cleared. */
  await sql`
    create table data_request (
      id           integer generated always as identity primary key,
      company_id   integer not null,
      contact_id   integer not null references contact (id),
      user_id      integer not null,
      kind         text not null check (kind in ('erasure', 'export')),
      state        text default 'running' not null check (state in ('running', 'done', 'failed', 'expired')),
      done         integer default 0 not null,
      total        integer default 0 not null,
      person       jsonb,
      counts       jsonb,
      receipt      text,
      file_key     text,
      file_size    bigint,
      requested_at timestamptz default now() not null,
      finished_at  timestamptz,
      expires_at   timestamptz,
      rows_at      timestamptz
    )`.execute(db)
  /* The requests of a company, newest first. */
  await sql`create index data_request_newest on data_request (company_id, id desc)`.execute(db)
  /* One erasure of a contact, and one export at a time. */
  await sql`create unique index data_request_erasure on data_request (contact_id) where kind = 'erasure'`.execute(db)
  await sql`create unique index data_request_export on data_request (contact_id) where kind = 'export' and state = 'running'`.execute(db)
  /* Requests that a worker must continue. */
  await sql`create index data_request_running on data_request (id) where state = 'running'`.execute(db)
  /* Sealed fields of events in other people's tickets that held the person. Their key stays, so they are named here and no longer opened. */
  await sql`
    create table redaction (
      event_id   uuid primary key,
      n          bigint generated always as identity,
      company_id integer not null,
      request_id integer not null references data_request (id),
      stream     text not null,
      fields     text[] not null
    )`.execute(db)
  /* Digests of the ids of erased people, so that an import of old messages does not restore them. */
  await sql`
    create table erased_identity (
      company_id integer not null,
      digest     text not null,
      erased_at  timestamptz not null,
      primary key (company_id, digest)
    )`.execute(db)
}
