import { type Kysely, sql } from 'kysely'

/** What was said on a phone before it was linked, from when it is told until it stands in tickets (A-IMP-04). */
export async function up(db: Kysely<unknown>): Promise<void> {
  /* What the phone told at once, sealed as the account is. */
  await sql`
    create table wa_history (
      id            bigint  generated always as identity primary key,
      connection_id integer not null references connection (id) on delete cascade,
      company_id    integer not null,
      data          bytea   not null
    )`.execute(db)
  await sql`create index wa_history_by_connection on wa_history (connection_id, id)`.execute(db)
  /* A conversation gathers what is told of it until its import begins; what is told of it later is another. */
  await sql`
    create table import_chat (
      id            integer     generated always as identity primary key,
      connection_id integer     not null references connection (id) on delete cascade,
      company_id    integer     not null,
      conversation  text        not null,
      ticket_id     integer,
      uuid          uuid,
      begun_at      timestamptz,
      done_at       timestamptz
    )`.execute(db)
  await sql`create unique index import_chat_gathering on import_chat (connection_id, conversation) where begun_at is null`.execute(db)
  await sql`create index import_chat_by_connection on import_chat (connection_id, id)`.execute(db)
  await sql`
    create table import_message (
      connection_id integer     not null references connection (id) on delete cascade,
      company_id    integer     not null,
      external_id   text        not null,
      chat_id       integer     not null references import_chat (id) on delete cascade,
      at            timestamptz not null,
      heard         jsonb       not null,
      primary key (connection_id, external_id)
    )`.execute(db)
  await sql`create index import_message_by_chat on import_message (chat_id, at)`.execute(db)
  await sql`
    alter table connection
      add column import_done integer not null default 0,
      add column import_all  integer not null default 0`.execute(db)
}
