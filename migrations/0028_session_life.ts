import { type Kysely, sql } from 'kysely'

/** Every secret of the last seconds, not only the one before; and a queue that is given or taken is told like any change of the user. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table session add column spent jsonb not null default '[]'`.execute(db)
  await sql`
    create function tell_served() returns trigger language plpgsql as $$
    begin
      perform pg_notify('changes', 'user update ' || coalesce(new.company_id, old.company_id) || ' ' || coalesce(new.user_id, old.user_id));
      return null;
    end $$`.execute(db)
  await sql`create trigger live after insert or update or delete on user_queue for each row execute function tell_served()`.execute(db)
}
