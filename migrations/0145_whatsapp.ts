import { type Kysely, sql } from 'kysely'

/** The accounts that are linked by QR code: who they are to WhatsApp, their keys, and the messages that may have to be sent or quoted again. All sealed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  /* Under `wrapped`, which the master key wraps, lies all the rest of the account. */
  await sql`
    create table wa_account (
      id            text    primary key,
      connection_id integer not null unique references connection (id) on delete cascade,
      company_id    integer not null,
      wrapped       bytea   not null,
      wrapped_by    text    not null,
      creds         bytea
    )`.execute(db)
  /* A row changes with every message. */
  await sql`
    create table wa_key (
      connection_id integer not null references connection (id) on delete cascade,
      company_id    integer not null,
      type          text    not null,
      id            text    not null,
      data          bytea   not null,
      primary key (connection_id, type, id)
    ) with (fillfactor = 70)`.execute(db)
  await sql`
    create table wa_message (
      connection_id integer     not null references connection (id) on delete cascade,
      company_id    integer     not null,
      id            text        not null,
      data          bytea       not null,
      at            timestamptz not null default now(),
      primary key (connection_id, id)
    )`.execute(db)
  await sql`create index wa_message_by_time on wa_message (at)`.execute(db)
}
