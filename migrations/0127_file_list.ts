import { type Kysely, sql } from 'kysely'

/** Lists of files that queues and the options of their bots send; which file an entry has stands in row_file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table file_list (
      id         integer generated always as identity primary key,
      company_id integer not null,
      version    integer not null default 1,
      user_id    integer,
      name       text    not null,
      message    text    not null
    )`.execute(db)
  await sql`create unique index file_list_name on file_list (company_id, same_name(name))`.execute(db)
  await sql`
    create table file_list_option (
      id           integer generated always as identity primary key,
      company_id   integer not null,
      file_list_id integer not null references file_list (id) on delete cascade,
      position     integer not null,
      name         text    not null
    )`.execute(db)
  await sql`create index file_list_option_in_order on file_list_option (file_list_id, position, id)`.execute(db)
  for (const [op, rows] of [
    ['insert', 'new'],
    ['update', 'new'],
    ['delete', 'old'],
  ] as const) {
    const told = sql.raw(`live_${op} after ${op} on file_list referencing ${rows} table as changed for each statement`)
    await sql`create trigger ${told} execute function tell_change('fileList')`.execute(db)
  }
}
