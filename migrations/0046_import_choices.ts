import { type Kysely, sql } from 'kysely'

/** What an import will do with each row, which rows a person leaves out, and whether the network is asked for the numbers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table contact_import add column checks_network boolean not null default false`.execute(db)
  await sql`
    alter table contact_import_row
      add column left_out   boolean not null default false,
      add column number_key text,
      add column effect     text`.execute(db)
}
