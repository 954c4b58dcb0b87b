import { type Kysely, sql } from 'kysely'

/** Which edit of a row somebody had before them; and who changed which row, from what to what. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['tag', 'queue', 'quick_message', 'contact'])
    await sql`alter table ${sql.table(table)} add column version integer not null default 1`.execute(db)
  await sql`
    create table audit (
      id         bigint      generated always as identity primary key,
      company_id integer     not null,
      user_id    integer     not null,
      list       text        not null,
      row_id     integer     not null,
      act        text        not null,
      before     jsonb,
      after      jsonb,
      at         timestamptz not null default now()
    )`.execute(db)
  await sql`create index audit_by_row on audit (company_id, list, row_id, id)`.execute(db)
}
