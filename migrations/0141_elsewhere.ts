import { type Kysely, sql } from 'kysely'

/** What was written on the company's own phone, what nobody can read yet, and how often a channel put a message off. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table message add column elsewhere boolean not null default false, add column undecryptable boolean not null default false`.execute(
    db,
  )
  await sql`alter table outbox add column put_off integer not null default 0`.execute(db)
  await sql`alter table sandbox_fault add column later_ms integer, add column afterwards boolean not null default false`.execute(db)
}
