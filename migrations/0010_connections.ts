import { type Kysely, sql } from 'kysely'

/** Connections to networks, the lease of each, and the accounts at Meta. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table connection (
      id                           integer generated always as identity primary key,
      company_id                   integer not null,
      name                         text not null,
      channel                      text not null,
      provider                     text not null,
      number                       text,
      status                       text not null,
      is_default                   boolean default false not null,
      allow_group                  boolean default true not null,
      group_as_ticket              text default 'disabled' not null,
      color                        text,
      greeting_message             text,
      complation_message           text,
      updated_at                   timestamptz default now() not null,
      version                      integer default 1 not null,
      qrcode                       text default '' not null,
      out_of_hours_message         text,
      rating_message               text,
      max_use_bot_queues           integer default 3 not null,
      time_use_bot_queues          integer default 0 not null,
      send_id_queue                integer,
      time_send_queue              text default '0' not null,
      expires_ticket               integer default 0 not null,
      when_expires_ticket          text default '0' not null,
      expires_ticket_n_p_s         integer default 0 not null,
      max_use_bot_queues_n_p_s     integer default 3 not null,
      expires_inactive_message     text,
      time_inactive_message        integer default 0 not null,
      inactive_message             text,
      time_create_new_ticket       integer default 0 not null,
      collective_vacation_start    date,
      collective_vacation_end      date,
      collective_vacation_message  text,
      lgpd_link                    text,
      lgpd_message                 text,
      integration_id               integer,
      prompt_id                    integer,
      flow_id_welcome              integer,
      flow_id_not_phrase           integer,
      schedules                    jsonb default '[{"weekday": "Segunda-feira", "endTimeA": "12:00", "endTimeB": "18:00", "weekdayEn": "monday", "startTimeA": "08:00", "startTimeB": "13:00"}, {"weekday": "Terça-feira", "endTimeA": "12:00", "endTimeB": "18:00", "weekdayEn": "tuesday", "startTimeA": "08:00", "startTimeB": "13:00"}, {"weekday": "Quarta-feira", "endTimeA": "12:00", "endTimeB": "18:00", "weekdayEn": "wednesday", "startTimeA": "08:00", "startTimeB": "13:00"}, {"weekday": "Quinta-feira", "endTimeA": "12:00", "endTimeB": "18:00", "weekdayEn": "thursday", "startTimeA": "08:00", "startTimeB": "13:00"}, {"weekday": "Sexta-feira", "endTimeA": "12:00", "endTimeB": "18:00", "weekdayEn": "friday", "startTimeA": "08:00", "startTimeB": "13:00"}, {"weekday": "Sábado", "endTimeA": "12:00", "endTimeB": "18:00", "weekdayEn": "saturday", "startTimeA": "08:00", "startTimeB": "13:00"}, {"weekday": "Domingo", "endTimeA": "12:00", "endTimeB": "18:00", "weekdayEn": "sunday", "startTimeA": "08:00", "startTimeB": "13:00"}]' not null,
      enable_import_message        boolean default false not null,
      import_recent_messages       timestamptz,
      import_old_messages          timestamptz,
      import_old_messages_groups   boolean default false not null,
      closed_tickets_post_imported boolean default false not null,
      queue_id_import_messages     integer,
      status_import_messages       text,
      reason                       text,
      silent_since                 timestamptz,
      outage_notified_at           timestamptz,
      import_done                  integer default 0 not null,
      import_all                   integer default 0 not null,
      interactive_messages         text default 'enabled' not null,
      number_since                 timestamptz,
      back_at                      timestamptz,
      no_new_chats_until           timestamptz
    )`.execute(db)
  /* One default connection per company. */
  await sql`create unique index connection_default on connection (company_id) where is_default`.execute(db)
  await sql`select make_live('connection', 'whatsapp')`.execute(db)
  await sql`
    create table connection_queue (
      company_id    integer not null,
      connection_id integer not null references connection (id) on delete cascade,
      queue_id      integer not null,
      primary key (connection_id, queue_id)
    )`.execute(db)
  /* API tokens of a connection: found by hash, sealed so that they can be shown again. */
  await sql`
    create table connection_token (
      id         text primary key,
      company_id integer not null,
      hash       text not null unique,
      wrapped    bytea not null,
      wrapped_by text not null
    )`.execute(db)
  /* Which worker owns a connection now. `in_hand` are inbound events in flight, so that one whose process dies counts as a try. */
  await sql`
    create table connection_lease (
      connection_id integer primary key references connection (id) on delete cascade,
      company_id    integer not null,
      holder        integer references worker (id) on delete set null,
      number        integer default 1 not null,
      round_trip_at timestamptz,
      in_hand       bigint[] default '{}'::bigint[] not null,
      in_hand_by    text
    )`.execute(db)
  /* Connections of a worker. */
  await sql`create index connection_lease_by_holder on connection_lease (holder)`.execute(db)
  /* When a connection was not connected, and why. */
  await sql`
    create table connection_gap (
      id            integer generated always as identity primary key,
      company_id    integer not null,
      connection_id integer not null references connection (id) on delete cascade,
      began_at      timestamptz not null,
      ended_at      timestamptz,
      reason        text,
      anew          boolean default false not null
    )`.execute(db)
  /* Gaps of a connection, newest first. */
  await sql`create index connection_gap_by_time on connection_gap (connection_id, began_at desc)`.execute(db)
  /* At most one open gap. */
  await sql`create unique index connection_gap_open on connection_gap (connection_id) where ended_at is null`.execute(db)
  /* A WhatsApp Cloud number, page or Instagram account, with its sealed token. */
  await sql`
    create table meta_account (
      id                 text primary key,
      company_id         integer not null,
      product            text not null check (product in ('whatsapp', 'page', 'instagram')),
      account_id         text not null,
      business_id        text,
      hook               text not null unique,
      token_expires_at   timestamptz,
      wrapped            bytea not null,
      wrapped_by         text not null,
      expiry_notified_at timestamptz,
      hook_proven_at     timestamptz,
      unique (product, account_id)
    )`.execute(db)
  /* A login at Meta in progress. */
  await sql`
    create table meta_login (
      id               text primary key,
      company_id       integer not null,
      user_id          integer not null,
      expires_at       timestamptz not null,
      used_at          timestamptz,
      token_expires_at timestamptz,
      wrapped          bytea not null,
      wrapped_by       text not null
    )`.execute(db)
  /* Provider ids that contain a phone number, by the digests that stand in events. Erased with the key of their person. */
  await sql`
    create table message_provider_id (
      connection_id integer not null,
      digest        text not null,
      company_id    integer not null,
      person_key    text not null,
      provider_id   text not null,
      primary key (connection_id, digest)
    )`.execute(db)
  /* The digest of a provider id. */
  await sql`create index message_provider_id_known on message_provider_id (connection_id, provider_id)`.execute(db)
  /* Ids to erase with a person. */
  await sql`create index message_provider_id_person on message_provider_id (company_id, person_key)`.execute(db)
  await sql`
    create function record_connection_gap() returns trigger language plpgsql as $$
        declare
          stood  boolean := old.status = 'CONNECTED' and old.silent_since is null;
          stands boolean := new.status = 'CONNECTED' and new.silent_since is null;
          why    text    := case when new.silent_since is null then new.reason else 'SILENT' end;
          code   boolean := new.status = 'qrcode';
          ended  timestamptz := (select max(ended_at) from connection_gap where connection_id = new.id);
        begin
          if stood and not stands then
            insert into connection_gap (company_id, connection_id, began_at, reason, anew)
              values (new.company_id, new.id, case when new.silent_since is null then app_now() else greatest(new.silent_since, ended) end, why, code)
              on conflict do nothing;
          elsif stands then
            update connection_gap set ended_at = greatest(began_at, app_now()) where connection_id = new.id and ended_at is null;
          else
            update connection_gap set reason = coalesce(why, reason), anew = anew or code
              where connection_id = new.id and ended_at is null and (why is not null or code);
          end if;
          return null;
        end $$`.execute(db)
  await sql`
    create function forget_message_ids() returns trigger language plpgsql as $$
        begin
          delete from message_provider_id where company_id = new.company_id and person_key in (
            select key from contact_identity where company_id = new.company_id and contact_id = new.contact_id
            union select number_key from contact where company_id = new.company_id and id = new.contact_id);
          return null;
        end $$`.execute(db)
  await sql`
    create trigger record_connection_gap after update of status, silent_since, reason on connection
      for each row
      when (((old.status is distinct from new.status) or (old.silent_since is distinct from new.silent_since)) or (old.reason is distinct from new.reason))
      execute function record_connection_gap()`.execute(db)
  await sql`
    create trigger live_tickets after update on connection
      for each row
      when ((old.name is distinct from new.name) or (old.color is distinct from new.color))
      execute function notify_tickets('whatsapp_id', 'id')`.execute(db)
  await sql`
    create trigger increment_label_version after insert or delete or update of name, color, group_as_ticket on connection
      for each row
      execute function increment_label_version()`.execute(db)
  await sql`
    create trigger live_delete after delete on connection_queue referencing old table as changed
      for each statement
      execute function notify_referenced('whatsapp update', 'connection_id')`.execute(db)
  await sql`
    create trigger live_insert after insert on connection_queue referencing new table as changed
      for each statement
      execute function notify_referenced('whatsapp update', 'connection_id')`.execute(db)
  await sql`
    create trigger live_update after update on connection_queue referencing new table as changed
      for each statement
      execute function notify_referenced('whatsapp update', 'connection_id')`.execute(db)
  await sql`
    create trigger forget_message_ids after insert or update of destroyed_at on contact_key
      for each row
      when (new.destroyed_at is not null)
      execute function forget_message_ids()`.execute(db)
}
