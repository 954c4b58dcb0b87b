import { type Kysely, sql } from 'kysely'

/** A link by which somebody sets a password of their own, once; what stands here cannot be turned into the link (A-USER-04). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table password_link (
      token_hash text        primary key,
      company_id integer     not null,
      user_id    integer     not null references "user" (id) on delete cascade,
      expires_at timestamptz not null,
      used_at    timestamptz
    )`.execute(db)
  await sql`create index password_link_by_user on password_link (user_id)`.execute(db)
}
