import { type Kysely, sql } from 'kysely'

/** Which inbound events a process has in hand, so that one in hand when its process died counts as a try. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table journal add column deaths smallint not null default 0`.execute(db)
  await sql`
    alter table connection_lease
      add column in_hand bigint[] not null default '{}',
      add column in_hand_by text`.execute(db)
}
