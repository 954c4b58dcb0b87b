import { type Kysely, sql } from 'kysely'

/** Live updates: each statement notifies the channel `changes` of the rows it changed, as "<topic> <operation> <company> <id>,<id>…". */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function notify_change() returns trigger language plpgsql as $$
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
          execute format('create trigger live_insert after insert on %s referencing new table as changed for each statement execute function notify_change(%L)', live_table, topic);
          execute format('create trigger live_update after update on %s referencing new table as changed for each statement execute function notify_change(%L)', live_table, topic);
          execute format('create trigger live_delete after delete on %s referencing old table as changed for each statement execute function notify_change(%L)', live_table, topic);
        end $$`.execute(db)
  await sql`
    create function notify_referenced() returns trigger language plpgsql as $$
        declare line record;
        begin
          for line in execute format(
            'select company_id, string_agg(id::text, '','') as ids from (
               select company_id, id, (row_number() over (partition by company_id)) / 300 as part from (
                 select distinct company_id, %1$I as id from changed) named) rows
             group by company_id, part', tg_argv[1])
          loop
            perform pg_notify('changes', tg_argv[0] || ' ' || line.company_id || ' ' || line.ids);
          end loop;
          return null;
        end $$`.execute(db)
  await sql`
    create function notify_tickets() returns trigger language plpgsql as $$
        declare
          line   record;
          shown  text := tg_argv[0];
          wanted int  := (to_jsonb(coalesce(new, old))->>tg_argv[1])::int;
        begin
          for line in execute format(
            'select company_id, string_agg(id::text, '','') as ids from (
               select company_id, id, (row_number() over ()) / 300 as part from (
                 select company_id, id from ticket where %1$I = $1 %2$s order by id desc limit 1500) newest) rows
             group by company_id, part',
            shown, case when shown = 'contact_id' then '' else 'and status <> ''closed''' end) using wanted
          loop
            perform pg_notify('changes', 'ticket update ' || line.company_id || ' ' || line.ids);
          end loop;
          return null;
        end $$`.execute(db)
  await sql`
    create function notify_tickets_of(contacts integer[]) returns void language plpgsql as $$
        declare line record;
        begin
          for line in
            select company_id, string_agg(id::text, ',') as ids from (
              select t.company_id, t.id, (row_number() over (partition by t.company_id)) / 300 as part
              from unnest(contacts) contact
              cross join lateral (select company_id, id from ticket where contact_id = contact order by id desc limit 1500) t) rows
            group by company_id, part
          loop
            perform pg_notify('changes', 'ticket update ' || line.company_id || ' ' || line.ids);
          end loop;
        end $$`.execute(db)
  await sql`
    create function notify_tickets_of_contacts() returns trigger language plpgsql as $$
        begin
          perform notify_tickets_of(array(
            select n.id from changed n join before o using (id)
            where (o.name, o.number, o.email, o.url_picture, o.active, o.disable_bot, o.accept_audio_message, o.extra_info)
              is distinct from (n.name, n.number, n.email, n.url_picture, n.active, n.disable_bot, n.accept_audio_message, n.extra_info)));
          return null;
        end $$`.execute(db)
  await sql`
    create function notify_tagged() returns trigger language plpgsql as $$
        declare line record;
        begin
          for line in
            with labelled as (select contact_id from contact_tag where tag_id = new.id order by contact_id desc limit 1500),
            parts as (
              select 'contact' as topic, contact_id as id, (row_number() over ()) / 300 as part from labelled
              union all
              select 'ticket', id, (row_number() over ()) / 300 from (
                select id from ticket where contact_id in (select contact_id from labelled) and status <> 'closed' order by id desc limit 1500) newest
            )
            select topic, string_agg(id::text, ',') as ids from parts group by topic, part
          loop
            perform pg_notify('changes', line.topic || ' update ' || new.company_id || ' ' || line.ids);
          end loop;
          return null;
        end $$`.execute(db)
  await sql`
    create function notify_contact_tags() returns trigger language plpgsql as $$
        begin
          update tag set contacts_count = contacts_count + case tg_op when 'INSERT' then n else -n end
          from (select tag_id, count(*)::int as n from changed group by tag_id) given where tag.id = given.tag_id;
          perform notify_tickets_of(array(select distinct contact_id from changed));
          return null;
        end $$`.execute(db)
  await sql`
    create function notify_presences() returns trigger language plpgsql as $$
        declare line record;
        begin
          for line in
            select company_id, string_agg(id::text, ',') as ids from (
              select n.company_id, n.id, (row_number() over (partition by n.company_id)) / 300 as part
              from changed n join before o using (id)
              where (o.online, o.away, o.idle, o.is_full) is distinct from (n.online, n.away, n.idle, n.is_full)) rows
            group by company_id, part
          loop
            perform pg_notify('changes', 'user presence ' || line.company_id || ' ' || line.ids);
          end loop;
          return null;
        end $$`.execute(db)
  await sql`
    create function increment_label_version() returns trigger language plpgsql as $$
        begin
          insert into label_version (company_id, version) values (coalesce(new.company_id, old.company_id), 1)
          on conflict (company_id) do update set version = label_version.version + 1;
          return null;
        end $$`.execute(db)
}
