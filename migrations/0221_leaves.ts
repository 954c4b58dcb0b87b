import { type Kysely, sql } from 'kysely'

/** When a message set out to somebody whose provider tells up to which moment they read; of the others, and those of before, when it was asked for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table outbox add column leaves_at timestamptz`.execute(db)
}
