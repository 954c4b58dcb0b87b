import { type Kysely, sql } from 'kysely'

/** Where an auditor finds every ticket that ever was (A-AUDIT-01): ids, dates and users alone, and no deletion takes a row away. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ticket_history (
      id            integer     primary key,
      uuid          uuid        not null unique,
      company_id    integer     not null,
      contact_id    integer     not null,
      connection_id integer     not null,
      is_group      boolean     not null,
      status        text        not null,
      queue_id      integer,
      user_id       integer,
      user_ids      integer[]   not null,
      revision      integer     not null,
      created_at    timestamptz not null,
      updated_at    timestamptz not null,
      deleted_at    timestamptz
    )`.execute(db)
  await sql`create index ticket_history_list on ticket_history (company_id, updated_at desc, id desc)`.execute(db)
  await sql`create index ticket_history_by_contact on ticket_history (contact_id)`.execute(db)
  await sql`create index ticket_history_by_user on ticket_history using gin (user_ids)`.execute(db)
  await sql`select make_live('ticket_history', 'ticketHistory')`.execute(db)
}
