import { type Kysely, sql } from 'kysely'

/** The memory of the simulated phones. Only the sandbox channel reads it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sandbox_message (
      n             bigint generated always as identity primary key,
      company_id    integer not null,
      connection_id integer not null,
      id            text not null,
      phone         text not null,
      from_phone    boolean not null,
      author        text,
      kind          text not null,
      body          text not null,
      media         jsonb,
      quoted_id     text,
      mark          text default 'sent' not null,
      ours          text,
      theirs        text,
      removed       boolean default false not null,
      edited        boolean default false not null,
      at            timestamptz default app_now() not null,
      interactive   jsonb,
      unique (connection_id, id)
    )`.execute(db)
  /* The messages of a phone. */
  await sql`create index sandbox_message_by_phone on sandbox_message (connection_id, phone, n)`.execute(db)
  /* Faults that a simulated network makes. */
  await sql`
    create table sandbox_fault (
      connection_id integer primary key,
      company_id    integer not null,
      lose_answers  boolean default false not null,
      delay_ms      integer default 0 not null,
      fail_code     text,
      duplicate     boolean default false not null,
      remaining     integer not null,
      later_ms      integer,
      afterwards    boolean default false not null
    )`.execute(db)
}
