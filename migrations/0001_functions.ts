import { type Kysely, sql } from 'kysely'

/** Extensions, functions that compare texts and numbers, and the clock. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db)
  await sql`create extension if not exists unaccent`.execute(db)
  await sql`create function plain(text) returns text language sql immutable parallel safe strict as $$ select lower(public.unaccent('public.unaccent'::regdictionary, $1)) $$`.execute(
    db,
  )
  await sql`create function same_name(text) returns text language sql immutable parallel safe strict as $$ select public.plain(regexp_replace(btrim($1), '\\s+', ' ', 'g')) $$`.execute(
    db,
  )
  await sql`
    create function number_forms(number text) returns text language sql immutable parallel safe strict as $$
          select case when number ~ '^(55(?:1[1-9]|[2-9][0-9]))9?([6-9][0-9]{7})$'
            then regexp_replace(number, '^(55(?:1[1-9]|[2-9][0-9]))9?([6-9][0-9]{7})$', '\\1\\2 \\19\\2') else number end $$`.execute(db)
  /* How far the simulated clock is ahead of the machine (sandbox). */
  await sql`
    create table clock_offset (
      id         integer default 1 primary key check (id = 1),
      offset_ms  bigint default 0 not null check (offset_ms >= 0),
      command_id text
    )`.execute(db)
  /* The time that rules go by. */
  await sql`
    create function app_now() returns timestamptz language sql stable parallel safe as $$
          select now() + (select offset_ms from clock_offset) * interval '1 millisecond'
        $$`.execute(db)
  await sql`
    create function refuse_earlier_clock() returns trigger language plpgsql as $$ begin
          raise exception 'the simulated clock cannot go back';
        end $$`.execute(db)
  await sql`
    create trigger refuse_earlier_clock before update on clock_offset
      for each row
      when (new.offset_ms < old.offset_ms)
      execute function refuse_earlier_clock()`.execute(db)
  await sql`insert into clock_offset default values`.execute(db)
}
