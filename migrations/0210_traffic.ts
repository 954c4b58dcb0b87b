import { type Kysely, sql } from 'kysely'

/**
 * What becomes of what a connection sends, message by message and in sums; and when a connection did not stand though it had. The latter is
 * noted here, so that nobody who changes how one stands can forget it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table traffic (
      id            integer primary key,
      company_id    integer not null,
      connection_id integer not null,
      sent_at       timestamptz,
      tried_at      timestamptz,
      taken_at      timestamptz,
      delivered_at  timestamptz,
      read_at       timestamptz,
      failed        text,
      uncertain     boolean not null
    )`.execute(db)
  await sql`
    create table traffic_sum (
      company_id    integer     not null,
      connection_id integer     not null,
      slot          timestamptz not null,
      failed        text        not null,
      sent          integer     not null,
      taken         integer     not null,
      delivered     integer     not null,
      soon          integer     not null,
      read          integer     not null,
      uncertain     integer     not null,
      timed         integer     not null,
      took_ms       bigint      not null,
      primary key (company_id, connection_id, slot, failed)
    )`.execute(db)

  await sql`
    create table connection_gap (
      id            integer generated always as identity primary key,
      company_id    integer     not null,
      connection_id integer     not null references connection (id) on delete cascade,
      began_at      timestamptz not null,
      ended_at      timestamptz,
      reason        text
    )`.execute(db)
  await sql`create unique index connection_gap_open on connection_gap (connection_id) where ended_at is null`.execute(db)
  await sql`create index connection_gap_by_time on connection_gap (connection_id, began_at desc)`.execute(db)
  await sql`
    create function note_gap() returns trigger language plpgsql as $$
    declare
      stood  boolean := old.status = 'CONNECTED' and old.silent_since is null;
      stands boolean := new.status = 'CONNECTED' and new.silent_since is null;
      why    text    := case when new.silent_since is null then new.reason else 'SILENT' end;
      ended  timestamptz := (select max(ended_at) from connection_gap where connection_id = new.id);
    begin
      if stood and not stands then
        insert into connection_gap (company_id, connection_id, began_at, reason)
          values (new.company_id, new.id, case when new.silent_since is null then house_now() else greatest(new.silent_since, ended) end, why)
          on conflict do nothing;
      elsif stands then
        update connection_gap set ended_at = greatest(began_at, house_now()) where connection_id = new.id and ended_at is null;
      else
        update connection_gap set reason = why where connection_id = new.id and ended_at is null and why is not null;
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger gap after update of status, silent_since, reason on connection for each row
      when ((old.status, old.silent_since, old.reason) is distinct from (new.status, new.silent_since, new.reason))
      execute function note_gap()`.execute(db)
  await sql`
    insert into connection_gap (company_id, connection_id, began_at, reason)
    select company_id, id, coalesce(silent_since, updated_at), case when silent_since is null then reason else 'SILENT' end from connection
    where silent_since is not null or (reason is not null and status in ('DISCONNECTED', 'TIMEOUT'))`.execute(db)
}
