import { type Kysely, sql } from 'kysely'

/**
 * By what contacts are known on a network (a phone is one person by WhatsApp's both ways in); what their own number says of it follows that
 * by itself, whoever writes it. And who was told to be one person and stands here twice.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table contact_identity (
      company_id integer not null,
      network    text    not null,
      kind       text    not null,
      key        text    not null,
      id         text    not null,
      contact_id integer not null references contact (id) on delete cascade,
      primary key (company_id, network, kind, key)
    )`.execute(db)
  await sql`create index contact_identity_contact on contact_identity (contact_id)`.execute(db)
  await sql`
    create table contact_duplicate (
      company_id   integer     not null,
      contact_id   integer     not null references contact (id) on delete cascade,
      duplicate_id integer     not null references contact (id) on delete cascade,
      found_at     timestamptz not null default house_now(),
      primary key (contact_id, duplicate_id)
    )`.execute(db)
  await sql`
    create function identity_kind(contact) returns text language sql immutable as
      $$ select case when $1.is_group then 'group' when $1.channel in ('facebook', 'instagram') then 'scoped'
        when $1.number like '%@lid' then 'lid' else 'phone' end $$`.execute(db)
  await sql`
    create function identify_contact() returns trigger language plpgsql as $$
    begin
      if new.deleted_at is not null then
        delete from contact_identity where contact_id = new.id;
      else
        if tg_op = 'UPDATE' then
          delete from contact_identity where contact_id = old.id and kind = 'phone' and identity_kind(old) = 'phone' and key = old.number_key;
        end if;
        insert into contact_identity (company_id, network, kind, key, id, contact_id)
          values (new.company_id, replace(new.channel, 'whatsappapi', 'whatsapp'), identity_kind(new), replace(new.number_key, '@lid', ''), replace(new.number, '@lid', ''), new.id)
          on conflict do nothing;
      end if;
      return null;
    end $$`.execute(db)
  await sql`create trigger identify_insert after insert on contact for each row execute function identify_contact()`.execute(db)
  await sql`
    create trigger identify_update after update of number, number_key, channel, is_group, deleted_at on contact
      for each row execute function identify_contact()`.execute(db)
  await sql`
    insert into contact_identity (company_id, network, kind, key, id, contact_id)
      select company_id, replace(channel, 'whatsappapi', 'whatsapp'), identity_kind(contact), number_key, number, id
      from contact where deleted_at is null order by id
      on conflict do nothing`.execute(db)
}
