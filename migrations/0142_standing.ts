import { type Kysely, sql } from 'kysely'

/** Why a connection is away, since when it is silent though it says that it stands, and when its admins were told of that outage. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table connection add column reason text, add column silent_since timestamptz, add column outage_told_at timestamptz`.execute(db)
  await sql`alter table connection_lease add column round_trip_at timestamptz`.execute(db)
}
