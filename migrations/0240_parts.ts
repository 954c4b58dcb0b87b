import { type Kysely, sql } from 'kysely'

/** Of what goes out as several messages: how many of them have not left yet, and the provider's ids of those behind the first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table outbox add column parts_due integer not null default 0, add column part_ids text[]`.execute(db)
  await sql`create index outbox_part on outbox using gin (part_ids) where part_ids is not null`.execute(db)
}
