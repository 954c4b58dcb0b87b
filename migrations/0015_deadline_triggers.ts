import { type Kysely, sql } from 'kysely'

/** A change of hours, lanes, rotation or inactivity rules makes the deadlines of its tickets due, so that they are decided again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function check_opening_deadlines() returns trigger language plpgsql as $$ declare
          company integer;
        begin
          if tg_table_name = 'company' then company := new.id; else company := coalesce(new.company_id, old.company_id); end if;
          update deadline d set due_at = app_now() from ticket t left join queue q on q.id = t.queue_id
            where t.company_id = company and t.status in ('open', 'pending', 'nps') and d.aggregate_id = t.id and d.company_id = company
              and (d.kind = 'inactivity' and d.due_at > app_now() or d.kind = 'rotation' and d.due_at > app_now() + make_interval(mins => q.tempo_roteador));
          return null;
        end $$`.execute(db)
  await sql`
    create function check_inactivity_deadlines() returns trigger language plpgsql as $$ begin
          insert into deadline (company_id, aggregate_id, kind, due_at)
            select company_id, id, 'inactivity', app_now() from ticket where whatsapp_id = new.id and status in ('open', 'pending', 'nps')
            on conflict (aggregate_id, kind) do update set due_at = least(deadline.due_at, excluded.due_at);
          return null;
        end $$`.execute(db)
  await sql`
    create function check_lane_deadlines() returns trigger language plpgsql as $$ begin
          insert into deadline (company_id, aggregate_id, kind, due_at)
            select company_id, id, 'inactivity', app_now() from ticket where lane_id = new.id and company_id = new.company_id and status in ('open', 'pending')
            on conflict (aggregate_id, kind) do update set due_at = least(deadline.due_at, excluded.due_at);
          perform pg_notify('leases', '');
          return null;
        end $$`.execute(db)
  await sql`
    create function check_rotation_deadlines() returns trigger language plpgsql as $$ declare
          before interval := case when old.ativar_roteador and old.tempo_roteador > 0 then make_interval(mins => old.tempo_roteador) end;
          now_each interval := make_interval(mins => new.tempo_roteador);
        begin
          insert into deadline (company_id, aggregate_id, kind, due_at)
            select company_id, id, 'rotation', app_now() + case when user_id is null then interval '0' else now_each end
            from ticket where company_id = new.company_id and queue_id = new.id and status = 'pending' and not is_bot
            on conflict (aggregate_id, kind) do update
              set due_at = case when before is null then excluded.due_at else deadline.due_at - before + now_each end;
          return null;
        end $$`.execute(db)
  await sql`
    create trigger check_opening_deadlines after update on company
      for each row
      when (old.schedules is distinct from new.schedules)
      execute function check_opening_deadlines()`.execute(db)
  await sql`
    create trigger check_opening_deadlines after insert or update on company_setting
      for each row
      when (new.key = any (array['scheduleType', 'timeZone']))
      execute function check_opening_deadlines()`.execute(db)
  await sql`
    create trigger check_opening_deadlines after update on connection
      for each row
      when (((old.schedules is distinct from new.schedules) or (old.collective_vacation_start is distinct from new.collective_vacation_start)) or (old.collective_vacation_end is distinct from new.collective_vacation_end))
      execute function check_opening_deadlines()`.execute(db)
  await sql`
    create trigger check_inactivity_deadlines after update on connection
      for each row
      when (((((((((old.expires_ticket is distinct from new.expires_ticket) or (old.when_expires_ticket is distinct from new.when_expires_ticket)) or (old.time_inactive_message is distinct from new.time_inactive_message)) or (old.send_id_queue is distinct from new.send_id_queue)) or (old.time_send_queue is distinct from new.time_send_queue)) or (old.expires_ticket_n_p_s is distinct from new.expires_ticket_n_p_s)) or (old.collective_vacation_start is distinct from new.collective_vacation_start)) or (old.collective_vacation_end is distinct from new.collective_vacation_end)) or (old.schedules is distinct from new.schedules))
      execute function check_inactivity_deadlines()`.execute(db)
  await sql`
    create trigger check_opening_deadlines after insert or delete or update on holiday
      for each row
      execute function check_opening_deadlines()`.execute(db)
  await sql`
    create trigger check_opening_deadlines after update on queue
      for each row
      when (old.schedules is distinct from new.schedules)
      execute function check_opening_deadlines()`.execute(db)
  await sql`
    create trigger check_rotation_deadlines after update on queue
      for each row
      when (new.ativar_roteador and (new.tempo_roteador > 0) and ((old.ativar_roteador is distinct from new.ativar_roteador) or (old.tempo_roteador is distinct from new.tempo_roteador)))
      execute function check_rotation_deadlines()`.execute(db)
  await sql`
    create trigger check_inactivity_deadlines after update on tag
      for each row
      when ((((old.kanban is distinct from new.kanban) or (old.time_lane is distinct from new.time_lane)) or (old.next_lane_id is distinct from new.next_lane_id)) or (old.rollback_lane_id is distinct from new.rollback_lane_id))
      execute function check_lane_deadlines()`.execute(db)
}
