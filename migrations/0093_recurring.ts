import { type Kysely, sql } from 'kysely'

/** Recurring work, by name: when it is due again, and which process is at it, until when. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table recurring (
      name       text        primary key,
      next_at    timestamptz not null,
      held_until timestamptz,
      holder     uuid
    )`.execute(db)
}
