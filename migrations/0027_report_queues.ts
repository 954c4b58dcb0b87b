import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  /* The queues that dashboard, panel and report of a user are limited to; null: all, empty: none (A-VIS-04). */
  await sql`alter table "user" add column report_queue_ids integer[]`.execute(db)
}
