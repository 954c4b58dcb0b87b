import { type Kysely, sql } from 'kysely'

/**
 * Of a gap, whether a code was shown in it: what customers wrote until that was read is nowhere but on the phone, for a device that is linked
 * anew is told of nothing that was said before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table connection_gap add column anew boolean not null default false`.execute(db)
  await sql`
    create or replace function note_gap() returns trigger language plpgsql as $$
    declare
      stood  boolean := old.status = 'CONNECTED' and old.silent_since is null;
      stands boolean := new.status = 'CONNECTED' and new.silent_since is null;
      why    text    := case when new.silent_since is null then new.reason else 'SILENT' end;
      code   boolean := new.status = 'qrcode';
      ended  timestamptz := (select max(ended_at) from connection_gap where connection_id = new.id);
    begin
      if stood and not stands then
        insert into connection_gap (company_id, connection_id, began_at, reason, anew)
          values (new.company_id, new.id, case when new.silent_since is null then house_now() else greatest(new.silent_since, ended) end, why, code)
          on conflict do nothing;
      elsif stands then
        update connection_gap set ended_at = greatest(began_at, house_now()) where connection_id = new.id and ended_at is null;
      else
        update connection_gap set reason = coalesce(why, reason), anew = anew or code
          where connection_id = new.id and ended_at is null and (why is not null or code);
      end if;
      return null;
    end $$`.execute(db)
}
