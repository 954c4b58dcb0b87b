import { type Kysely, sql } from 'kysely'

/** Whether what comes at the end of long work was done: also of one that was stopped, and whose process was killed just then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table long_work add column settled boolean not null default false`.execute(db)
  await sql`update long_work set settled = true where state <> 'running'`.execute(db)
  await sql`create index long_work_unsettled on long_work (beat_at) where not settled`.execute(db)
}
