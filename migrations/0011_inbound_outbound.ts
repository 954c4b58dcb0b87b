import { type Kysely, sql } from 'kysely'

/** What providers delivered, what has to leave, and the files of both. */
export async function up(db: Kysely<unknown>): Promise<void> {
  /* What providers delivered, stored before it is acknowledged. `payload` is emptied when the event was processed; the id stays, so that a redelivery is recognised. */
  await sql`
    create table inbound_event (
      id            bigint generated always as identity primary key,
      company_id    integer not null,
      connection_id integer not null,
      external_id   text not null,
      conversation  text not null,
      payload       jsonb,
      received_at   timestamptz default now() not null,
      done_at       timestamptz,
      failures      integer default 0 not null,
      refused       text,
      forget_at     timestamptz,
      deaths        smallint default 0 not null,
      unique (connection_id, external_id)
    )`.execute(db)
  /* Entries whose id may be removed. */
  await sql`create index inbound_event_forgettable on inbound_event (forget_at) where forget_at is not null`.execute(db)
  /* Dead letters. */
  await sql`create index inbound_event_dead_letter on inbound_event (id) where (refused is not null) and (payload is not null)`.execute(db)
  /* Events to process, in their order. */
  await sql`create index inbound_event_waiting on inbound_event (connection_id, id) where done_at is null`.execute(db)
  /* Messages, edits, removals, reactions and read receipts that have to leave, in their order. */
  await sql`
    create table outbox (
      n             bigint generated always as identity primary key,
      kind          text default 'send' not null check (kind in ('send', 'edit', 'remove', 'react', 'read')),
      message_id    integer not null,
      company_id    integer not null,
      connection_id integer not null,
      contact_id    integer not null,
      ticket_id     integer not null,
      revision      integer not null,
      external_id   text not null,
      state         text default 'waiting' not null,
      attempts      integer default 0 not null,
      due_at        timestamptz default now() not null,
      created_at    timestamptz default now() not null,
      provider_id   text,
      cause         jsonb,
      put_off       integer default 0 not null,
      leaves_at     timestamptz,
      parts_due     integer default 0 not null,
      part_ids      text[],
      gap_ms        integer default 0 not null,
      faults        integer default 0 not null,
      unique (ticket_id, revision)
    )`.execute(db)
  /* The next entries of a connection. */
  await sql`create index outbox_by_connection on outbox (connection_id, n) where state = 'waiting'`.execute(db)
  /* A delivery receipt by our own id. */
  await sql`create unique index outbox_external on outbox (connection_id, external_id) where kind = 'send'`.execute(db)
  /* One send per message. */
  await sql`create unique index outbox_message on outbox (message_id) where kind = 'send'`.execute(db)
  /* A delivery receipt of a later part. */
  await sql`create index outbox_part on outbox using gin (part_ids) where part_ids is not null`.execute(db)
  /* A delivery receipt by the provider's id. */
  await sql`create unique index outbox_provider on outbox (connection_id, provider_id) where provider_id is not null`.execute(db)
  /* The next entry of a contact. */
  await sql`create index outbox_waiting on outbox (connection_id, contact_id, n) where state = 'waiting'`.execute(db)
  /* Stored files by content: `key` is the sha256. A file that nothing names is removed. */
  await sql`
    create table media (
      company_id   integer not null,
      key          text not null,
      mime         text not null,
      size         integer not null,
      stored_at    timestamptz default now() not null,
      withdrawn_at timestamptz,
      named        boolean default true not null,
      by_people    boolean default false not null,
      primary key (company_id, key)
    )`.execute(db)
  /* Storage that a company uses. */
  await sql`create index media_by_people on media (company_id) include (size) where by_people`.execute(db)
  /* Files that are being uploaded: they count against the quota, and the sweep removes those that no event names. */
  await sql`
    create table upload_reservation (
      id         uuid primary key,
      company_id integer not null,
      key        text not null,
      ticket_id  integer,
      size       integer not null,
      by_people  boolean not null,
      at         timestamptz default now() not null
    )`.execute(db)
  /* Reservations that the sweep looks at. */
  await sql`create index upload_reservation_by_age on upload_reservation (at)`.execute(db)
  /* Reservations of a file. */
  await sql`create index upload_reservation_by_file on upload_reservation (company_id, key)`.execute(db)
  await sql`
    create function forget_contact_picture() returns trigger language plpgsql as $$
        declare gone text;
        begin
          delete from row_file where company_id = new.company_id and list = 'contact' and row_id = new.contact_id returning key into gone;
          update contact set url_picture = null, version = version + 1 where company_id = new.company_id and id = new.contact_id and url_picture is not null;
          if gone is null then return null; end if;
          insert into upload_reservation (id, company_id, key, size, by_people, at) values (gen_random_uuid(), new.company_id, gone, 0, false, to_timestamp(0));
          update media set named = false where company_id = new.company_id and key = gone;
          return null;
        end $$`.execute(db)
  await sql`
    create trigger forget_contact_picture after update of destroyed_at on contact_key
      for each row
      when (new.destroyed_at is not null)
      execute function forget_contact_picture()`.execute(db)
}
