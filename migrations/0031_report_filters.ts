import { type Kysely, sql } from 'kysely'

/** Saved filters of the report, and the mails that send it every week. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table report_filter (
      id         integer generated always as identity primary key,
      company_id integer not null,
      user_id    integer not null,
      name       text not null,
      filter     jsonb not null,
      shared     boolean default false not null,
      mail       jsonb,
      mailed_day date,
      version    integer default 1 not null,
      created_at timestamptz default app_now() not null
    )`.execute(db)
  /* A name once per owner. */
  await sql`create unique index report_filter_name on report_filter (company_id, user_id, same_name(name))`.execute(db)
  /* Each mail of a report: a row is the claim of one recipient before it is sent, and its result after. */
  await sql`
    create table report_mail (
      id         integer generated always as identity primary key,
      company_id integer not null,
      filter_id  integer not null,
      user_id    integer not null,
      due_day    date,
      first_day  date not null,
      last_day   date not null,
      state      text not null,
      reason     text,
      rows       integer,
      with_file  boolean default false not null,
      late       boolean default false not null,
      attempts   integer default 0 not null,
      began_at   timestamptz not null,
      ended_at   timestamptz
    )`.execute(db)
  /* One mail per recipient and week. A test mail has no day on which it is due. */
  await sql`create unique index report_mail_due on report_mail (filter_id, due_day, user_id)`.execute(db)
}
