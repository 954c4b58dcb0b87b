import { type Kysely, sql } from 'kysely'

/** What the counters of failed sign-ins ask for, and whether an account came in from an address before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index login_failure_by_time on login_failure (at)`.execute(db)
  await sql`create index security_event_by_user on security_event (user_id, kind, address)`.execute(db)
}
