import { type Kysely, sql } from 'kysely'

/** Whoever changes what a lane does by itself has the tickets in it looked at anew, and is heard by whoever holds the company's connections. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index ticket_by_lane on ticket (lane_id) where lane_id is not null`.execute(db)
  await sql`
    create function lane_anew() returns trigger language plpgsql as $$ begin
      insert into deadline (company_id, aggregate_id, kind, due_at)
        select company_id, id, 'wait', house_now() from ticket where lane_id = new.id and company_id = new.company_id and status in ('open', 'pending')
        on conflict (aggregate_id, kind) do update set due_at = least(deadline.due_at, excluded.due_at);
      perform pg_notify('leases', '');
      return null;
    end $$`.execute(db)
  const says = ['kanban', 'time_lane', 'next_lane_id', 'rollback_lane_id']
  const row = (of: string) => sql.raw(`row(${says.map((name) => `${of}.${name}`).join()})`)
  await sql`
    create trigger waits after update on tag for each row when (${row('old')} is distinct from ${row('new')}) execute function lane_anew()`.execute(
    db,
  )
}
