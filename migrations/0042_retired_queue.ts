import { type Kysely, sql } from 'kysely'

/** A queue that is retired keeps its row, for what happened in it; its name and colour are free again, and who served it still reads what was closed there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table queue add column retired_at timestamptz`.execute(db)
  await sql`
    create table retired_queue_user (
      company_id integer not null,
      user_id    integer not null references "user" (id) on delete cascade,
      queue_id   integer not null,
      primary key (user_id, queue_id)
    )`.execute(db)
  await sql`drop index queue_color`.execute(db)
  await sql`create unique index queue_color on queue (company_id, lower(color)) where retired_at is null`.execute(db)
  await sql`drop index queue_name`.execute(db)
  await sql`create unique index queue_name on queue (company_id, same_name(name)) where retired_at is null`.execute(db)
}
