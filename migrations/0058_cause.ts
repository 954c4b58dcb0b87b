import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  /* The provider's own id of a message that left, where it makes one: marks come back under it. */
  await sql`alter table outbox add column provider_id text, add column cause jsonb`.execute(db)
  await sql`create unique index outbox_provider on outbox (connection_id, provider_id) where provider_id is not null`.execute(db)
  /* What asked for it, so that what is done later still names its cause: { correlationId, causationId }. */
  await sql`alter table deadline add column cause jsonb`.execute(db)
}
