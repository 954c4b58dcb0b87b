import { type Kysely, sql } from 'kysely'

/** What a list says of a ticket: since when it waits, its last message, what did not leave, who handed it over. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ticket
      add column waiting_since        timestamptz,
      add column last_message_at      timestamptz,
      add column last_message_kind    text,
      add column last_message_deleted boolean not null default false,
      add column last_message_user_id integer,
      add column last_message_sender  text,
      add column last_message_seconds double precision,
      add column last_message_file    text,
      add column failed_ids           jsonb   not null default '[]',
      add column transfer             jsonb`.execute(db)
  await sql`create index ticket_waiting on ticket (company_id, waiting_since, id) where status = 'pending'`.execute(db)
  await sql`alter table ticket_log add column from_user_id integer, add column note text`.execute(db)
}
