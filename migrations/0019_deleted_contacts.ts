import { type Kysely, sql } from 'kysely'

/** A deleted contact gets no further ticket. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function refuse_deleted_contact() returns trigger language plpgsql as $$
      declare deleted timestamptz;
      begin
        -- the lock waits for a deletion that is under way
        select deleted_at into deleted from contact where id = new.contact_id for key share;
        if deleted is not null then
          raise exception 'contact % is deleted', new.contact_id using errcode = 'foreign_key_violation';
        end if;
        return new;
      end $$`.execute(db)
  await sql`
    create trigger refuse_deleted_contact before insert on active_ticket
      for each row
      execute function refuse_deleted_contact()`.execute(db)
  /* Contacts whose personal fields are due to be erased. */
  await sql`create index contact_deleted on contact (deleted_at) where deleted_at is not null and number <> ''`.execute(db)
}
