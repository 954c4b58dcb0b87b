import { type Kysely, sql } from 'kysely'

/** Who is here may be away, by their own word or for want of input; and whose turn it is in a queue that hands out its tickets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table user_presence add column away boolean not null default false, add column idle boolean not null default false`.execute(
    db,
  )
  await sql`
    create or replace function tell_presences() returns trigger language plpgsql as $$
    declare line record;
    begin
      for line in
        select company_id, string_agg(id::text, ',') as ids from (
          select n.company_id, n.id, (row_number() over (partition by n.company_id)) / 300 as part
          from changed n join before o using (id) where (o.online, o.away, o.idle) is distinct from (n.online, n.away, n.idle)) rows
        group by company_id, part
      loop
        perform pg_notify('changes', 'user presence ' || line.company_id || ' ' || line.ids);
      end loop;
      return null;
    end $$`.execute(db)
  await sql`
    create table queue_turn (
      company_id integer     not null,
      queue_id   integer     not null,
      user_id    integer     not null references "user" (id) on delete cascade,
      at         timestamptz not null,
      primary key (queue_id, user_id)
    )`.execute(db)
}
