import { type Kysely, sql } from 'kysely'

/** Who has tickets of a queue on a screen is told that it goes round now, gives another time, or does no more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger live_tickets on queue`.execute(db)
  await sql`
    create trigger live_tickets after update on queue for each row
    when ((old.name, old.color, old.ativar_roteador, old.tempo_roteador) is distinct from (new.name, new.color, new.ativar_roteador, new.tempo_roteador))
    execute function tell_tickets('queue_id', 'id')`.execute(db)
}
