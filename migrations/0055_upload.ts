import { type Kysely, sql } from 'kysely'

/** Whose files count against a company's quota, and what is being sent: a file that no fact names in the end is taken away again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table plan add column upload_megabytes integer`.execute(db)
  await sql`alter table media add column named boolean not null default true, add column by_people boolean not null default false`.execute(
    db,
  )
  await sql`
    update media f set by_people = true where exists (
      select from message m where m.company_id = f.company_id and m.media->>'key' = f.key and m.media is not null and m.from_me)`.execute(
    db,
  )
  await sql`create index media_by_people on media (company_id) include (size) where by_people`.execute(db)
  await sql`
    create table upload_hold (
      id         uuid        primary key,
      company_id integer     not null,
      key        text        not null,
      ticket_id  integer,
      size       integer     not null,
      by_people  boolean     not null,
      at         timestamptz not null default now()
    )`.execute(db)
  await sql`create index upload_hold_by_file on upload_hold (company_id, key)`.execute(db)
  await sql`create index upload_hold_by_age on upload_hold (at)`.execute(db)
}
