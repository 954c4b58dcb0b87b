import { type Kysely, sql } from 'kysely'

/** Until when WhatsApp lets a number that is linked by QR code begin no conversations. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table connection add column no_new_chats_until timestamptz`.execute(db)
}
