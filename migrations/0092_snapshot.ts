import { type Kysely, sql } from 'kysely'

/**
 * Snapshots of any kind of stream, by its name; those of tickets alone (0073) are left to the release before, and are not taken over: all of
 * it follows from the log, and whoever begins without them loses nothing but time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table snapshot (
      company_id integer     not null,
      stream     text        not null,
      fold       integer     not null,
      revision   integer     not null,
      hash       text        not null,
      state      text        not null,
      mac        text        not null,
      taken_at   timestamptz not null default now(),
      primary key (stream, fold)
    )`.execute(db)
  const of = sql`foreign key (stream, fold) references snapshot on delete cascade`
  await sql`
    create table snapshot_past (
      company_id integer not null,
      stream     text    not null,
      fold       integer not null,
      message_id integer not null,
      revision   integer not null,
      from_me    boolean not null,
      said       text    not null,
      mac        text    not null,
      primary key (stream, fold, message_id),
      ${of}
    )`.execute(db)
  await sql`create index snapshot_past_in_order on snapshot_past (stream, fold, revision)`.execute(db)
  await sql`
    create table snapshot_spent (
      company_id integer not null,
      stream     text    not null,
      fold       integer not null,
      id         text    not null,
      message_id integer,
      mac        text    not null,
      primary key (stream, fold, id),
      ${of}
    )`.execute(db)
}
