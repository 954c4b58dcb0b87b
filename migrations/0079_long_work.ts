import { type Kysely, sql } from 'kysely'

/** Work that takes longer than a call: what of it is done stands here, so that it is seen, stopped, and gone on with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table long_work (
      id         integer generated always as identity primary key,
      company_id integer     not null,
      user_id    integer     not null,
      kind       text        not null,
      command_id text        not null,
      args       jsonb       not null default '{}',
      items      jsonb       not null,
      state      text        not null default 'running',
      total      integer     not null,
      done       integer     not null default 0,
      changed    integer     not null default 0,
      failed     integer     not null default 0,
      holder     uuid,
      beat_at    timestamptz,
      started_at timestamptz not null default now(),
      ended_at   timestamptz,
      dismissed  boolean     not null default false,
      unique (company_id, user_id, command_id)
    )`.execute(db)
  await sql`create index long_work_running on long_work (beat_at) where state = 'running'`.execute(db)
  await sql`create index long_work_by_user on long_work (company_id, user_id, id desc) where not dismissed`.execute(db)
  await sql`select make_live('long_work'::regclass, 'work')`.execute(db)
  await sql`
    create table long_work_error (
      work_id    integer not null references long_work (id) on delete cascade,
      company_id integer not null,
      item       integer not null,
      code       text    not null,
      primary key (work_id, item)
    )`.execute(db)
}
