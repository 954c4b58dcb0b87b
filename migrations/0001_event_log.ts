import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table event (
      position bigint generated always as identity (cache 1) primary key,
      stream   text collate "C" not null,
      version  int   not null,
      type     text  not null,
      id       uuid  not null,
      data     jsonb not null,
      meta     jsonb not null,
      unique (stream, version)
    )`.execute(db)

  // p: [{ s: stream, e: expected version, -1 for none, ev: [{ i: id, t: type, d: data, m: meta }] }]
  // answer, in the same order: { v: last version, p: last position, r: repeated } or { c: current version, -1 for none }
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
