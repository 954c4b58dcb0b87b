import { type Kysely, sql } from 'kysely'

/** A contact's row shows the name of its connection: after a change, the newest contacts of the connection are notified. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function notify_contacts_of_connection() returns trigger language plpgsql as $$
        declare line record;
        begin
          for line in
            select string_agg(id::text, ',') as ids from (
              select id, (row_number() over ()) / 300 as part from (
                select id from contact where company_id = old.company_id and whatsapp_id = old.id order by id desc limit 1500) newest) rows
            group by part
          loop
            perform pg_notify('changes', 'contact update ' || old.company_id || ' ' || line.ids);
          end loop;
          return null;
        end $$`.execute(db)
  await sql`
    create trigger live_contacts_update after update on connection
      for each row
      when (old.name is distinct from new.name)
      execute function notify_contacts_of_connection()`.execute(db)
  await sql`
    create trigger live_contacts_delete after delete on connection
      for each row
      execute function notify_contacts_of_connection()`.execute(db)
}
