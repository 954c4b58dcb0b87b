import { type Kysely, sql } from 'kysely'

/** What a customer wrote and somebody of ours has seen (A-TICKET-06). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table message add column read boolean not null default false`.execute(db)
  await sql`create index message_unread on message (ticket_id, revision) where not read and not from_me`.execute(db)
}
