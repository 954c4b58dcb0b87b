import { type Kysely, sql } from 'kysely'

/** The sandbox provider's own memory: what lies on its phones. Nothing of ours reads it but its channel. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sandbox_message (
      n             bigint generated always as identity primary key,
      company_id    integer     not null,
      connection_id integer     not null,
      id            text        not null,
      phone         text        not null,
      from_phone    boolean     not null,
      author        text,
      kind          text        not null,
      body          text        not null,
      media         jsonb,
      quoted_id     text,
      mark          text        not null default 'sent',
      ours          text,
      theirs        text,
      removed       boolean     not null default false,
      edited        boolean     not null default false,
      at            timestamptz not null default now(),
      unique (connection_id, id)
    )`.execute(db)
  await sql`create index sandbox_message_by_phone on sandbox_message (connection_id, phone, n)`.execute(db)
  await sql`
    create table sandbox_fault (
      connection_id integer primary key,
      company_id    integer not null,
      lose_answers  boolean not null default false,
      delay_ms      integer not null default 0,
      fail_code     text,
      duplicate     boolean not null default false,
      remaining     integer not null
    )`.execute(db)
}
