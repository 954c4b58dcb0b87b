import { type Kysely, sql } from 'kysely'

/** Whose a kept message is, by the id that WhatsApp told of them, so that it goes with them: whose key is destroyed is erased here too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table wa_message add column who text not null default ''`.execute(db)
  await sql`create index wa_message_by_who on wa_message (company_id, who)`.execute(db)
  await sql`
    create function forget_wa_messages() returns trigger language plpgsql as $$
    begin
      delete from wa_message w using contact_identity i
        where i.contact_id = new.contact_id and i.company_id = new.company_id and w.company_id = i.company_id and w.who in (i.id, i.key);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger forget_wa_messages after update of destroyed_at on contact_key
      for each row when (new.destroyed_at is not null) execute function forget_wa_messages()`.execute(db)
}
