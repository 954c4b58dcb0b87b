import { type Kysely, sql } from 'kysely'

/**
 * Keeps each version of the rules by which past times are measured: opening hours, holidays, time zone, whose hours count, and the target
 * for the first answer.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  /* `kind`: company, connection or queue (weekly hours), holidays (days), or the key of a setting. `owner_id`: 0 for what the company has once. */
  await sql`
    create table rule_version (
      company_id integer not null,
      kind       text not null,
      owner_id   integer not null,
      valid_from timestamptz not null,
      value      jsonb not null,
      primary key (company_id, kind, owner_id, valid_from)
    )`.execute(db)
  /* The parts of time that the measures of a closing consist of; open hours are counted in them. */
  await sql`
    alter table ticket_closing
      add column part_from      float8[] not null default '{}',
      add column part_to        float8[] not null default '{}',
      add column part_queue_ids integer[] not null default '{}',
      add column part_measures  integer[] not null default '{}'`.execute(db)
  await keepVersions(db)
  await copyPresentVersions(db)
}

/** Triggers write the versions, so that no way of saving can forget one. One transaction makes one version. */
async function keepVersions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function record_rule_version() returns trigger language plpgsql as $$ declare
          company integer;
          called text;
          owner integer := 0;
          since timestamptz := app_now();
          content jsonb;
        begin
          if tg_table_name = 'company' then
            company := new.id; called := 'company'; content := new.schedules;
          elsif tg_table_name = 'company_setting' then
            company := new.company_id; called := new.key; content := to_jsonb(new.value);
          elsif tg_table_name = 'holiday' then
            company := coalesce(new.company_id, old.company_id); called := 'holidays';
            content := (select coalesce(jsonb_agg(h.date order by h.date), '[]') from holiday h where h.company_id = company);
          else
            company := new.company_id; called := tg_table_name; owner := new.id; content := new.schedules;
          end if;
          if tg_op = 'INSERT' and tg_table_name in ('company', 'connection', 'queue') then since := '-infinity'; end if;
          since := greatest(since, (select max(valid_from) from rule_version
            where company_id = company and kind = called and owner_id = owner));
          insert into rule_version (company_id, kind, owner_id, valid_from, value) values (company, called, owner, since, content)
            on conflict (company_id, kind, owner_id, valid_from) do update set value = excluded.value;
          return null;
        end $$`.execute(db)
  for (const table of ['company', 'connection', 'queue']) {
    await sql`
      create trigger record_first_hours after insert on ${sql.table(table)} for each row execute function record_rule_version()`.execute(db)
    await sql`
      create trigger record_changed_hours after update on ${sql.table(table)} for each row
        when (old.schedules is distinct from new.schedules) execute function record_rule_version()`.execute(db)
  }
  await sql`
    create trigger record_holidays after insert or delete or update on holiday for each row execute function record_rule_version()`.execute(
    db,
  )
  await sql`
    create trigger record_setting after insert or update on company_setting for each row
      when (new.key = any (array['scheduleType', 'timeZone', 'firstAnswerTarget', 'firstAnswerTargetOpenHours']))
      execute function record_rule_version()`.execute(db)
}

/** The versions so far, as far as the audit and the security log know them; without an entry, the present value counts for all the past. */
async function copyPresentVersions(db: Kysely<unknown>): Promise<void> {
  await sql`
    with changed as (
      select company_id, list as kind, case list when 'company' then 0 else row_id end as owner_id, at, id as n,
        before -> 'schedules' as was, after -> 'schedules' as became
      from audit where list in ('company', 'connection', 'queue') and act = 'changed' and before ? 'schedules' and after ? 'schedules'
      union all
      select company_id, 'holidays', 0, at, id, jsonb_path_query_array(before, '$.holidays[*].date'), jsonb_path_query_array(after, '$.holidays[*].date')
      from audit where list = 'company' and act = 'changed' and before ? 'holidays' and after ? 'holidays'
      union all
      select company_id, detail ->> 'setting', 0, at, n, detail -> 'from', detail -> 'to'
      from security_event where kind = 'settingChanged' and company_id <> 0 and detail ->> 'setting' in ('scheduleType', 'timeZone')),
    first as (select distinct on (company_id, kind, owner_id) * from changed order by company_id, kind, owner_id, at, n),
    last as (select distinct on (company_id, kind, owner_id, at) * from changed order by company_id, kind, owner_id, at, n desc)
    insert into rule_version (company_id, kind, owner_id, valid_from, value)
      select company_id, kind, owner_id, '-infinity', was from first
      union all select company_id, kind, owner_id, at, became from last`.execute(db)
  /* A present value is valid since ever if no change is known, and from now on if the last known change says something else. */
  await sql`
    with present as (
      select id as company_id, 'company' as kind, 0 as owner_id, schedules as value from company
      union all select company_id, 'connection', id, schedules from connection
      union all select company_id, 'queue', id, schedules from queue
      union all select company_id, key, 0, to_jsonb(value) from company_setting where key in ('scheduleType', 'timeZone')
      union all select company_id, 'holidays', 0, jsonb_agg(date order by date) from holiday group by company_id)
    insert into rule_version (company_id, kind, owner_id, valid_from, value)
      select company_id, kind, owner_id, case when known.value is null then '-infinity' else app_now() end, present.value
      from present left join lateral (
        select v.value from rule_version v
        where v.company_id = present.company_id and v.kind = present.kind and v.owner_id = present.owner_id
        order by v.valid_from desc limit 1) known on true
      where known.value is distinct from present.value`.execute(db)
}
