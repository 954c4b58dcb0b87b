import { type Kysely, sql } from 'kysely'

/**
 * A number for each company that moves with the name or colour of what many rows show: its connections, queues, users and tags. Who holds
 * them reads it with the rows, and knows by it whether what is held still stands (projections/labels.ts).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table label_version (company_id int primary key, version bigint not null)`.execute(db)
  await sql`
    create function move_labels() returns trigger language plpgsql as $$
    begin
      insert into label_version (company_id, version) values (coalesce(new.company_id, old.company_id), 1)
      on conflict (company_id) do update set version = label_version.version + 1;
      return null;
    end $$`.execute(db)
  for (const [table, shown] of [
    ['connection', 'name, color, group_as_ticket'],
    ['queue', 'name, color'],
    ['"user"', 'name, color'],
    ['tag', 'name, color'],
  ] as const)
    await sql`
      create trigger move_labels after insert or delete or update of ${sql.raw(shown)} on ${sql.raw(table)} for each row
      execute function move_labels()`.execute(db)
  await sql`
    insert into label_version (company_id, version)
    select distinct company_id, 1 from (
      select company_id from connection union select company_id from queue union select company_id from "user" union select company_id from tag) kept
    `.execute(db)
}
