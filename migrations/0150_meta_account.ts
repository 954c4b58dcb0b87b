import { type Kysely, sql } from 'kysely'

/**
 * Of a connection, whose id it has as text: what it is at Meta, and sealed the token and the secrets. `hook` is the end of the address that
 * Meta calls for it. An account is one connection’s.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table meta_account (
      id               text        primary key,
      company_id       integer     not null,
      product          text        not null check (product in ('whatsapp', 'page', 'instagram')),
      account_id       text        not null,
      business_id      text,
      hook             text        not null unique,
      token_expires_at timestamptz,
      wrapped          bytea       not null,
      wrapped_by       text        not null,
      unique (product, account_id)
    )`.execute(db)
}
