import { type Kysely, sql } from 'kysely'

/** Whether a ticket's events held together when they were last walked through; it tells of a check, and no event of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ticket_chain (
      ticket_id  integer     primary key,
      company_id integer     not null,
      holds      boolean     not null,
      broken_at  integer,
      reason     text,
      checked_at timestamptz not null
    )`.execute(db)
  await sql`create index ticket_chain_broken on ticket_chain (company_id, ticket_id) where not holds`.execute(db)
  await sql`create index ticket_chain_by_age on ticket_chain (checked_at)`.execute(db)
}
