import { type Kysely, sql } from 'kysely'

/** When a contact's picture was last asked for at their provider; which it is stands in url_picture. It goes with whoever is erased. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table contact_picture (
      contact_id integer     primary key references contact (id) on delete cascade,
      company_id integer     not null,
      asked_at   timestamptz not null
    )`.execute(db)
  await sql`
    create function forget_contact_picture() returns trigger language plpgsql as $$
    declare gone text;
    begin
      delete from row_file where company_id = new.company_id and list = 'contact' and row_id = new.contact_id returning key into gone;
      update contact set url_picture = null, version = version + 1 where company_id = new.company_id and id = new.contact_id and url_picture is not null;
      if gone is null then return null; end if;
      insert into upload_hold (id, company_id, key, size, by_people, at) values (gen_random_uuid(), new.company_id, gone, 0, false, to_timestamp(0));
      update media set named = false where company_id = new.company_id and key = gone;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger forget_contact_picture after update of destroyed_at on contact_key
      for each row when (new.destroyed_at is not null) execute function forget_contact_picture()`.execute(db)
}
