import { type Kysely, sql } from 'kysely'

/** Merged contacts: the source points to its target, and both are one person (A-MERGE-01). */
export async function up(db: Kysely<unknown>): Promise<void> {
  /* `person_id`: the contact that is shown for this one, itself if it is not merged. */
  await sql`
    alter table contact
      add column merged_into_id integer references contact (id) on delete set null,
      add column person_id integer generated always as (coalesce(merged_into_id, id)) stored`.execute(db)
  /* The contacts of a person. */
  await sql`create index contact_by_person on contact (person_id)`.execute(db)
  /* Contacts with the same address. */
  await sql`create index contact_email on contact (company_id, lower(email)) where email <> ''`.execute(db)
  /* Every merge, also undone ones. `changes`: what the target got, with what both had before. */
  await sql`
    create table contact_merge (
      id             integer generated always as identity primary key,
      company_id     integer not null,
      source_id      integer not null references contact (id) on delete cascade,
      target_id      integer not null references contact (id) on delete cascade,
      user_id        integer,
      created_at     timestamptz default app_now() not null,
      undone_at      timestamptz,
      undone_user_id integer,
      changes        jsonb not null
    )`.execute(db)
  /* A contact points to one target. */
  await sql`create unique index contact_merge_source on contact_merge (source_id) where undone_at is null`.execute(db)
  /* The merges of a target. */
  await sql`create index contact_merge_target on contact_merge (target_id)`.execute(db)

  await sql`alter table active_ticket add column person_id integer`.execute(db)
  await sql`update active_ticket set person_id = contact_id`.execute(db)
  /* The one active ticket of a person on a connection. */
  await sql`create unique index active_ticket_of_person on active_ticket (company_id, connection_id, person_id)`.execute(db)
  await sql`
    create or replace function refuse_deleted_contact() returns trigger language plpgsql as $$
      declare deleted timestamptz; person integer;
      begin
        -- the lock waits for a deletion or a merge that is under way
        select deleted_at, person_id into deleted, person from contact where id = new.contact_id for key share;
        if deleted is not null then
          raise exception 'contact % is deleted', new.contact_id using errcode = 'foreign_key_violation';
        end if;
        new.person_id := coalesce(person, new.contact_id);
        return new;
      end $$`.execute(db)

  /* What a merge has copied goes with the key of either contact. */
  await sql`
    create function forget_contact_merges() returns trigger language plpgsql as $$
        begin
          update contact_merge set changes = '{}' where new.contact_id in (source_id, target_id) and company_id = new.company_id;
          return null;
        end $$`.execute(db)
  await sql`
    create trigger forget_contact_merges after insert or update of destroyed_at on contact_key
      for each row
      when (new.destroyed_at is not null)
      execute function forget_contact_merges()`.execute(db)

  /* The tickets of a merged contact show its target, so a change of the target changes them too. */
  await sql`
    create or replace function notify_tickets_of(contacts integer[]) returns void language plpgsql as $$
        declare line record;
        begin
          for line in
            select company_id, string_agg(id::text, ',') as ids from (
              select t.company_id, t.id, (row_number() over (partition by t.company_id)) / 300 as part
              from (select unnest(contacts) union select id from contact where person_id = any(contacts)) named (contact)
              cross join lateral (select company_id, id from ticket where contact_id = contact order by id desc limit 1500) t) rows
            group by company_id, part
          loop
            perform pg_notify('changes', 'ticket update ' || line.company_id || ' ' || line.ids);
          end loop;
        end $$`.execute(db)
  await sql`
    create or replace function notify_tickets_of_contacts() returns trigger language plpgsql as $$
        begin
          perform notify_tickets_of(array(
            select n.id from changed n join before o using (id)
            where (o.name, o.number, o.email, o.url_picture, o.active, o.disable_bot, o.accept_audio_message, o.extra_info, o.merged_into_id)
              is distinct from (n.name, n.number, n.email, n.url_picture, n.active, n.disable_bot, n.accept_audio_message, n.extra_info, n.merged_into_id)));
          return null;
        end $$`.execute(db)
  await sql`
    create or replace function notify_tagged() returns trigger language plpgsql as $$
        declare line record;
        begin
          for line in
            with labelled as (select contact_id from contact_tag where tag_id = new.id order by contact_id desc limit 1500),
            parts as (
              select 'contact' as topic, contact_id as id, (row_number() over ()) / 300 as part from labelled
              union all
              select 'ticket', id, (row_number() over ()) / 300 from (
                select id from ticket where contact_id in (select id from contact where person_id in (select contact_id from labelled))
                  and status <> 'closed' order by id desc limit 1500) newest
            )
            select topic, string_agg(id::text, ',') as ids from parts group by topic, part
          loop
            perform pg_notify('changes', line.topic || ' update ' || new.company_id || ' ' || line.ids);
          end loop;
          return null;
        end $$`.execute(db)
}
