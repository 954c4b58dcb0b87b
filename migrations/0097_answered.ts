import { type Kysely, sql } from 'kysely'

/** Which act of a plain list was done, by the name its client gave it: asked again, it is answered and not done again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table answered (
      company_id integer     not null,
      user_id    integer     not null,
      command_id text        not null,
      call       text        not null,
      asked      text        not null,
      row_id     integer     not null,
      at         timestamptz not null default now(),
      primary key (company_id, user_id, command_id)
    )`.execute(db)
  await sql`create index answered_by_age on answered (at)`.execute(db)
}
