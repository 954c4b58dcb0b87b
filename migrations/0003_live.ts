import { type Kysely, sql } from 'kysely'

/** A change is a pointer: "<topic> <op> <company> <id>,<id>…" on the channel `changes`, once per statement, at most 300 ids a line. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db)
  await sql`create extension if not exists unaccent`.execute(db)
  await sql`
    create function plain(text) returns text language sql immutable strict parallel safe as
    $$ select lower(public.unaccent('public.unaccent'::regdictionary, $1)) $$`.execute(db)
  await sql`
    create function tell_change() returns trigger language plpgsql as $$
    declare line record;
    begin
      for line in
        select company_id, string_agg(id::text, ',') as ids
        from (select company_id, id, (row_number() over (partition by company_id)) / 300 as part from changed) rows
        group by company_id, part
      loop
        perform pg_notify('changes', tg_argv[0] || ' ' || lower(tg_op) || ' ' || line.company_id || ' ' || line.ids);
      end loop;
      return null;
    end $$`.execute(db)
  await sql`
    create function make_live(live_table regclass, topic text) returns void language plpgsql as $$
    begin
      execute format('create trigger live_insert after insert on %s referencing new table as changed for each statement execute function tell_change(%L)', live_table, topic);
      execute format('create trigger live_update after update on %s referencing new table as changed for each statement execute function tell_change(%L)', live_table, topic);
      execute format('create trigger live_delete after delete on %s referencing old table as changed for each statement execute function tell_change(%L)', live_table, topic);
    end $$`.execute(db)

  await sql`
    create table checkpoint (
      name       text primary key,
      version    integer     not null,
      position   numeric     not null,
      event_id   uuid,
      event_at   timestamptz,
      applied_at timestamptz not null default now()
    )`.execute(db)
  /* The first reactor begins before the first event: what is said before its first worker comes leaves too. One added later has no row, and begins at the head. */
  await sql`insert into checkpoint (name, version, position) values ('attend', 1, 0)`.execute(db)
  await sql`
    create table projector_stop (
      name       text primary key,
      position   numeric     not null,
      event_id   uuid        not null,
      reason     text        not null,
      stopped_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table projector_skip (
      name       text        not null,
      event_id   uuid        not null,
      said_by    text        not null,
      reason     text        not null,
      skipped_at timestamptz not null default now(),
      primary key (name, event_id)
    )`.execute(db)
}
