import { type Kysely, sql } from 'kysely'

/**
 * A conversation in its order: a page of it is found by walking this index alone, newest first, however long it is. The old index, whose
 * columns ran against each other, could not say that order for more than one ticket.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index message_in_order on message (ticket_id, revision) include (id)`.execute(db)
  await sql`drop index message_by_ticket`.execute(db)
}
