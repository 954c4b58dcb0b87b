import { type Kysely, sql } from 'kysely'

/** What the ticket's projector writes, and the sequences its facts take their ids from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['ticket_id', 'message_id', 'note_id']) await sql`create sequence ${sql.id(name)}`.execute(db)

  await sql`
    create table ticket (
      id                   integer     primary key,
      uuid                 uuid        not null unique,
      company_id           integer     not null,
      status               text        not null,
      channel              text        not null,
      is_group             boolean     not null,
      is_bot               boolean     not null,
      contact_id           integer     not null,
      whatsapp_id          integer     not null,
      queue_id             integer,
      user_id              integer,
      last_message         text        not null,
      last_message_id      integer,
      last_message_from_me boolean     not null,
      unread_messages      integer     not null,
      is_transfered        boolean     not null,
      use_integration      boolean     not null,
      revision             integer     not null,
      created_at           timestamptz not null,
      updated_at           timestamptz not null,
      opened_at            timestamptz,
      closed_at            timestamptz
    )`.execute(db)
  await sql`create index ticket_list on ticket (company_id, status, updated_at desc, id desc)`.execute(db)
  await sql`create index ticket_unread on ticket (company_id, status, updated_at desc, id desc) where unread_messages > 0`.execute(db)
  await sql`create index ticket_by_queue on ticket (company_id, queue_id, status, updated_at desc, id desc)`.execute(db)
  await sql`create index ticket_by_user on ticket (company_id, user_id, status, updated_at desc, id desc)`.execute(db)
  await sql`create index ticket_by_contact on ticket (contact_id, id desc)`.execute(db)

  await sql`
    create table ticket_log (
      id         text        primary key,
      company_id integer     not null,
      ticket_id  integer     not null,
      revision   integer     not null,
      type       text        not null,
      user_id    integer,
      queue_id   integer,
      created_at timestamptz not null
    )`.execute(db)
  await sql`create index ticket_log_by_ticket on ticket_log (ticket_id, revision, id)`.execute(db)

  await sql`
    create table message (
      id           integer     primary key,
      company_id   integer     not null,
      ticket_id    integer     not null,
      queue_id     integer,
      body         text        not null,
      words        text        not null,
      from_me      boolean     not null,
      user_id      integer,
      sender_name  text,
      deleted_by   text,
      is_edited    boolean     not null,
      is_forwarded boolean     not null,
      is_private   boolean     not null,
      ack          integer     not null,
      failed       text,
      uncertain    boolean     not null,
      media_type   text        not null,
      media        jsonb,
      v_card       text,
      quoted_id    integer,
      reactions    jsonb       not null,
      revision     integer     not null,
      created_at   timestamptz not null
    )`.execute(db)
  await sql`create index message_by_ticket on message (ticket_id, revision desc)`.execute(db)
  await sql`create index message_by_time on message (company_id, created_at desc)`.execute(db)
  await sql`create index message_search on message using gin (words gin_trgm_ops)`.execute(db)

  await sql`
    create table note (
      id         integer     primary key,
      company_id integer     not null,
      ticket_id  integer     not null,
      user_id    integer,
      note       text        not null,
      created_at timestamptz not null
    )`.execute(db)
  await sql`create index note_by_ticket on note (ticket_id, id desc)`.execute(db)

  /* 0 stands for nobody and for no queue, so that the key has no nulls. */
  await sql`
    create table ticket_counter (
      company_id integer not null,
      status     text    not null,
      is_group   boolean not null,
      queue_id   integer not null,
      user_id    integer not null,
      tickets    integer not null,
      unread     integer not null,
      primary key (company_id, status, is_group, queue_id, user_id)
    )`.execute(db)

  await sql`select make_live('ticket', 'ticket'), make_live('message', 'appMessage'), make_live('note', 'ticketNote')`.execute(db)

  /* Set rules and journals: owned by no projector, so that no rebuild touches them. */
  await sql`
    create table active_ticket (
      company_id    integer not null,
      connection_id integer not null,
      contact_id    integer not null,
      ticket_id     integer not null,
      uuid          uuid    not null,
      since         integer not null default 0,
      primary key (company_id, connection_id, contact_id)
    )`.execute(db)
  await sql`create index active_ticket_by_ticket on active_ticket (ticket_id)`.execute(db)
}
