import { type Kysely, sql } from 'kysely'

/** That the last word of a ticket, of ours, was written on the phone of the company. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ticket add column last_message_elsewhere boolean not null default false`.execute(db)
}
