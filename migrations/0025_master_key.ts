import { type Kysely, sql } from 'kysely'

/** The one row by which a process knows that its master key is this store's; a rotation's next key waits in it, wrapped under the one before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table master_key (
      id           integer     primary key default 1 check (id = 1),
      check_value  text        not null,
      next_check   text,
      next_wrapped bytea,
      handed_from  text,
      since        timestamptz not null default now()
    )`.execute(db)
  await sql`alter table contact_key add column wrapped_by text`.execute(db)
}
