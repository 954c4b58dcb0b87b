import { type Kysely, sql } from 'kysely'

/** As which message one that did not leave was sent once more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table message add column sent_again integer`.execute(db)
}
