import { type Kysely, sql } from 'kysely'

/** Where projectors and reactors have got to, what they built, and the streams they cannot apply. */
export async function up(db: Kysely<unknown>): Promise<void> {
  /* The last event that a processor applied, and the stream and revision of that event, so that another log is noticed. */
  await sql`
    create table checkpoint (
      name           text primary key,
      version        integer not null,
      position       numeric not null,
      event_id       uuid,
      event_at       timestamptz,
      applied_at     timestamptz default now() not null,
      event_stream   text,
      event_revision integer
    )`.execute(db)
  /* Which version of a projector built the tables of each read model. */
  await sql`
    create table read_model (
      name     text primary key,
      version  integer not null,
      built_at timestamptz default clock_timestamp() not null
    )`.execute(db)
  /* A ticket whose events a processor cannot apply, from the first such event on. */
  await sql`
    create table parked_stream (
      id          bigint generated always as identity primary key,
      follower    text not null,
      company_id  integer not null,
      ticket_id   integer not null,
      stream      text not null,
      event_id    uuid not null,
      event_type  text not null,
      revision    integer not null,
      behind      integer not null,
      reason      text not null,
      since       timestamptz default now() not null,
      released_at timestamptz,
      unique (follower, ticket_id)
    )`.execute(db)
  /* Events that an operator told a projector to skip. */
  await sql`
    create table projector_skip (
      name       text not null,
      event_id   uuid not null,
      said_by    text not null,
      reason     text not null,
      skipped_at timestamptz default now() not null,
      primary key (name, event_id)
    )`.execute(db)
  /* The first reactor begins before the first event, so that nothing is missed before the first worker starts. A later one begins at the head. */
  await sql`insert into checkpoint (name, version, position) values ('ticketReactor', 1, 0)`.execute(db)
}
