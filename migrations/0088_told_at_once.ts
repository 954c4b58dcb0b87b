import { type Kysely, sql } from 'kysely'

/** What may change by the thousand at once is told by the statement, in lines of at most 300 ids, where it was told row by row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  /* A table's rows name others that show them: "<topic> <op> <company> <id>,…" by the column that names them. */
  await sql`
    create function tell_named() returns trigger language plpgsql as $$
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
  /* The newest tickets of each contact. */
  await sql`
    create function tell_tickets_of(contacts integer[]) returns void language plpgsql as $$
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
    create function tell_contacts_tickets() returns trigger language plpgsql as $$
    begin
      perform tell_tickets_of(array(
        select n.id from changed n join before o using (id)
        where (o.name, o.number, o.email, o.url_picture, o.active, o.disable_bot, o.accept_audio_message, o.extra_info)
          is distinct from (n.name, n.number, n.email, n.url_picture, n.active, n.disable_bot, n.accept_audio_message, n.extra_info)));
      return null;
    end $$`.execute(db)
  await sql`drop trigger live_tickets on contact`.execute(db)
  await sql`
    create trigger live_tickets after update on contact referencing old table as before new table as changed
    for each statement execute function tell_contacts_tickets()`.execute(db)

  await sql`
    create function tell_labels() returns trigger language plpgsql as $$
    begin
      update tag set contacts_count = contacts_count + case tg_op when 'INSERT' then n else -n end
      from (select tag_id, count(*)::int as n from changed group by tag_id) given where tag.id = given.tag_id;
      perform tell_tickets_of(array(select distinct contact_id from changed));
      return null;
    end $$`.execute(db)
  await sql`drop trigger live on contact_tag`.execute(db)
  await sql`drop trigger live_tickets on contact_tag`.execute(db)
  for (const [op, rows] of [
    ['insert', 'new'],
    ['delete', 'old'],
  ] as const) {
    const told = sql.raw(`after ${op} on contact_tag referencing ${rows} table as changed for each statement execute function`)
    await sql`create trigger ${sql.raw(`labels_${op}`)} ${told} tell_labels()`.execute(db)
    await sql`create trigger ${sql.raw(`live_${op}`)} ${told} tell_named('contact update', 'contact_id')`.execute(db)
  }

  await sql`drop trigger live on user_queue`.execute(db)
  for (const [op, rows] of [
    ['insert', 'new'],
    ['update', 'new'],
    ['delete', 'old'],
  ] as const) {
    const told = (table: string) =>
      sql.raw(`after ${op} on ${table} referencing ${rows} table as changed for each statement execute function`)
    await sql`create trigger ${sql.raw(`live_${op}`)} ${told('user_queue')} tell_named('user update', 'user_id')`.execute(db)
    /* A connection's queues decide where its customers come to. */
    await sql`create trigger ${sql.raw(`live_${op}`)} ${told('connection_queue')} tell_named('whatsapp update', 'connection_id')`.execute(
      db,
    )
  }

  await sql`
    create function tell_presences() returns trigger language plpgsql as $$
    declare line record;
    begin
      for line in
        select company_id, string_agg(id::text, ',') as ids from (
          select n.company_id, n.id, (row_number() over (partition by n.company_id)) / 300 as part
          from changed n join before o using (id) where o.online is distinct from n.online) rows
        group by company_id, part
      loop
        perform pg_notify('changes', 'user presence ' || line.company_id || ' ' || line.ids);
      end loop;
      return null;
    end $$`.execute(db)
  await sql`drop trigger live_insert on user_presence`.execute(db)
  await sql`drop trigger live_update on user_presence`.execute(db)
  await sql`
    create trigger live_insert after insert on user_presence referencing new table as changed
    for each statement execute function tell_named('user presence', 'id')`.execute(db)
  await sql`
    create trigger live_update after update on user_presence referencing old table as before new table as changed
    for each statement execute function tell_presences()`.execute(db)

  await sql`drop trigger live_dismissed on failure_dismissal`.execute(db)
  await sql`
    create trigger live_dismissed after insert on failure_dismissal referencing new table as changed
    for each statement execute function tell_named('appMessage update', 'message_id')`.execute(db)
}
