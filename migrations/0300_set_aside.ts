import { type Kysely, sql } from 'kysely'

/** What was told and not taken is looked for by itself: an operator counts it, and has it tried again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index journal_set_aside on journal (id) where refused is not null and heard is not null`.execute(db)
}
