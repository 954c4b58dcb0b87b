import { type Kysely, sql } from 'kysely'

/** Whether it was last told that somebody serves as many as they may, so that it is told when that changes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table user_presence add column is_full boolean not null default false`.execute(db)
  await sql`
    create or replace function tell_presences() returns trigger language plpgsql as $$
    declare line record;
    begin
      for line in
        select company_id, string_agg(id::text, ',') as ids from (
          select n.company_id, n.id, (row_number() over (partition by n.company_id)) / 300 as part
          from changed n join before o using (id)
          where (o.online, o.away, o.idle, o.is_full) is distinct from (n.online, n.away, n.idle, n.is_full)) rows
        group by company_id, part
      loop
        perform pg_notify('changes', 'user presence ' || line.company_id || ' ' || line.ids);
      end loop;
      return null;
    end $$`.execute(db)
}
