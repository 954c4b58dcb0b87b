import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  /* Keys of the log's MACs, wrapped by the master key: one is current, the others check what was written under them. */
  await sql`
    create table log_key (
      id         text        primary key,
      wrapped    bytea       not null,
      wrapped_by text        not null,
      current    boolean     not null default true,
      made_at    timestamptz not null default now()
    )`.execute(db)
  await sql`create unique index log_key_current on log_key ((true)) where current`.execute(db)
}
