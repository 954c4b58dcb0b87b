import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  /* What providers told us, written before anything is confirmed to them (events.md 5). `heard` is emptied once it is dealt with. */
  await sql`
    create table journal (
      id            bigint generated always as identity primary key,
      company_id    integer     not null,
      connection_id integer     not null,
      external_id   text        not null,
      conversation  text        not null,
      heard         jsonb,
      received_at   timestamptz not null default now(),
      done_at       timestamptz,
      failures      integer     not null default 0,
      refused       text,
      unique (connection_id, external_id)
    )`.execute(db)
  await sql`create index journal_waiting on journal (connection_id, id) where done_at is null`.execute(db)

  /*
   * What is on its way out, in the order of the conversation: a message, or what is done to one. A fact asks for one thing at most.
   * `message_id` and `external_id` name what it is about; the content stays in the log. Sent messages stay, for their marks to find them.
   */
  await sql`
    create table outbox (
      n             bigint generated always as identity primary key,
      kind          text        not null default 'send' check (kind in ('send', 'edit', 'remove', 'react', 'read')),
      message_id    integer     not null,
      company_id    integer     not null,
      connection_id integer     not null,
      contact_id    integer     not null,
      ticket_id     integer     not null,
      revision      integer     not null,
      external_id   text        not null,
      state         text        not null default 'waiting',
      attempts      integer     not null default 0,
      due_at        timestamptz not null default now(),
      created_at    timestamptz not null default now(),
      unique (ticket_id, revision)
    )`.execute(db)
  await sql`create index outbox_waiting on outbox (connection_id, contact_id, n) where state = 'waiting'`.execute(db)
  await sql`create unique index outbox_message on outbox (message_id) where kind = 'send'`.execute(db)
  await sql`create unique index outbox_external on outbox (connection_id, external_id) where kind = 'send'`.execute(db)

  await sql`
    create table deadline (
      id           bigint generated always as identity primary key,
      company_id   integer     not null,
      aggregate_id integer     not null,
      kind         text        not null,
      due_at       timestamptz not null,
      unique (aggregate_id, kind)
    )`.execute(db)
  await sql`create index deadline_due on deadline (due_at)`.execute(db)

  await sql`
    create table media (
      company_id integer     not null,
      key        text        not null,
      mime       text        not null,
      size       integer     not null,
      stored_at  timestamptz not null default now(),
      primary key (company_id, key)
    )`.execute(db)
}
