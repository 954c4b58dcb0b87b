import { type Kysely, sql } from 'kysely'

/**
 * Somebody's way through Meta's login, by the hash of the word that goes along; what it gave waits sealed for some minutes until they have
 * chosen from it. Of an account, when its company was told that its token ends soon.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table meta_login (
      id               text        primary key,
      company_id       integer     not null,
      user_id          integer     not null,
      expires_at       timestamptz not null,
      used_at          timestamptz,
      token_expires_at timestamptz,
      wrapped          bytea       not null,
      wrapped_by       text        not null
    )`.execute(db)
  await sql`alter table meta_account add column expiry_told_at timestamptz`.execute(db)
}
