import { type Kysely, sql } from 'kysely'

/** The list of contacts in the order of the company's alphabet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index contact_by_name`.execute(db)
  /* Companies whose language is Portuguese or English. */
  await sql`create index contact_by_name on contact (company_id, name collate "und-x-icu", id)`.execute(db)
  /* Companies whose language is Spanish. */
  await sql`create index contact_by_name_es on contact (company_id, name collate "es-x-icu", id)`.execute(db)
  /* Companies whose language is Turkish. */
  await sql`create index contact_by_name_tr on contact (company_id, name collate "tr-x-icu", id)`.execute(db)
}
