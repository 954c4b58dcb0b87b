import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  /* What signs the house's anchors and exports, wrapped by the master key; the public half follows from it. */
  await sql`
    create table house_key (
      id         text        primary key,
      wrapped    bytea       not null,
      wrapped_by text        not null,
      current    boolean     not null default true,
      made_at    timestamptz not null default now()
    )`.execute(db)
  await sql`create unique index house_key_current on house_key ((true)) where current`.execute(db)

  /* Where each anchor stands in its company's stream of the log, and whether it was published: to a file, to a webhook. */
  await sql`
    create table anchor (
      company_id integer     not null,
      number     integer     not null,
      first      bigint      not null,
      revision   bigint      not null,
      statement  jsonb       not null,
      filed_at   timestamptz,
      posted_at  timestamptz,
      primary key (company_id, number)
    )`.execute(db)
  await sql`create index anchor_unfiled on anchor (company_id, number) where filed_at is null`.execute(db)
  await sql`create index anchor_unposted on anchor (company_id, number) where posted_at is null`.execute(db)
  /* Which anchor last named a ticket, and how far. */
  await sql`
    create table ticket_anchor (
      ticket_id  integer primary key,
      company_id integer not null,
      number     integer not null,
      revision   integer not null
    )`.execute(db)
}
