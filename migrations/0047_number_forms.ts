import { type Kysely, sql } from 'kysely'

/** Numbers of Mexico and Argentina have two forms, as mobile numbers of Brazil have (A-CONTACT-02). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function number_forms(number text) returns text language sql immutable parallel safe strict as $$
          select case
            when number ~ '^(55(?:1[1-9]|[2-9][0-9]))9?([6-9][0-9]{7})$'
              then regexp_replace(number, '^(55(?:1[1-9]|[2-9][0-9]))9?([6-9][0-9]{7})$', '\\1\\2 \\19\\2')
            when number ~ '^521?[0-9]{10}$' then regexp_replace(number, '^521?([0-9]{10})$', '52\\1 521\\1')
            when number ~ '^549?[0-9]{10}$' then regexp_replace(number, '^549?([0-9]{10})$', '54\\1 549\\1')
            else number end $$`.execute(db)
  await sql`reindex index contact_number_search`.execute(db)
  /* A number that two contacts have in both forms stays with both; they are proposed as duplicates. */
  await sql`
    update contact c set number_key = regexp_replace(number_key, '^(52)1|^(54)9', '\\1\\2')
    where number_key ~ '^(521|549)[0-9]{10}$' and not is_group and not exists (
      select from contact o where o.company_id = c.company_id and o.channel = c.channel and o.deleted_at is null
        and o.number_key = regexp_replace(c.number_key, '^(52)1|^(54)9', '\\1\\2'))`.execute(db)
  await sql`
    update phone_book b set number_key = regexp_replace(number_key, '^(52)1|^(54)9', '\\1\\2')
    where number_key ~ '^(521|549)[0-9]{10}$' and not exists (
      select from phone_book o where o.connection_id = b.connection_id
        and o.number_key = regexp_replace(b.number_key, '^(52)1|^(54)9', '\\1\\2'))`.execute(db)
}
