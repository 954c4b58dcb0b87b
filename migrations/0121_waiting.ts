import { type Kysely, sql } from 'kysely'

/** Why something happened to a ticket by itself; and whoever changes what a connection says about waiting has its tickets looked at anew. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ticket_log add column rule text`.execute(db)
  await sql`
    create function wait_anew() returns trigger language plpgsql as $$ begin
      insert into deadline (company_id, aggregate_id, kind, due_at)
        select company_id, id, 'wait', house_now() from ticket where whatsapp_id = new.id and status in ('open', 'pending', 'nps')
        on conflict (aggregate_id, kind) do update set due_at = least(deadline.due_at, excluded.due_at);
      return null;
    end $$`.execute(db)
  const says = [
    ...['expires_ticket', 'when_expires_ticket', 'time_inactive_message', 'send_id_queue', 'time_send_queue', 'expires_ticket_n_p_s'],
    ...['collective_vacation_start', 'collective_vacation_end', 'schedules'],
  ]
  const row = (of: string) => sql.raw(`row(${says.map((name) => `${of}.${name}`).join()})`)
  await sql`
    create trigger waits after update on connection for each row when (${row('old')} is distinct from ${row('new')}) execute function wait_anew()`.execute(
    db,
  )
}
