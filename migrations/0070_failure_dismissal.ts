import { type Kysely, sql } from 'kysely'

/** What somebody was told had not left and wants to hear no more of; its message is told anew, so that their other screens hear of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table failure_dismissal (
      user_id    integer     not null,
      message_id integer     not null,
      company_id integer     not null,
      at         timestamptz not null default now(),
      primary key (user_id, message_id)
    )`.execute(db)
  await sql`
    create function tell_dismissed() returns trigger language plpgsql as $$
    begin
      perform pg_notify('changes', 'appMessage update ' || new.company_id || ' ' || new.message_id);
      return null;
    end $$`.execute(db)
  await sql`create trigger live_dismissed after insert on failure_dismissal for each row execute function tell_dismissed()`.execute(db)
  await sql`create index ticket_failed on ticket (company_id) where failed_ids <> '[]'`.execute(db)
}
