import { type Kysely, sql } from 'kysely'

/** Contacts, by every identity that a network knows them by. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table contact (
      id                   integer generated always as identity primary key,
      uuid                 uuid default gen_random_uuid() not null,
      company_id           integer not null,
      name                 text not null,
      number               text not null,
      number_key           text not null,
      email                text default '' not null,
      channel              text not null,
      is_group             boolean default false not null,
      active               boolean default true not null,
      disable_bot          boolean default false not null,
      accept_audio_message boolean default true not null,
      lgpd_accepted_at     timestamptz,
      url_picture          text,
      whatsapp_id          integer,
      extra_info           jsonb default '[]' not null,
      created_at           timestamptz default app_now() not null,
      updated_at           timestamptz default app_now() not null,
      deleted_at           timestamptz,
      version              integer default 1 not null,
      lgpd_text            text,
      valid_number         boolean default true not null,
      nameless             boolean default false not null
    )`.execute(db)
  /* The list of contacts. */
  await sql`create index contact_by_name on contact (company_id, name, id)`.execute(db)
  /* One contact per number and channel. */
  await sql`create unique index contact_number on contact (company_id, channel, number_key) where deleted_at is null`.execute(db)
  /* Search by parts of a number. */
  await sql`create index contact_number_search on contact using gin (number_forms(number) gin_trgm_ops)`.execute(db)
  /* Search by parts of a name. */
  await sql`create index contact_search on contact using gin (plain(name) gin_trgm_ops)`.execute(db)
  await sql`select make_live('contact', 'contact')`.execute(db)
  /* Every id by which a network knows a contact: phone number, LID, group or scoped id. */
  await sql`
    create table contact_identity (
      company_id integer not null,
      network    text not null,
      kind       text not null,
      key        text not null,
      id         text not null,
      contact_id integer not null references contact (id) on delete cascade,
      primary key (company_id, network, kind, key)
    )`.execute(db)
  /* Identities of a contact. */
  await sql`create index contact_identity_contact on contact_identity (contact_id)`.execute(db)
  /* Two contacts that are probably one person. */
  await sql`
    create table contact_duplicate (
      company_id   integer not null,
      contact_id   integer not null references contact (id) on delete cascade,
      duplicate_id integer not null references contact (id) on delete cascade,
      found_at     timestamptz default app_now() not null,
      primary key (contact_id, duplicate_id)
    )`.execute(db)
  /* Duplicates from the other side. */
  await sql`create index contact_duplicate_of on contact_duplicate (duplicate_id)`.execute(db)
  await sql`
    create table contact_tag (
      company_id integer not null,
      contact_id integer not null references contact (id) on delete cascade,
      tag_id     integer not null references tag (id) on delete cascade,
      primary key (contact_id, tag_id)
    )`.execute(db)
  /* Contacts of a tag. */
  await sql`create index contact_tag_by_tag on contact_tag (tag_id, contact_id)`.execute(db)
  /* When the picture of a contact was last asked for at the provider. */
  await sql`
    create table contact_picture (
      contact_id integer primary key references contact (id) on delete cascade,
      company_id integer not null,
      asked_at   timestamptz not null
    )`.execute(db)
  await sql`
    create function identity_kind(contact) returns text language sql immutable as $$ select case when $1.is_group then 'group' when $1.channel in ('facebook', 'instagram') or $1.number ~ '^[A-Z]{2}[.]' then 'scoped'
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
              values (new.company_id, replace(new.channel, 'whatsappapi', 'whatsapp'), identity_kind(new),
                case identity_kind(new) when 'scoped' then new.number else replace(new.number_key, '@lid', '') end, replace(new.number, '@lid', ''), new.id)
              on conflict do nothing;
          end if;
          return null;
        end $$`.execute(db)
  await sql`
    create trigger identify_insert after insert on contact
      for each row
      execute function identify_contact()`.execute(db)
  await sql`
    create trigger identify_update after update of number, number_key, channel, is_group, deleted_at on contact
      for each row
      execute function identify_contact()`.execute(db)
  await sql`
    create trigger live_tickets after update on contact referencing old table as before new table as changed
      for each statement
      execute function notify_tickets_of_contacts()`.execute(db)
  await sql`
    create trigger tags_delete after delete on contact_tag referencing old table as changed
      for each statement
      execute function notify_contact_tags()`.execute(db)
  await sql`
    create trigger tags_insert after insert on contact_tag referencing new table as changed
      for each statement
      execute function notify_contact_tags()`.execute(db)
  await sql`
    create trigger live_delete after delete on contact_tag referencing old table as changed
      for each statement
      execute function notify_referenced('contact update', 'contact_id')`.execute(db)
  await sql`
    create trigger live_insert after insert on contact_tag referencing new table as changed
      for each statement
      execute function notify_referenced('contact update', 'contact_id')`.execute(db)
}
