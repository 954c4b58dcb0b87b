import { type Kysely, sql } from 'kysely'

/** A ticket's row shows its contact with labels, its queue, connection and owner: when one of them changes, the rows that show it did too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  /* The newest ones of a contact; of what many tickets share, those at work, for a closed list is read anew when it is opened. */
  await sql`
    create function tell_tickets() returns trigger language plpgsql as $$
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
    create trigger live_tickets after update on contact for each row
    when ((old.name, old.number, old.email, old.url_picture, old.active, old.disable_bot, old.accept_audio_message, old.extra_info)
      is distinct from (new.name, new.number, new.email, new.url_picture, new.active, new.disable_bot, new.accept_audio_message, new.extra_info))
    execute function tell_tickets('contact_id', 'id')`.execute(db)
  await sql`
    create trigger live_tickets after insert or delete on contact_tag for each row
    execute function tell_tickets('contact_id', 'contact_id')`.execute(db)
  for (const [table, shown] of [
    ['queue', 'queue_id'],
    ['connection', 'whatsapp_id'],
    ['"user"', 'user_id'],
  ] as const)
    await sql`
      create trigger live_tickets after update on ${sql.raw(table)} for each row
      when ((old.name, old.color) is distinct from (new.name, new.color))
      execute function tell_tickets(${sql.lit(shown)}, 'id')`.execute(db)

  /* Of a label's contacts the newest, and their tickets at work. */
  await sql`
    create function tell_labelled() returns trigger language plpgsql as $$
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
    create trigger live_labelled after update on tag for each row
    when ((old.name, old.color) is distinct from (new.name, new.color)) execute function tell_labelled()`.execute(db)
}
