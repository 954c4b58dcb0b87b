import { type Kysely, sql } from 'kysely'

/**
 * When it is the next one's turn the deadline says, which is moved where a queue gives less time or none: a row's own moment, turn_ends_at, is
 * written no more, and goes with the release behind this one. Who holds what rows show of queues learns that one goes round now, or does no more.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger move_labels on queue`.execute(db)
  await sql`
    create trigger move_labels after insert or delete or update of name, color, ativar_roteador, tempo_roteador on queue for each row
    execute function move_labels()`.execute(db)
}
