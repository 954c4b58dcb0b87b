import { type Kysely, sql } from 'kysely'

/** How often what leaves was kept from it by a fault of ours, which waiting does not mend. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table outbox add column faults integer not null default 0`.execute(db)
}
