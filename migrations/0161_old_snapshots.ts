import { type Kysely, sql } from 'kysely'

/** The snapshots of earlier folds (0073) and their spent ids (0092), which no release reads any more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop table ticket_past, ticket_spent, ticket_snapshot, snapshot_spent`.execute(db)
}
