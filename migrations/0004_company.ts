import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table plan (
      id    integer generated always as identity primary key,
      name  text  not null unique,
      flags jsonb not null default '{}'
    )`.execute(db)
  await sql`
    create table company (
      id         integer generated always as identity primary key,
      company_id integer     generated always as (id) stored,
      name       text        not null,
      plan_id    integer     references plan (id),
      status     boolean     not null default true,
      due_date   date,
      last_login timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table company_setting (
      id         integer generated always as identity primary key,
      company_id integer not null references company (id),
      key        text    not null,
      value      text    not null,
      unique (company_id, key)
    )`.execute(db)

  await sql`
    create table "user" (
      id            integer generated always as identity primary key,
      company_id    integer     not null references company (id),
      name          text        not null,
      email         text        not null,
      password_hash text        not null,
      profile       text        not null default 'user',
      super         boolean     not null default false,
      flags         jsonb       not null default '{}',
      whatsapp_id   integer,
      start_work    text        not null default '00:00',
      end_work      text        not null default '23:59',
      farewell_message text,
      default_theme text        not null default 'light',
      default_menu  text        not null default 'open',
      default_tickets_manager_width integer not null default 420,
      language      text        not null default 'pt-BR',
      color         text        not null default '#5c7080',
      created_at    timestamptz not null default now()
    )`.execute(db)
  await sql`create unique index user_by_email on "user" (lower(email))`.execute(db)
  await sql`create index user_by_company on "user" (company_id, name)`.execute(db)
  await sql`
    create table user_queue (
      company_id integer not null,
      user_id    integer not null references "user" (id) on delete cascade,
      queue_id   integer not null,
      primary key (user_id, queue_id)
    )`.execute(db)
  await sql`
    create table user_presence (
      id         integer     primary key references "user" (id) on delete cascade,
      company_id integer     not null,
      online     boolean     not null,
      seen_at    timestamptz not null
    )`.execute(db)
  await sql`
    create table session (
      id            uuid        primary key,
      company_id    integer     not null,
      user_id       integer     not null references "user" (id) on delete cascade,
      remember      boolean     not null,
      secret_hash   text        not null,
      previous_hash text,
      rotated_at    timestamptz not null,
      expires_at    timestamptz not null,
      created_at    timestamptz not null default now(),
      ended_at      timestamptz
    )`.execute(db)
  await sql`create index session_by_user on session (user_id) where ended_at is null`.execute(db)
  await sql`
    create table login_failure (
      key text        not null,
      at  timestamptz not null default now()
    )`.execute(db)
  await sql`create index login_failure_by_key on login_failure (key, at)`.execute(db)

  await sql`
    create table queue (
      id               integer generated always as identity primary key,
      company_id       integer not null,
      name             text    not null,
      color            text    not null,
      greeting_message text,
      order_queue      integer
    )`.execute(db)
  await sql`create unique index queue_color on queue (company_id, lower(color))`.execute(db)
  await sql`
    create table connection (
      id               integer generated always as identity primary key,
      company_id       integer     not null,
      name             text        not null,
      channel          text        not null,
      provider         text        not null,
      number           text,
      status           text        not null,
      is_default       boolean     not null default false,
      allow_group      boolean     not null default true,
      group_as_ticket  text        not null default 'disabled',
      color            text,
      greeting_message text,
      complation_message text,
      updated_at       timestamptz not null default now()
    )`.execute(db)
  await sql`create unique index connection_default on connection (company_id) where is_default`.execute(db)
  await sql`
    create table connection_queue (
      company_id    integer not null,
      connection_id integer not null references connection (id) on delete cascade,
      queue_id      integer not null,
      primary key (connection_id, queue_id)
    )`.execute(db)
  await sql`
    create table tag (
      id                    integer generated always as identity primary key,
      company_id            integer not null,
      name                  text    not null,
      color                 text    not null,
      kanban                integer not null default 0,
      contacts_count        integer not null default 0,
      time_lane             integer,
      next_lane_id          integer,
      rollback_lane_id      integer,
      greeting_message_lane text
    )`.execute(db)
  await sql`create index tag_by_company on tag (company_id, id desc)`.execute(db)
  await sql`
    create table quick_message (
      id         integer generated always as identity primary key,
      company_id integer not null,
      shortcode  text    not null,
      message    text    not null,
      geral      boolean not null default false,
      visao      boolean not null default false,
      user_id    integer
    )`.execute(db)
  await sql`create unique index quick_message_shortcode on quick_message (company_id, coalesce(user_id, 0), lower(shortcode))`.execute(db)

  await sql`
    create table contact (
      id                   integer generated always as identity primary key,
      uuid                 uuid        not null default gen_random_uuid(),
      company_id           integer     not null,
      name                 text        not null,
      number               text        not null,
      number_key           text        not null,
      email                text        not null default '',
      channel              text        not null,
      is_group             boolean     not null default false,
      active               boolean     not null default true,
      disable_bot          boolean     not null default false,
      accept_audio_message boolean     not null default true,
      lgpd_accepted_at     timestamptz,
      url_picture          text,
      whatsapp_id          integer,
      extra_info           jsonb       not null default '[]',
      created_at           timestamptz not null default now(),
      updated_at           timestamptz not null default now(),
      deleted_at           timestamptz
    )`.execute(db)
  await sql`create unique index contact_number on contact (company_id, channel, number_key) where deleted_at is null`.execute(db)
  await sql`create index contact_by_name on contact (company_id, name, id)`.execute(db)
  await sql`create index contact_search on contact using gin (plain(name) gin_trgm_ops)`.execute(db)
  await sql`create index contact_number_search on contact using gin (number gin_trgm_ops)`.execute(db)
  await sql`
    create table contact_tag (
      company_id integer not null,
      contact_id integer not null references contact (id) on delete cascade,
      tag_id     integer not null references tag (id) on delete cascade,
      primary key (contact_id, tag_id)
    )`.execute(db)
  await sql`create index contact_tag_by_tag on contact_tag (tag_id, contact_id)`.execute(db)

  for (const [table, topic] of [
    ['"user"', 'user'],
    ['session', 'session'],
    ['company', 'company'],
    ['company_setting', 'setting'],
    ['queue', 'queue'],
    ['connection', 'whatsapp'],
    ['tag', 'tag'],
    ['quick_message', 'quickMessage'],
    ['contact', 'contact'],
  ])
    await sql`select make_live(${table}::text::regclass, ${topic}::text)`.execute(db)
  await sql`
    create function tell_tagged() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        update tag set contacts_count = contacts_count + 1 where id = new.tag_id;
      else
        update tag set contacts_count = contacts_count - 1 where id = old.tag_id;
      end if;
      perform pg_notify('changes', 'contact update ' || coalesce(new.company_id, old.company_id) || ' ' || coalesce(new.contact_id, old.contact_id));
      return null;
    end $$`.execute(db)
  await sql`create trigger live after insert or delete on contact_tag for each row execute function tell_tagged()`.execute(db)
  /* Who is here is told only when it changes, and changes nobody's rights. */
  await sql`
    create function tell_presence() returns trigger language plpgsql as $$
    begin
      perform pg_notify('changes', 'user presence ' || new.company_id || ' ' || new.id);
      return null;
    end $$`.execute(db)
  await sql`create trigger live_insert after insert on user_presence for each row execute function tell_presence()`.execute(db)
  await sql`
    create trigger live_update after update on user_presence for each row
    when (old.online is distinct from new.online) execute function tell_presence()`.execute(db)
}
