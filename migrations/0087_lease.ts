import { type Kysely, sql } from 'kysely'

/**
 * Which process holds which connection. A worker that says nothing until its time is over is taken for dead, and so is one whose session
 * is gone: its row is deleted, and its connections are free. `number` tells one holding from the next, for whoever was late to notice.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table worker (
      id    integer generated always as identity primary key,
      pid   integer     not null,
      until timestamptz not null
    )`.execute(db)
  await sql`
    create table connection_lease (
      connection_id integer primary key references connection (id) on delete cascade,
      company_id    integer not null,
      holder        integer references worker (id) on delete set null,
      number        integer not null default 1
    )`.execute(db)
  await sql`create index connection_lease_by_holder on connection_lease (holder)`.execute(db)
  await sql`create index outbox_by_connection on outbox (connection_id, n) where state = 'waiting'`.execute(db)
}
