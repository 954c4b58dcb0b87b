import { type Kysely, sql } from 'kysely'

/** Signed anchors over the streams of a company, and what the last check of each ticket found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  /* The place of each anchor in the stream of its company, and whether it was published to a file and a webhook. */
  await sql`
    create table anchor (
      company_id integer not null,
      number     integer not null,
      first      bigint not null,
      revision   bigint not null,
      statement  jsonb not null,
      filed_at   timestamptz,
      posted_at  timestamptz,
      primary key (company_id, number)
    )`.execute(db)
  /* Anchors to write to a file. */
  await sql`create index anchor_unfiled on anchor (company_id, number) where filed_at is null`.execute(db)
  /* Anchors to post to a webhook. */
  await sql`create index anchor_unposted on anchor (company_id, number) where posted_at is null`.execute(db)
  /* The newest anchor that names a ticket, and up to which revision. */
  await sql`
    create table ticket_anchor (
      ticket_id  integer primary key,
      company_id integer not null,
      number     integer not null,
      revision   integer not null
    )`.execute(db)
  /* What the last check of a ticket found. Signed, so that nobody can claim a check. */
  await sql`
    create table ticket_chain (
      ticket_id  integer primary key,
      company_id integer not null,
      holds      boolean not null,
      broken_at  integer,
      reason     text,
      checked_at timestamptz not null,
      mac        text
    )`.execute(db)
  /* Broken chains of a company. */
  await sql`create index ticket_chain_broken on ticket_chain (company_id, ticket_id) where not holds`.execute(db)
  /* Tickets to check again. */
  await sql`create index ticket_chain_by_age on ticket_chain (checked_at)`.execute(db)
}
