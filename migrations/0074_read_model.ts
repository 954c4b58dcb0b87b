import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  /* Which version built the tables of each read model. Until now all had one, beside their checkpoint. */
  await sql`
    create table read_model (
      name     text primary key,
      version  integer     not null,
      built_at timestamptz not null default clock_timestamp()
    )`.execute(db)
  await sql`
    insert into read_model (name, version)
    select model, checkpoint.version from checkpoint, unnest(array['inbox', 'thread', 'log', 'notes', 'histories']) as model
    where checkpoint.name = 'tickets'`.execute(db)
}
