import { type Kysely, sql } from 'kysely'

/** What dashboards, panels and reports count, computed from the events of each ticket. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ticket_fact (
      id                   integer primary key,
      uuid                 uuid not null,
      company_id           integer not null,
      contact_id           integer not null,
      connection_id        integer not null,
      channel              text not null,
      is_group             boolean not null,
      is_imported          boolean not null,
      started_by_us        boolean not null,
      created_at           timestamptz,
      predecessor_id       integer,
      successor_id         integer,
      queue_id             integer,
      user_id              integer,
      asked_at             timestamptz,
      first_answer_at      timestamptz,
      first_answer_user_id integer,
      intervals            jsonb not null,
      closings             jsonb not null,
      deleted_at           timestamptz
    )`.execute(db)
  /* Created tickets of a range. */
  await sql`create index ticket_fact_created on ticket_fact (company_id, created_at) where created_at is not null`.execute(db)
  /* When a ticket waited, was served or was with a bot. */
  await sql`
    create table ticket_interval (
      ticket_id     integer not null,
      revision      integer not null,
      company_id    integer not null,
      connection_id integer not null,
      state         text not null,
      queue_id      integer,
      user_id       integer,
      began_at      timestamptz not null,
      ended_at      timestamptz,
      primary key (ticket_id, revision)
    )`.execute(db)
  /* The intervals of a company at a moment. */
  await sql`
    create index ticket_interval_time on ticket_interval using gist (int4range(company_id, company_id, '[]'), tstzrange(began_at, ended_at))`.execute(
    db,
  )
  /* Each closing, with the measures of its ticket up to it. */
  await sql`
    create table ticket_closing (
      ticket_id            integer not null,
      revision             integer not null,
      company_id           integer not null,
      connection_id        integer not null,
      is_deleted           boolean not null,
      at                   timestamptz not null,
      reason               text not null,
      user_id              integer,
      closed_by            integer,
      queue_id             integer,
      waiting_seconds      integer,
      support_seconds      integer,
      bot_seconds          integer,
      resolution_seconds   integer,
      first_answer_seconds integer,
      first_answer_user_id integer,
      participant_ids      integer[] not null,
      rating               integer,
      reopened_at          timestamptz,
      next_at              timestamptz,
      primary key (ticket_id, revision)
    )`.execute(db)
  /* Closings of a range. */
  await sql`create index ticket_closing_at on ticket_closing (company_id, at)`.execute(db)
  /* New contacts of a range. */
  await sql`create index contact_created on contact (company_id, created_at) where not is_group`.execute(db)
}
