import { type Kysely, sql } from 'kysely'

/** The event store in Postgres, its snapshots, and the keys that seal and sign it. EventStoreDB replaces `event` alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  /* One row per event. `position` is its place among all events, `version` its revision in its stream. */
  await sql`
    create table event (
      position bigint generated always as identity primary key,
      stream   text collate "C" not null,
      version  integer not null,
      type     text not null,
      id       uuid not null,
      data     jsonb not null,
      meta     jsonb not null,
      unique (stream, version)
    )`.execute(db)
  /* The folded state of a long stream at a revision; `fold` is the version of the fold that made it. */
  await sql`
    create table snapshot (
      company_id integer not null,
      stream     text not null,
      fold       integer not null,
      revision   integer not null,
      hash       text not null,
      state      text not null,
      mac        text not null,
      taken_at   timestamptz default now() not null,
      primary key (stream, fold)
    )`.execute(db)
  /* Command ids that a snapshot still has to recognise. */
  await sql`
    create table snapshot_key (
      company_id integer not null,
      stream     text not null,
      fold       integer not null,
      id         text collate "C" not null,
      next       text collate "C",
      message_id integer,
      mac        text not null,
      primary key (stream, fold, id),
      foreign key (stream, fold) references snapshot(stream, fold) on delete cascade
    )`.execute(db)
  /* Older messages of a long stream, which a command may refer to. */
  await sql`
    create table snapshot_past (
      company_id integer not null,
      stream     text not null,
      fold       integer not null,
      message_id integer not null,
      revision   integer not null,
      from_me    boolean not null,
      said       text not null,
      mac        text not null,
      primary key (stream, fold, message_id),
      foreign key (stream, fold) references snapshot(stream, fold) on delete cascade
    )`.execute(db)
  /* Messages before a revision. */
  await sql`create index snapshot_past_in_order on snapshot_past (stream, fold, revision)`.execute(db)
  /* The key that seals what events hold about a contact. The row of a destroyed key stays, so that the contact never gets another. */
  await sql`
    create table contact_key (
      company_id   integer not null,
      contact_id   integer not null,
      wrapped      bytea,
      created_at   timestamptz default now() not null,
      destroyed_at timestamptz,
      wrapped_by   text,
      primary key (company_id, contact_id),
      check ((wrapped is null) = (destroyed_at is not null))
    )`.execute(db)
  /* Keys of the MACs of events, wrapped by the master key. One is current; the others check what was written under them. */
  await sql`
    create table event_mac_key (
      id         text primary key,
      wrapped    bytea not null,
      wrapped_by text not null,
      current    boolean default true not null,
      made_at    timestamptz default now() not null
    )`.execute(db)
  /* One current key. */
  await sql`create unique index event_mac_key_current on event_mac_key ((true)) where current`.execute(db)
  /* The keys that sign anchors and exports, wrapped by the master key. */
  await sql`
    create table signing_key (
      id         text primary key,
      wrapped    bytea not null,
      wrapped_by text not null,
      current    boolean default true not null,
      made_at    timestamptz default now() not null
    )`.execute(db)
  /* One current key. */
  await sql`create unique index signing_key_current on signing_key ((true)) where current`.execute(db)
  /* The one row that proves a master key to be that of this store. During a rotation it holds the next key, wrapped. */
  await sql`
    create table master_key (
      id           integer default 1 primary key check (id = 1),
      check_value  text not null,
      next_check   text,
      next_wrapped bytea,
      handed_from  text,
      since        timestamptz default now() not null
    )`.execute(db)
  await sql`
    create function append_events(p jsonb) returns jsonb language plpgsql as $$
        declare
          offer    jsonb;
          name     text;
          expected int;
          current  int;
          n        int;
          known    int;
          last     bigint;
          newest   bigint;
          answers  jsonb := '[]';
        begin
          -- Identity order is not commit order: without this lock a follower would step over events that commit late.
          perform pg_advisory_xact_lock(7301);
          for offer in select value from jsonb_array_elements(p) loop
            name := offer->>'s';
            expected := (offer->>'e')::int;
            n := jsonb_array_length(offer->'ev');
            current := coalesce((select version from event where stream = name order by version desc limit 1), -1);
            if expected = current then
              with written as (
                insert into event (stream, version, type, id, data, meta)
                select name, current + o, ev->>'t', (ev->>'i')::uuid, ev->'d', ev->'m'
                from jsonb_array_elements(offer->'ev') with ordinality as e(ev, o) order by o
                returning position
              ) select max(position) into last from written;
              newest := last;
              answers := answers || jsonb_build_object('v', current + n, 'p', last::text, 'r', false);
              continue;
            end if;
            select count(*), max(x.position) into known, last
            from jsonb_array_elements(offer->'ev') with ordinality as e(ev, o)
            join event x on x.stream = name and x.version = expected + o and x.id = (e.ev->>'i')::uuid;
            if known = n then
              answers := answers || jsonb_build_object('v', expected + n, 'p', last::text, 'r', true);
            else
              answers := answers || jsonb_build_object('c', current);
            end if;
          end loop;
          if newest is not null then
            perform pg_notify('events', newest::text);
          end if;
          return answers;
        end $$`.execute(db)
}
