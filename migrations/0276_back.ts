import { type Kysely, sql } from 'kysely'

/** When a connection was back of which its admins were told that it is away, until they are told of that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table connection add column back_at timestamptz`.execute(db)
}
