import { type Kysely, sql } from 'kysely'

/** For whom something waits is looked at every few minutes, from now on also of what waits already (A-ROT-01). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into deadline (company_id, aggregate_id, kind, due_at)
      select company_id, id, 'held', house_now() from ticket where status = 'pending' and user_id is not null and not is_bot
      on conflict (aggregate_id, kind) do nothing`.execute(db)
}
