import { type Kysely, sql } from 'kysely'

/** As which template a message of ours went, with its fields: what it takes to send it again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table message add column template jsonb`.execute(db)
}
