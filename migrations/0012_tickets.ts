import { type Kysely, sql } from 'kysely'

/** Tickets with their messages and histories. A projector writes all but `active_ticket` and `failure_dismissal`, so that a rebuild replaces them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create sequence note_id`.execute(db)
  await sql`create sequence message_id`.execute(db)
  await sql`create sequence ticket_id`.execute(db)
  /* The one open ticket of a contact on a connection. 0 stands for none, so that the key has no nulls. */
  await sql`
    create table active_ticket (
      company_id    integer not null,
      connection_id integer not null,
      contact_id    integer not null,
      ticket_id     integer not null,
      uuid          uuid not null,
      since         integer default 0 not null,
      claimed_at    timestamptz default now() not null,
      primary key (company_id, connection_id, contact_id)
    )`.execute(db)
  /* Releases the place of a ticket. */
  await sql`create index active_ticket_by_ticket on active_ticket (ticket_id)`.execute(db)
  await sql`
    create table ticket (
      id                     integer primary key,
      uuid                   uuid not null unique,
      company_id             integer not null,
      status                 text not null,
      channel                text not null,
      is_group               boolean not null,
      is_bot                 boolean not null,
      contact_id             integer not null,
      whatsapp_id            integer not null,
      queue_id               integer,
      user_id                integer,
      last_message           text not null,
      last_message_id        integer,
      last_message_from_me   boolean not null,
      unread_messages        integer not null,
      is_transfered          boolean not null,
      use_integration        boolean not null,
      revision               integer not null,
      created_at             timestamptz not null,
      updated_at             timestamptz not null,
      opened_at              timestamptz,
      closed_at              timestamptz,
      waiting_since          timestamptz,
      last_message_at        timestamptz,
      last_message_kind      text,
      last_message_deleted   boolean default false not null,
      last_message_user_id   integer,
      last_message_sender    text,
      last_message_seconds   float8,
      last_message_file      text,
      failed_ids             jsonb default '[]' not null,
      transfer               jsonb,
      batch                  uuid,
      nps                    smallint,
      lane_id                integer,
      amount                 float8,
      last_message_elsewhere boolean default false not null,
      turn_ends_at           timestamptz
    )`.execute(db)
  /* Tickets closed by one bulk operation. */
  await sql`create index ticket_by_batch on ticket (batch, id) where batch is not null`.execute(db)
  /* Tickets of a lane. */
  await sql`create index ticket_by_lane on ticket (lane_id) where lane_id is not null`.execute(db)
  /* Lists of a queue. */
  await sql`create index ticket_by_queue on ticket (company_id, queue_id, status, updated_at desc, id desc)`.execute(db)
  /* Search over every status. */
  await sql`create index ticket_by_time on ticket (company_id, updated_at desc, id desc)`.execute(db)
  /* Lists of a user. */
  await sql`create index ticket_by_user on ticket (company_id, user_id, status, updated_at desc, id desc)`.execute(db)
  /* Tickets with failed messages. */
  await sql`create index ticket_failed on ticket (company_id) where failed_ids <> '[]'::jsonb`.execute(db)
  /* Earlier tickets of a contact. */
  await sql`create index ticket_in_order on ticket (contact_id, whatsapp_id, created_at desc, id desc)`.execute(db)
  /* Lists by status. */
  await sql`create index ticket_list on ticket (company_id, status, updated_at desc, id desc)`.execute(db)
  /* Lists of unread tickets. */
  await sql`create index ticket_unread on ticket (company_id, status, updated_at desc, id desc) where unread_messages > 0`.execute(db)
  /* Who waits longest. */
  await sql`create index ticket_waiting on ticket (company_id, waiting_since, id) where status = 'pending'`.execute(db)
  await sql`select make_live('ticket', 'ticket')`.execute(db)
  /* Counts of tickets and unread messages, kept by the projector. 0 stands for no queue and no user. */
  await sql`
    create table ticket_counter (
      company_id integer not null,
      status     text not null,
      is_group   boolean not null,
      queue_id   integer not null,
      user_id    integer not null,
      tickets    integer not null,
      unread     integer not null,
      primary key (company_id, status, is_group, queue_id, user_id)
    )`.execute(db)
  await sql`
    create table message (
      id            integer primary key,
      company_id    integer not null,
      ticket_id     integer not null,
      queue_id      integer,
      body          text not null,
      words         text not null,
      from_me       boolean not null,
      user_id       integer,
      sender_name   text,
      deleted_by    text,
      is_edited     boolean not null,
      is_forwarded  boolean not null,
      is_private    boolean not null,
      ack           integer not null,
      failed        text,
      uncertain     boolean not null,
      media_type    text not null,
      media         jsonb,
      v_card        text,
      quoted_id     integer,
      reactions     jsonb not null,
      revision      integer not null,
      created_at    timestamptz not null,
      read          boolean default false not null,
      sent_again    integer,
      elsewhere     boolean default false not null,
      undecryptable boolean default false not null,
      template      jsonb,
      interactive   jsonb,
      about         jsonb
    )`.execute(db)
  /* Whether another message shows the file. */
  await sql`create index message_by_file on message (company_id, ((media ->> 'key'))) where media is not null`.execute(db)
  /* Messages of a company, newest first. */
  await sql`create index message_by_time on message (company_id, created_at desc)`.execute(db)
  /* A page of a thread. */
  await sql`create index message_in_order on message (ticket_id, revision) include (id)`.execute(db)
  /* Search by parts of a text. */
  await sql`create index message_search on message using gin (words gin_trgm_ops)`.execute(db)
  /* Unread messages of a ticket. */
  await sql`create index message_unread on message (ticket_id, revision) where (not read) and (not from_me)`.execute(db)
  await sql`select make_live('message', 'appMessage')`.execute(db)
  await sql`
    create table note (
      id         integer primary key,
      company_id integer not null,
      ticket_id  integer not null,
      user_id    integer,
      note       text not null,
      created_at timestamptz not null
    )`.execute(db)
  /* Notes of a ticket, newest first. */
  await sql`create index note_by_ticket on note (ticket_id, id desc)`.execute(db)
  await sql`select make_live('note', 'ticketNote')`.execute(db)
  await sql`
    create table ticket_log (
      id           text primary key,
      company_id   integer not null,
      ticket_id    integer not null,
      revision     integer not null,
      type         text not null,
      user_id      integer,
      queue_id     integer,
      created_at   timestamptz not null,
      from_user_id integer,
      note         text,
      undone       text,
      way          text,
      rule         text,
      nps          smallint,
      lane_id      integer,
      amount       float8
    )`.execute(db)
  /* The log of a ticket. */
  await sql`create index ticket_log_by_ticket on ticket_log (ticket_id, revision, id)`.execute(db)
  /* Every ticket that ever existed, for auditors (A-AUDIT-01): ids, dates and users alone. */
  await sql`
    create table ticket_history (
      id            integer primary key,
      uuid          uuid not null unique,
      company_id    integer not null,
      contact_id    integer not null,
      connection_id integer not null,
      is_group      boolean not null,
      status        text not null,
      queue_id      integer,
      user_id       integer,
      user_ids      integer[] not null,
      revision      integer not null,
      created_at    timestamptz not null,
      updated_at    timestamptz not null,
      deleted_at    timestamptz
    )`.execute(db)
  /* Histories of a contact. */
  await sql`create index ticket_history_by_contact on ticket_history (contact_id)`.execute(db)
  /* Histories a user acted in. */
  await sql`create index ticket_history_by_user on ticket_history using gin (user_ids)`.execute(db)
  /* Histories, newest change first. */
  await sql`create index ticket_history_list on ticket_history (company_id, updated_at desc, id desc)`.execute(db)
  await sql`select make_live('ticket_history', 'ticketHistory')`.execute(db)
  /* Failed messages that a user does not want to be shown any more. */
  await sql`
    create table failure_dismissal (
      user_id    integer not null,
      message_id integer not null,
      company_id integer not null,
      at         timestamptz default now() not null,
      primary key (user_id, message_id)
    )`.execute(db)
  /* One row per message that was sent: when it was taken, delivered and read. */
  await sql`
    create table traffic (
      id            integer primary key,
      company_id    integer not null,
      connection_id integer not null,
      sent_at       timestamptz,
      tried_at      timestamptz,
      taken_at      timestamptz,
      delivered_at  timestamptz,
      read_at       timestamptz,
      failed        text,
      uncertain     boolean not null,
      overcome      text,
      tries         integer default 0 not null
    )`.execute(db)
  /* Sums of traffic by connection and quarter of an hour. */
  await sql`
    create table traffic_sum (
      company_id    integer not null,
      connection_id integer not null,
      slot          timestamptz not null,
      failed        text not null,
      sent          integer not null,
      taken         integer not null,
      delivered     integer not null,
      soon          integer not null,
      read          integer not null,
      uncertain     integer not null,
      timed         integer not null,
      took_ms       bigint not null,
      overcome      integer default 0 not null,
      retried       integer default 0 not null,
      received      integer default 0 not null,
      primary key (company_id, connection_id, slot, failed)
    )`.execute(db)
  await sql`
    create trigger live_dismissed after insert on failure_dismissal referencing new table as changed
      for each statement
      execute function notify_referenced('appMessage update', 'message_id')`.execute(db)
}
