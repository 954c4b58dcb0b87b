import { type Kysely, sql } from 'kysely'

/** Who forgot a password asks for a link without being signed in: it must not end one that an admin made. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table password_link add column forgotten boolean not null default false`.execute(db)
}
