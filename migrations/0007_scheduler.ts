import { type Kysely, sql } from 'kysely'

/** Deadlines, scheduled tasks, workers and bulk operations. */
export async function up(db: Kysely<unknown>): Promise<void> {
  /* When a rule about a ticket is due: at most one of each kind. */
  await sql`
    create table deadline (
      id           bigint generated always as identity primary key,
      company_id   integer not null,
      aggregate_id integer not null,
      kind         text not null,
      due_at       timestamptz not null,
      cause        jsonb,
      unique (aggregate_id, kind)
    )`.execute(db)
  /* Deadlines that are due. */
  await sql`create index deadline_due on deadline (due_at)`.execute(db)
  /* When each recurring task is due again, and which process runs it until when. */
  await sql`
    create table scheduled_task (
      name       text primary key,
      next_at    timestamptz not null,
      held_until timestamptz,
      holder     uuid
    )`.execute(db)
  /* Worker processes that are alive, each with the time until which it holds its leases. */
  await sql`
    create table worker (
      id    integer generated always as identity primary key,
      pid   integer not null,
      until timestamptz not null
    )`.execute(db)
  /* Work that takes longer than a call: its progress is stored, so that it is shown, cancelled and resumed. */
  await sql`
    create table bulk_operation (
      id         integer generated always as identity primary key,
      company_id integer not null,
      user_id    integer not null,
      kind       text not null,
      command_id text not null,
      args       jsonb default '{}' not null,
      items      jsonb not null,
      state      text default 'running' not null,
      total      integer not null,
      done       integer default 0 not null,
      changed    integer default 0 not null,
      failed     integer default 0 not null,
      holder     uuid,
      beat_at    timestamptz,
      started_at timestamptz default now() not null,
      ended_at   timestamptz,
      dismissed  boolean default false not null,
      settled    boolean default false not null,
      unique (company_id, user_id, command_id)
    )`.execute(db)
  /* Operations that a user sees. */
  await sql`create index bulk_operation_by_user on bulk_operation (company_id, user_id, id desc) where not dismissed`.execute(db)
  /* Operations whose worker died. */
  await sql`create index bulk_operation_running on bulk_operation (beat_at) where state = 'running'`.execute(db)
  /* Operations whose last step is still to do. */
  await sql`create index bulk_operation_unsettled on bulk_operation (beat_at) where not settled`.execute(db)
  await sql`select make_live('bulk_operation', 'work')`.execute(db)
  /* Items of a bulk operation that were refused, with the code of the refusal. */
  await sql`
    create table bulk_operation_error (
      work_id    integer not null references bulk_operation (id) on delete cascade,
      company_id integer not null,
      item       integer not null,
      code       text not null,
      primary key (work_id, item)
    )`.execute(db)
}
