import { type Kysely, sql } from 'kysely'

/** A provider's ids of messages that hold a phone number, by the digests that stand in the log for them; erased with the key of their person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table message_provider_id (
      connection_id integer not null,
      digest        text    not null,
      company_id    integer not null,
      person_key    text    not null,
      provider_id   text    not null,
      primary key (connection_id, digest)
    )`.execute(db)
  await sql`create index message_provider_id_known on message_provider_id (connection_id, provider_id)`.execute(db)
  await sql`create index message_provider_id_person on message_provider_id (company_id, person_key)`.execute(db)
  await sql`
    create function forget_message_ids() returns trigger language plpgsql as $$
    begin
      delete from message_provider_id where company_id = new.company_id and person_key in (
        select key from contact_identity where company_id = new.company_id and contact_id = new.contact_id
        union select number_key from contact where company_id = new.company_id and id = new.contact_id);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger forget_message_ids after insert or update of destroyed_at on contact_key
    for each row when (new.destroyed_at is not null) execute function forget_message_ids()`.execute(db)
}
