import { type Kysely, sql } from 'kysely'

/**
 * Whoever makes a queue hand out its tickets, or changes how long each agent has, has those that wait in it looked at anew: with what was left of
 * an agent's time by the new measure, the whole of it where somebody was chosen otherwise, and at once where nobody was (A-ROT-01).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function rotate_anew() returns trigger language plpgsql as $$ declare
      before interval := case when old.ativar_roteador and old.tempo_roteador > 0 then make_interval(mins => old.tempo_roteador) end;
      now_each interval := make_interval(mins => new.tempo_roteador);
    begin
      insert into deadline (company_id, aggregate_id, kind, due_at)
        select company_id, id, 'rotate', house_now() + case when user_id is null then interval '0' else now_each end
        from ticket where company_id = new.company_id and queue_id = new.id and status = 'pending' and not is_bot
        on conflict (aggregate_id, kind) do update
          set due_at = case when before is null then excluded.due_at else deadline.due_at - before + now_each end;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger rotates after update on queue for each row
    when (new.ativar_roteador and new.tempo_roteador > 0 and row(old.ativar_roteador, old.tempo_roteador) is distinct from row(new.ativar_roteador, new.tempo_roteador))
    execute function rotate_anew()`.execute(db)
}
