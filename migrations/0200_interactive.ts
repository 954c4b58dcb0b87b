import { type Kysely, sql } from 'kysely'

/** What a message lets its reader choose or touch, in the thread and on the sandbox's phones; and whether a connection sends such messages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table message add column interactive jsonb`.execute(db)
  await sql`alter table sandbox_message add column interactive jsonb`.execute(db)
  await sql`alter table connection add column interactive_messages text not null default 'enabled'`.execute(db)
}
