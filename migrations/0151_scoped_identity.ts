import { type Kysely, sql } from 'kysely'

/** On WhatsApp too somebody may be known to a business by an id of its own alone, such as BR.1502…; such an id is its own key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function identity_kind(contact) returns text language sql immutable as
      $$ select case when $1.is_group then 'group' when $1.channel in ('facebook', 'instagram') or $1.number ~ '^[A-Z]{2}[.]' then 'scoped'
        when $1.number like '%@lid' then 'lid' else 'phone' end $$`.execute(db)
  await sql`
    create or replace function identify_contact() returns trigger language plpgsql as $$
    begin
      if new.deleted_at is not null then
        delete from contact_identity where contact_id = new.id;
      else
        if tg_op = 'UPDATE' then
          delete from contact_identity where contact_id = old.id and kind = 'phone' and identity_kind(old) = 'phone' and key = old.number_key;
        end if;
        insert into contact_identity (company_id, network, kind, key, id, contact_id)
          values (new.company_id, replace(new.channel, 'whatsappapi', 'whatsapp'), identity_kind(new),
            case identity_kind(new) when 'scoped' then new.number else replace(new.number_key, '@lid', '') end, replace(new.number, '@lid', ''), new.id)
          on conflict do nothing;
      end if;
      return null;
    end $$`.execute(db)
}
