import { type Kysely, sql } from 'kysely'

/** Of what was imported its id stays, so that it is never imported again; what waits goes with whom it is of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table import_message alter column heard drop not null`.execute(db)
  /* Of what was said in one second a phone tells the last first. */
  await sql`alter table import_message add column n bigint generated always as identity`.execute(db)
  await sql`
    create function forget_imports() returns trigger language plpgsql as $$
    begin
      delete from import_chat c using contact_identity i
        where i.contact_id = new.contact_id and i.company_id = new.company_id and c.company_id = i.company_id and c.done_at is null
          and c.conversation in (i.id, i.key);
      delete from import_message m using contact_identity i
        where i.contact_id = new.contact_id and i.company_id = new.company_id and m.company_id = i.company_id and m.heard is not null
          and exists (select from jsonb_array_elements(m.heard->'from') f where f->>'id' in (i.id, i.key));
      return null;
    end $$`.execute(db)
  await sql`
    create trigger forget_imports after insert or update of destroyed_at on contact_key
      for each row when (new.destroyed_at is not null) execute function forget_imports()`.execute(db)
  /* A person's tickets in the order in which they began: what is imported began before what is there. */
  await sql`create index ticket_in_order on ticket (contact_id, whatsapp_id, created_at desc, id desc)`.execute(db)
  /* The one before, by what it is of: tables that were rebuilt have it under another name. */
  const { rows } = await sql<{ name: string }>`
    select indexname as name from pg_indexes
    where schemaname = 'public' and tablename = 'ticket' and indexdef like '%(contact_id, id DESC)'`.execute(db)
  for (const { name } of rows) await sql`drop index ${sql.id('public', name)}`.execute(db)
}
