import { type Kysely, sql } from 'kysely'

/**
 * By how much the house's clock goes before the machine's: one row, which never goes back. `command_id`: of whoever moved it last. What is
 * shown beside facts is dated by the house's clock too, when Postgres dates it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table house_clock (
      id         integer primary key default 1 check (id = 1),
      ahead_ms   bigint  not null default 0 check (ahead_ms >= 0),
      command_id text
    )`.execute(db)
  await sql`insert into house_clock default values`.execute(db)
  await sql`
    create function ahead_is_kept() returns trigger language plpgsql as $$ begin
      raise exception 'the clock of the house never goes back';
    end $$`.execute(db)
  await sql`
    create trigger ahead before update on house_clock for each row when (new.ahead_ms < old.ahead_ms) execute function ahead_is_kept()`.execute(
    db,
  )
  await sql`
    create function house_now() returns timestamptz language sql stable parallel safe as $$
      select now() + (select ahead_ms from house_clock) * interval '1 millisecond'
    $$`.execute(db)
  for (const [table, column] of [
    ['sandbox_message', 'at'],
    ['contact', 'created_at'],
    ['contact', 'updated_at'],
    ['audit', 'at'],
  ])
    await sql`alter table ${sql.table(table!)} alter column ${sql.ref(column!)} set default house_now()`.execute(db)
}
