import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  /* A ticket that a follower waits with, from the event on that it cannot apply, up to the newest that it has passed over since. */
  await sql`
    create table parked (
      id          bigint generated always as identity primary key,
      follower    text        not null,
      company_id  integer     not null,
      ticket_id   integer     not null,
      stream      text        not null,
      event_id    uuid        not null,
      event_type  text        not null,
      revision    integer     not null,
      behind      integer     not null,
      reason      text        not null,
      since       timestamptz not null default now(),
      released_at timestamptz,
      unique (follower, ticket_id)
    )`.execute(db)
}
