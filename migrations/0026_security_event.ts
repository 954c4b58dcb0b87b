import { type Kysely, sql } from 'kysely'

/** Who came in, was kept out, or changed what others may; a chain a company, and 0 for what belongs to none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table security_event (
      id         bigint      generated always as identity primary key,
      company_id integer     not null,
      n          bigint      not null,
      at         timestamptz not null,
      kind       text        not null,
      user_id    integer,
      address    text,
      detail     jsonb       not null default '{}',
      hash       text        not null,
      unique (company_id, n)
    )`.execute(db)
  await sql`create index security_event_by_kind on security_event (company_id, kind, n)`.execute(db)
}
