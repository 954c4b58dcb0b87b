import { type Kysely, sql } from 'kysely'

const weekdays = [
  ['Segunda-feira', 'monday'],
  ['Terça-feira', 'tuesday'],
  ['Quarta-feira', 'wednesday'],
  ['Quinta-feira', 'thursday'],
  ['Sexta-feira', 'friday'],
  ['Sábado', 'saturday'],
  ['Domingo', 'sunday'],
] as const
/** Hours of a week as a literal; `days`: how many of it, from Monday, are open. */
function hours(days: number, [startTimeA, endTimeA, startTimeB, endTimeB]: [string, string, string, string]) {
  const shut = { startTimeA: '', endTimeA: '', startTimeB: '', endTimeB: '' }
  const open = { startTimeA, endTimeA, startTimeB, endTimeB }
  return sql.lit(JSON.stringify(weekdays.map(([weekday, weekdayEn], n) => ({ weekday, weekdayEn, ...(n < days ? open : shut) }))))
}

/** What a company says about its connections, queues and hours, and the options that its customers choose from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const office = ['08:00', '12:00', '13:00', '18:00'] as [string, string, string, string]
  await sql`alter table company add column schedules jsonb not null default ${hours(5, office)}`.execute(db)
  await sql`
    create table holiday (
      id         integer generated always as identity primary key,
      company_id integer not null references company (id),
      date       date    not null,
      name       text    not null,
      unique (company_id, date)
    )`.execute(db)
  await sql`
    alter table plan
      add column if not exists users       integer,
      add column if not exists connections integer,
      add column if not exists queues      integer`.execute(db)

  await sql`
    alter table connection
      add column version                     integer     not null default 1,
      add column qrcode                      text        not null default '',
      add column out_of_hours_message        text,
      add column rating_message              text,
      add column max_use_bot_queues          integer     not null default 3,
      add column time_use_bot_queues         integer     not null default 0,
      add column send_id_queue               integer,
      add column time_send_queue             text        not null default '0',
      add column expires_ticket              integer     not null default 0,
      add column when_expires_ticket         text        not null default '0',
      add column expires_ticket_n_p_s        integer     not null default 0,
      add column max_use_bot_queues_n_p_s    integer     not null default 3,
      add column expires_inactive_message    text,
      add column time_inactive_message       integer     not null default 0,
      add column inactive_message            text,
      add column time_create_new_ticket      integer     not null default 0,
      add column collective_vacation_start   date,
      add column collective_vacation_end     date,
      add column collective_vacation_message text,
      add column lgpd_link                   text,
      add column lgpd_message                text,
      add column integration_id              integer,
      add column prompt_id                   integer,
      add column flow_id_welcome             integer,
      add column flow_id_not_phrase          integer,
      add column schedules                   jsonb       not null default ${hours(7, office)},
      add column enable_import_message       boolean     not null default false,
      add column import_recent_messages      timestamptz,
      add column import_old_messages         timestamptz,
      add column import_old_messages_groups  boolean     not null default false,
      add column closed_tickets_post_imported boolean    not null default false,
      add column queue_id_import_messages    integer,
      add column status_import_messages      text`.execute(db)
  /* Sealed, and found by its hash: it is shown again to be copied. */
  await sql`
    create table connection_token (
      id         text    primary key,
      company_id integer not null,
      hash       text    not null unique,
      wrapped    bytea   not null,
      wrapped_by text    not null
    )`.execute(db)

  await sql`
    alter table queue
      add column out_of_hours_message text,
      add column schedules            jsonb   not null default ${hours(7, ['00:00', '12:00', '12:01', '23:59'])},
      add column tempo_roteador       integer not null default 0,
      add column ativar_roteador      boolean not null default false,
      add column integration_id       integer,
      add column file_list_id         integer,
      add column close_ticket         boolean not null default false`.execute(db)
  await sql`
    create table chatbot (
      id                 integer generated always as identity primary key,
      company_id         integer not null,
      queue_id           integer not null references queue (id) on delete cascade,
      chat_bot_id        integer references chatbot (id) on delete cascade,
      position           integer not null,
      name               text    not null,
      greeting_message   text,
      queue_type         text    not null default 'text',
      close_ticket       boolean not null default false,
      opt_queue_id       integer,
      opt_user_id        integer,
      opt_integration_id integer,
      opt_file_id        integer
    )`.execute(db)
  await sql`create index chatbot_by_queue on chatbot (queue_id, position, id)`.execute(db)
  await sql`create index chatbot_by_parent on chatbot (chat_bot_id)`.execute(db)
  /* Whoever keeps a queue or a company in mind looks again when what belongs to it changes. */
  for (const [op, rows] of [
    ['insert', 'new'],
    ['update', 'new'],
    ['delete', 'old'],
  ] as const) {
    const told = (table: string) =>
      sql.raw(`live_${op} after ${op} on ${table} referencing ${rows} table as changed for each statement execute function tell_named`)
    await sql`create trigger ${told('chatbot')}('queue update', 'queue_id')`.execute(db)
    await sql`create trigger ${told('holiday')}('company update', 'company_id')`.execute(db)
  }
}
