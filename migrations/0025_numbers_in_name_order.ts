import { type Kysely, sql } from 'kysely'

/** The alphabets of companies, with numbers inside names sorted by value, and the list of contacts in each order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  /* Companies whose language is Portuguese or English. */
  await sql`create collation name_order (provider = icu, locale = 'und-u-kn-true')`.execute(db)
  await sql`create index contact_by_name_order on contact (company_id, name collate name_order, id)`.execute(db)
  /* Companies whose language is Spanish. */
  await sql`create collation name_order_es (provider = icu, locale = 'es-u-kn-true')`.execute(db)
  await sql`create index contact_by_name_order_es on contact (company_id, name collate name_order_es, id)`.execute(db)
  /* Companies whose language is Turkish. */
  await sql`create collation name_order_tr (provider = icu, locale = 'tr-u-kn-true')`.execute(db)
  await sql`create index contact_by_name_order_tr on contact (company_id, name collate name_order_tr, id)`.execute(db)
}
