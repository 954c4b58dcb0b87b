import { type Kysely, sql } from 'kysely'

/** The filters of the search in all messages, each in order of time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  /* Messages that an agent wrote. */
  await sql`create index message_by_author on message (company_id, user_id, created_at desc) where user_id is not null`.execute(db)
  /* Messages of a kind, such as pictures. Text is most of all messages and needs none. */
  await sql`create index message_by_kind on message (company_id, media_type, created_at desc) where media_type <> 'chat'`.execute(db)
  /* Messages with a link, by the condition of projections/message-search/filter.ts. */
  await sql`create index message_with_link on message (company_id, created_at desc)
    where words ~ '(https?://|www\\.)[a-z0-9]|(^|[\\s(<])[a-z0-9-]+(\\.[a-z0-9-]+)*\\.(com|net|org|gov|edu|info|app|dev|io|me|ly|gle|br|es|tr|pt|ar|mx|cl|uk|de|fr|it)([/?#:),;!\\s]|\\.\\s|\\.?$)'`.execute(
    db,
  )
  /* Tickets of a connection. */
  await sql`create index ticket_by_connection on ticket (company_id, whatsapp_id, id)`.execute(db)
}
