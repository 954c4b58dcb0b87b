import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ticket add column last_message_ack integer`.execute(db)
  await sql`
    update ticket set last_message_ack = message.ack
    from message where message.id = ticket.last_message_id and ticket.last_message_from_me`.execute(db)
}
