import { type Kysely, sql } from 'kysely'

/** Queues, the options of their bots, tags and lanes, quick replies and file lists. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table queue (
      id                   integer generated always as identity primary key,
      company_id           integer not null,
      name                 text not null,
      color                text not null,
      greeting_message     text,
      order_queue          integer,
      retired_at           timestamptz,
      version              integer default 1 not null,
      out_of_hours_message text,
      schedules            jsonb default '[{"weekday": "Segunda-feira", "endTimeA": "12:00", "endTimeB": "23:59", "weekdayEn": "monday", "startTimeA": "00:00", "startTimeB": "12:01"}, {"weekday": "Terça-feira", "endTimeA": "12:00", "endTimeB": "23:59", "weekdayEn": "tuesday", "startTimeA": "00:00", "startTimeB": "12:01"}, {"weekday": "Quarta-feira", "endTimeA": "12:00", "endTimeB": "23:59", "weekdayEn": "wednesday", "startTimeA": "00:00", "startTimeB": "12:01"}, {"weekday": "Quinta-feira", "endTimeA": "12:00", "endTimeB": "23:59", "weekdayEn": "thursday", "startTimeA": "00:00", "startTimeB": "12:01"}, {"weekday": "Sexta-feira", "endTimeA": "12:00", "endTimeB": "23:59", "weekdayEn": "friday", "startTimeA": "00:00", "startTimeB": "12:01"}, {"weekday": "Sábado", "endTimeA": "12:00", "endTimeB": "23:59", "weekdayEn": "saturday", "startTimeA": "00:00", "startTimeB": "12:01"}, {"weekday": "Domingo", "endTimeA": "12:00", "endTimeB": "23:59", "weekdayEn": "sunday", "startTimeA": "00:00", "startTimeB": "12:01"}]' not null,
      tempo_roteador       integer default 0 not null,
      ativar_roteador      boolean default false not null,
      integration_id       integer,
      file_list_id         integer,
      close_ticket         boolean default false not null
    )`.execute(db)
  /* One queue per colour. */
  await sql`create unique index queue_color on queue (company_id, lower(color)) where retired_at is null`.execute(db)
  /* One queue per name. */
  await sql`create unique index queue_name on queue (company_id, same_name(name)) where retired_at is null`.execute(db)
  await sql`select make_live('queue', 'queue')`.execute(db)
  /* When each user was last assigned a ticket of a queue by rotation (A-ROT-01). */
  await sql`
    create table queue_turn (
      company_id integer not null,
      queue_id   integer not null,
      user_id    integer not null references "user" (id) on delete cascade,
      at         timestamptz not null,
      primary key (queue_id, user_id)
    )`.execute(db)
  /* A choice below a queue, or below another choice, of the bot menu. The API calls it chatbot. */
  await sql`
    create table menu_option (
      id                 integer generated always as identity primary key,
      company_id         integer not null,
      queue_id           integer not null references queue (id) on delete cascade,
      chat_bot_id        integer references menu_option (id) on delete cascade,
      position           integer not null,
      name               text not null,
      greeting_message   text,
      queue_type         text default 'text' not null,
      close_ticket       boolean default false not null,
      opt_queue_id       integer,
      opt_user_id        integer,
      opt_integration_id integer,
      opt_file_id        integer
    )`.execute(db)
  /* Options below an option. */
  await sql`create index menu_option_by_parent on menu_option (chat_bot_id)`.execute(db)
  /* Options of a queue in their order. */
  await sql`create index menu_option_by_queue on menu_option (queue_id, position, id)`.execute(db)
  /* Tags; those with `kanban` = 1 are lanes of the board. */
  await sql`
    create table tag (
      id                    integer generated always as identity primary key,
      company_id            integer not null,
      name                  text not null,
      color                 text not null,
      kanban                integer default 0 not null,
      contacts_count        integer default 0 not null,
      time_lane             integer,
      next_lane_id          integer,
      rollback_lane_id      integer,
      greeting_message_lane text,
      user_id               integer,
      version               integer default 1 not null
    )`.execute(db)
  /* The list of tags. */
  await sql`create index tag_by_company on tag (company_id, id desc)`.execute(db)
  /* One tag or lane per name. */
  await sql`create unique index tag_name on tag (company_id, kanban, same_name(name))`.execute(db)
  await sql`select make_live('tag', 'tag')`.execute(db)
  /* Quick replies; the API calls them quick messages. */
  await sql`
    create table quick_message (
      id         integer generated always as identity primary key,
      company_id integer not null,
      shortcode  text not null,
      message    text not null,
      geral      boolean default false not null,
      visao      boolean default false not null,
      user_id    integer,
      version    integer default 1 not null,
      status     boolean default true not null
    )`.execute(db)
  /* One shortcode per user. */
  await sql`create unique index quick_message_own on quick_message (company_id, coalesce(user_id, 0), same_name(shortcode))`.execute(db)
  /* One shared shortcode per company. */
  await sql`create unique index quick_message_shared on quick_message (company_id, same_name(shortcode)) where geral`.execute(db)
  /* One shortcode per user, whatever its capitals. */
  await sql`create unique index quick_message_shortcode on quick_message (company_id, coalesce(user_id, 0), lower(shortcode))`.execute(db)
  await sql`select make_live('quick_message', 'quickMessage')`.execute(db)
  await sql`
    create table file_list (
      id         integer generated always as identity primary key,
      company_id integer not null,
      version    integer default 1 not null,
      user_id    integer,
      name       text not null,
      message    text not null
    )`.execute(db)
  /* One list per name. */
  await sql`create unique index file_list_name on file_list (company_id, same_name(name))`.execute(db)
  await sql`select make_live('file_list', 'fileList')`.execute(db)
  await sql`
    create table file_list_option (
      id           integer generated always as identity primary key,
      company_id   integer not null,
      file_list_id integer not null references file_list (id) on delete cascade,
      position     integer not null,
      name         text not null
    )`.execute(db)
  /* Entries in their order. */
  await sql`create index file_list_option_in_order on file_list_option (file_list_id, position, id)`.execute(db)
  await sql`
    create trigger live_delete after delete on menu_option referencing old table as changed
      for each statement
      execute function notify_referenced('queue update', 'queue_id')`.execute(db)
  await sql`
    create trigger live_insert after insert on menu_option referencing new table as changed
      for each statement
      execute function notify_referenced('queue update', 'queue_id')`.execute(db)
  await sql`
    create trigger live_update after update on menu_option referencing new table as changed
      for each statement
      execute function notify_referenced('queue update', 'queue_id')`.execute(db)
  await sql`
    create trigger live_tickets after update on queue
      for each row
      when ((((old.name is distinct from new.name) or (old.color is distinct from new.color)) or (old.ativar_roteador is distinct from new.ativar_roteador)) or (old.tempo_roteador is distinct from new.tempo_roteador))
      execute function notify_tickets('queue_id', 'id')`.execute(db)
  await sql`
    create trigger increment_label_version after insert or delete or update of name, color, ativar_roteador, tempo_roteador on queue
      for each row
      execute function increment_label_version()`.execute(db)
  await sql`
    create trigger live_tagged after update on tag
      for each row
      when ((old.name is distinct from new.name) or (old.color is distinct from new.color))
      execute function notify_tagged()`.execute(db)
  await sql`
    create trigger increment_label_version after insert or delete or update of name, color on tag
      for each row
      execute function increment_label_version()`.execute(db)
}
