import { type Kysely, sql } from 'kysely'

/** What an act over many meant when it was asked first, and how many it came to: asked again it means the same ones, whoever came in between. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table answered add column meant integer[], add column count integer`.execute(db)
}
