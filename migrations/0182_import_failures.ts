import { type Kysely, sql } from 'kysely'

/** What cannot be imported is set aside after some failures of its own; what was imported is found by its ticket. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['wa_history', 'import_chat'])
    await sql`alter table ${sql.id(table)} add column failures integer not null default 0`.execute(db)
  await sql`create index import_chat_by_ticket on import_chat (ticket_id)`.execute(db)
}
