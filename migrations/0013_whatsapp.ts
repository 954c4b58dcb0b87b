import { type Kysely, sql } from 'kysely'

/** Accounts that are linked by QR code, and the import of their history. All personal columns are sealed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  /* The sealed credentials of a linked account. `wrapped` is the key of all the rest of it. */
  await sql`
    create table wa_account (
      id            text primary key,
      connection_id integer not null unique references connection (id) on delete cascade,
      company_id    integer not null,
      wrapped       bytea not null,
      wrapped_by    text not null,
      creds         bytea,
      replaced_at   timestamptz
    )`.execute(db)
  /* Signal keys of a linked account. A row changes with every message. */
  await sql`
    create table wa_key (
      connection_id integer not null references connection (id) on delete cascade,
      company_id    integer not null,
      type          text not null,
      id            text not null,
      data          bytea not null,
      primary key (connection_id, type, id)
    ) with (fillfactor=70)`.execute(db)
  /* Messages that may have to be sent or quoted again. */
  await sql`
    create table wa_message (
      connection_id integer not null references connection (id) on delete cascade,
      company_id    integer not null,
      id            text not null,
      data          bytea not null,
      at            timestamptz default now() not null,
      who           text default '' not null,
      primary key (connection_id, id)
    )`.execute(db)
  /* Removes old messages. */
  await sql`create index wa_message_by_time on wa_message (at)`.execute(db)
  /* Messages to erase with a person. */
  await sql`create index wa_message_by_who on wa_message (company_id, who)`.execute(db)
  /* History blocks as the phone delivered them, until they are sorted into chats. */
  await sql`
    create table wa_history (
      id            bigint generated always as identity primary key,
      connection_id integer not null references connection (id) on delete cascade,
      company_id    integer not null,
      data          bytea not null,
      failures      integer default 0 not null
    )`.execute(db)
  /* The next block of a connection. */
  await sql`create index wa_history_by_connection on wa_history (connection_id, id)`.execute(db)
  /* A conversation to import. It gathers messages until its import begins (A-IMP-04). */
  await sql`
    create table import_chat (
      id            integer generated always as identity primary key,
      connection_id integer not null references connection (id) on delete cascade,
      company_id    integer not null,
      conversation  text not null,
      ticket_id     integer,
      uuid          uuid,
      begun_at      timestamptz,
      done_at       timestamptz,
      failures      integer default 0 not null
    )`.execute(db)
  /* The next chat to import. */
  await sql`create index import_chat_by_connection on import_chat (connection_id, id)`.execute(db)
  /* The import of a ticket. */
  await sql`create index import_chat_by_ticket on import_chat (ticket_id)`.execute(db)
  /* The chat that gathers messages. */
  await sql`create unique index import_chat_gathering on import_chat (connection_id, conversation) where begun_at is null`.execute(db)
  /* A message to import. Its id stays, so that it is never imported twice. */
  await sql`
    create table import_message (
      connection_id integer not null references connection (id) on delete cascade,
      company_id    integer not null,
      external_id   text not null,
      chat_id       integer not null references import_chat (id) on delete cascade,
      at            timestamptz not null,
      payload       jsonb,
      n             bigint generated always as identity,
      primary key (connection_id, external_id)
    )`.execute(db)
  /* Messages of a chat in their order. */
  await sql`create index import_message_by_chat on import_message (chat_id, at)`.execute(db)
  await sql`
    create function forget_wa_messages() returns trigger language plpgsql as $$
        begin
          delete from wa_message w using contact_identity i
            where i.contact_id = new.contact_id and i.company_id = new.company_id and w.company_id = i.company_id and w.who in (i.id, i.key);
          return null;
        end $$`.execute(db)
  await sql`
    create function forget_imports() returns trigger language plpgsql as $$
        begin
          delete from import_chat c using contact_identity i
            where i.contact_id = new.contact_id and i.company_id = new.company_id and c.company_id = i.company_id and c.done_at is null
              and c.conversation in (i.id, i.key);
          delete from import_message m using contact_identity i
            where i.contact_id = new.contact_id and i.company_id = new.company_id and m.company_id = i.company_id and m.payload is not null
              and exists (select from jsonb_array_elements(m.payload->'from') f where f->>'id' in (i.id, i.key));
          return null;
        end $$`.execute(db)
  await sql`
    create trigger forget_imports after insert or update of destroyed_at on contact_key
      for each row
      when (new.destroyed_at is not null)
      execute function forget_imports()`.execute(db)
  await sql`
    create trigger forget_wa_messages after update of destroyed_at on contact_key
      for each row
      when (new.destroyed_at is not null)
      execute function forget_wa_messages()`.execute(db)
}
