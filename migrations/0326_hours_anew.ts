import { type Kysely, sql } from 'kysely'

/**
 * Whoever changes when it is open (hours, holidays, whose hours count, a vacation) has what waits for an opening looked at anew (A-BOT-09,
 * A-ROT-01). Of turns only what lies further off than a turn takes: whose time is running keeps it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function open_anew() returns trigger language plpgsql as $$ declare
      company integer;
    begin
      if tg_table_name = 'company' then company := new.id; else company := coalesce(new.company_id, old.company_id); end if;
      update deadline d set due_at = house_now() from ticket t left join queue q on q.id = t.queue_id
        where t.company_id = company and t.status in ('open', 'pending', 'nps') and d.aggregate_id = t.id and d.company_id = company
          and (d.kind = 'wait' and d.due_at > house_now() or d.kind = 'rotate' and d.due_at > house_now() + make_interval(mins => q.tempo_roteador));
      return null;
    end $$`.execute(db)
  const changed = (...names: string[]) =>
    sql.raw(`row(${names.map((name) => `old.${name}`).join()}) is distinct from row(${names.map((name) => `new.${name}`).join()})`)
  const vacation = ['collective_vacation_start', 'collective_vacation_end']
  for (const [table, when] of [
    ['company', changed('schedules')],
    ['queue', changed('schedules')],
    ['connection', changed('schedules', ...vacation)],
  ] as const)
    await sql`create trigger opens after update on ${sql.table(table)} for each row when (${when}) execute function open_anew()`.execute(db)
  await sql`create trigger opens after insert or update or delete on holiday for each row execute function open_anew()`.execute(db)
  await sql`
    create trigger opens after insert or update on company_setting for each row when (new.key in ('scheduleType', 'timeZone'))
    execute function open_anew()`.execute(db)
}
