import { type Kysely, sql } from 'kysely'

/** Companies with their plans, users, sessions, and the security log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table plan (
      id               integer generated always as identity primary key,
      name             text not null unique,
      flags            jsonb default '{}' not null,
      upload_megabytes integer,
      users            integer,
      connections      integer,
      queues           integer
    )`.execute(db)
  await sql`
    create table company (
      id            integer generated always as identity primary key,
      company_id    integer generated always as (id) stored,
      name          text not null,
      plan_id       integer references plan (id),
      status        boolean default true not null,
      due_date      date,
      last_login    timestamptz,
      created_at    timestamptz default now() not null,
      schedules     jsonb default '[{"weekday": "Segunda-feira", "endTimeA": "12:00", "endTimeB": "18:00", "weekdayEn": "monday", "startTimeA": "08:00", "startTimeB": "13:00"}, {"weekday": "Terça-feira", "endTimeA": "12:00", "endTimeB": "18:00", "weekdayEn": "tuesday", "startTimeA": "08:00", "startTimeB": "13:00"}, {"weekday": "Quarta-feira", "endTimeA": "12:00", "endTimeB": "18:00", "weekdayEn": "wednesday", "startTimeA": "08:00", "startTimeB": "13:00"}, {"weekday": "Quinta-feira", "endTimeA": "12:00", "endTimeB": "18:00", "weekdayEn": "thursday", "startTimeA": "08:00", "startTimeB": "13:00"}, {"weekday": "Sexta-feira", "endTimeA": "12:00", "endTimeB": "18:00", "weekdayEn": "friday", "startTimeA": "08:00", "startTimeB": "13:00"}, {"weekday": "Sábado", "endTimeA": "", "endTimeB": "", "weekdayEn": "saturday", "startTimeA": "", "startTimeB": ""}, {"weekday": "Domingo", "endTimeA": "", "endTimeB": "", "weekdayEn": "sunday", "startTimeA": "", "startTimeB": ""}]' not null,
      hours_version integer default 1 not null
    )`.execute(db)
  await sql`select make_live('company', 'company')`.execute(db)
  await sql`
    create table holiday (
      id         integer generated always as identity primary key,
      company_id integer not null references company (id),
      date       date not null,
      name       text not null,
      unique (company_id, date)
    )`.execute(db)
  await sql`
    create table "user" (
      id                            integer generated always as identity primary key,
      company_id                    integer not null references company (id),
      name                          text not null,
      email                         text not null,
      password_hash                 text not null,
      profile                       text default 'user' not null,
      super                         boolean default false not null,
      flags                         jsonb default '{}' not null,
      whatsapp_id                   integer,
      start_work                    text default '00:00' not null,
      end_work                      text default '23:59' not null,
      farewell_message              text,
      default_theme                 text default 'light' not null,
      default_menu                  text default 'open' not null,
      default_tickets_manager_width integer default 420 not null,
      language                      text default 'pt-BR' not null,
      color                         text default '#5c7080' not null,
      created_at                    timestamptz default now() not null,
      version                       integer default 1 not null,
      retired_at                    timestamptz
    )`.execute(db)
  /* The list of users. */
  await sql`create index user_by_company on "user" (company_id, name)`.execute(db)
  /* Sign-in; one account per address. */
  await sql`create unique index user_by_email on "user" (lower(email)) where retired_at is null`.execute(db)
  await sql`select make_live('"user"', 'user')`.execute(db)
  /* Whether a user is online, away or idle, and whether they serve as many tickets as they may. */
  await sql`
    create table user_presence (
      id         integer primary key references "user" (id) on delete cascade,
      company_id integer not null,
      online     boolean not null,
      seen_at    timestamptz not null,
      away       boolean default false not null,
      idle       boolean default false not null,
      is_full    boolean default false not null
    )`.execute(db)
  await sql`
    create table user_queue (
      company_id integer not null,
      user_id    integer not null references "user" (id) on delete cascade,
      queue_id   integer not null,
      primary key (user_id, queue_id)
    )`.execute(db)
  /* Who served a queue that was retired: they still read the tickets that were closed in it. */
  await sql`
    create table retired_queue_user (
      company_id integer not null,
      user_id    integer not null references "user" (id) on delete cascade,
      queue_id   integer not null,
      primary key (user_id, queue_id)
    )`.execute(db)
  /* `spent` holds the refresh secrets of the last seconds, so that two tabs may refresh at once. */
  await sql`
    create table session (
      id            uuid primary key,
      company_id    integer not null,
      user_id       integer not null references "user" (id) on delete cascade,
      remember      boolean not null,
      secret_hash   text not null,
      previous_hash text,
      rotated_at    timestamptz not null,
      expires_at    timestamptz not null,
      created_at    timestamptz default now() not null,
      ended_at      timestamptz,
      spent         jsonb default '[]' not null
    )`.execute(db)
  /* Sessions of a user. */
  await sql`create index session_by_user on session (user_id) where ended_at is null`.execute(db)
  await sql`select make_live('session', 'session')`.execute(db)
  /* Failed sign-ins by account and by address, for the login throttle. */
  await sql`
    create table login_failure (
      key text not null,
      at  timestamptz default now() not null
    )`.execute(db)
  /* Failures of one account or address. */
  await sql`create index login_failure_by_key on login_failure (key, at)`.execute(db)
  /* Removes old failures. */
  await sql`create index login_failure_by_time on login_failure (at)`.execute(db)
  /* A link by which a person sets a password once (A-USER-04). Only its hash is stored. */
  await sql`
    create table password_link (
      token_hash text primary key,
      company_id integer not null,
      user_id    integer not null references "user" (id) on delete cascade,
      expires_at timestamptz not null,
      used_at    timestamptz,
      forgotten  boolean default false not null
    )`.execute(db)
  /* Links of a user. */
  await sql`create index password_link_by_user on password_link (user_id)`.execute(db)
  /* Sign-ins, refusals and changes of rights: one hash chain for each company, and 0 for those of none. */
  await sql`
    create table security_event (
      id         bigint generated always as identity primary key,
      company_id integer not null,
      n          bigint not null,
      at         timestamptz not null,
      kind       text not null,
      user_id    integer,
      address    text,
      detail     jsonb default '{}' not null,
      hash       text not null,
      unique (company_id, n)
    )`.execute(db)
  /* Events of one kind. */
  await sql`create index security_event_by_kind on security_event (company_id, kind, n)`.execute(db)
  /* Whether an address is new for a user. */
  await sql`create index security_event_by_user on security_event (user_id, kind, address)`.execute(db)
  await sql`
    create trigger live_delete after delete on holiday referencing old table as changed
      for each statement
      execute function notify_referenced('company update', 'company_id')`.execute(db)
  await sql`
    create trigger live_insert after insert on holiday referencing new table as changed
      for each statement
      execute function notify_referenced('company update', 'company_id')`.execute(db)
  await sql`
    create trigger live_update after update on holiday referencing new table as changed
      for each statement
      execute function notify_referenced('company update', 'company_id')`.execute(db)
  await sql`
    create trigger live_tickets after update on "user"
      for each row
      when ((old.name is distinct from new.name) or (old.color is distinct from new.color))
      execute function notify_tickets('user_id', 'id')`.execute(db)
  await sql`
    create trigger increment_label_version after insert or delete or update of name, color on "user"
      for each row
      execute function increment_label_version()`.execute(db)
  await sql`
    create trigger live_insert after insert on user_presence referencing new table as changed
      for each statement
      execute function notify_referenced('user presence', 'id')`.execute(db)
  await sql`
    create trigger live_update after update on user_presence referencing old table as before new table as changed
      for each statement
      execute function notify_presences()`.execute(db)
  await sql`
    create trigger live_delete after delete on user_queue referencing old table as changed
      for each statement
      execute function notify_referenced('user update', 'user_id')`.execute(db)
  await sql`
    create trigger live_insert after insert on user_queue referencing new table as changed
      for each statement
      execute function notify_referenced('user update', 'user_id')`.execute(db)
  await sql`
    create trigger live_update after update on user_queue referencing new table as changed
      for each statement
      execute function notify_referenced('user update', 'user_id')`.execute(db)
}
