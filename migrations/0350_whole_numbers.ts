import { type Kysely, sql } from 'kysely'

/**
 * Numbers are whole, and only mobile numbers of Brazil have two ways of writing them (A-PHONE-02). Whether a number is valid in its country
 * is decided where it is written (A-PHONE-03), and so is whether a contact has no name of its own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table contact
      add column valid_number boolean not null default true,
      add column nameless     boolean not null default false`.execute(db)
  /** domain/contact/rules.ts `numberForms`, joined by a blank. */
  await sql`
    create function number_forms(number text) returns text language sql immutable strict parallel safe as $$
      select case when number ~ ${sql.lit(optionalNinth)}
        then regexp_replace(number, ${sql.lit(optionalNinth)}, '\\1\\2 \\19\\2') else number end $$`.execute(db)
  await sql`drop index contact_number_search`.execute(db)
  await sql`create index contact_number_search on contact using gin (number_forms(number) gin_trgm_ops)`.execute(db)
  const key = (column: string) => sql`regexp_replace(${sql.ref(column)}, ${sql.lit(optionalNinth)}, '\\1\\2')`
  await sql`
    update contact set number_key = ${key('number')}
    where channel = 'whatsapp' and number ~ '^[0-9]+$' and number_key <> ${key('number')} and number_key !~ ' '`.execute(db)
  await sql`
    update contact_identity i set key = ${key('i.id')}
    where kind = 'phone' and id ~ '^[0-9]+$' and key <> ${key('i.id')} and not exists (
      select from contact_identity o
      where o.company_id = i.company_id and o.network = i.network and o.kind = 'phone' and o.key = ${key('i.id')})`.execute(db)
  await sql`update contact set nameless = true where name = number`.execute(db)
  await sql`
    update contact set valid_number = false
    where channel = 'whatsapp' and not is_group and number !~ '^(55)?([1-9][1-9])(9[0-9]{8}|[0-9]{8})$' and number !~ '@lid$'
      and not exists (select from ticket t where t.contact_id = contact.id)`.execute(db)
}
const optionalNinth = '^(55(?:1[1-9]|[2-9][0-9]))9?([6-9][0-9]{7})$'
