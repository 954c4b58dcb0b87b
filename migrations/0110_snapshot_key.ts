import { type Kysely, sql } from 'kysely'

/**
 * The ids that are spent, each with the one that follows it in order, so that a row that was taken away is noticed. `snapshot_spent` (0092)
 * is left to the release before, whose snapshots are of an older fold.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table snapshot_key (
      company_id integer not null,
      stream     text    not null,
      fold       integer not null,
      id         text    collate "C" not null,
      next       text    collate "C",
      message_id integer,
      mac        text    not null,
      primary key (stream, fold, id),
      foreign key (stream, fold) references snapshot on delete cascade
    )`.execute(db)
}
