import { type Kysely, sql } from 'kysely'

/**
 * How far long tickets were folded: what a fold made of the facts up to a revision, and by key what it need not keep at hand. All of it
 * follows from the log: whoever deletes a snapshot loses nothing but time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ticket_snapshot (
      company_id integer     not null,
      ticket_id  integer     not null,
      fold       integer     not null,
      revision   integer     not null,
      hash       text        not null,
      state      text        not null,
      mac        text        not null,
      taken_at   timestamptz not null default now(),
      primary key (company_id, ticket_id, fold)
    )`.execute(db)
  const of = sql`foreign key (company_id, ticket_id, fold) references ticket_snapshot on delete cascade`
  await sql`
    create table ticket_past (
      company_id integer not null,
      ticket_id  integer not null,
      fold       integer not null,
      message_id integer not null,
      revision   integer not null,
      from_me    boolean not null,
      said       text    not null,
      mac        text    not null,
      primary key (company_id, ticket_id, fold, message_id),
      ${of}
    )`.execute(db)
  await sql`create index ticket_past_in_order on ticket_past (company_id, ticket_id, fold, revision)`.execute(db)
  await sql`
    create table ticket_spent (
      company_id integer not null,
      ticket_id  integer not null,
      fold       integer not null,
      id         text    not null,
      message_id integer,
      mac        text    not null,
      primary key (company_id, ticket_id, fold, id),
      ${of}
    )`.execute(db)
}
