import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { Similarity } from '#domain/contact/contract.ts'
import { completeNumber } from '#domain/contact/phone.ts'
import { isNumber, numberForms } from '#domain/contact/rules.ts'
import type { Database } from '../database.ts'
import { likePattern } from '../postgres.ts'

const most = 10

/**
 * Finds contacts that may be the same person: by address, by the number in another form, by name, or as the network reported. They are only
 * proposed, never merged automatically (A-MERGE-01).
 */
export async function similarTo(db: Kysely<Database>, viewer: Viewer, id: number): Promise<{ id: number; why: Similarity[] }[]> {
  const { companyId, phoneCountry } = viewer
  const own = await db
    .selectFrom('contact')
    .select(['name', 'number', 'email', 'nameless', 'isGroup'])
    .where('companyId', '=', companyId)
    .where('personId', '=', id)
    .execute()
  if (own.some(({ isGroup }) => isGroup)) return []
  const emails = own.map(({ email }) => email.toLowerCase()).filter(Boolean)
  const numbers = own.flatMap(({ number }) => otherForms(number, phoneCountry))
  const names = own.filter(({ name, nameless }) => !nameless && !isNumber(name)).map(({ name }) => name)
  const { rows } = await sql<{ id: number; why: Similarity[] }>`
    with found (id, why) as (
      select id, 'email' from contact where company_id = ${companyId} and email <> '' and lower(email) = any(${emails}::text[])
      union select id, 'number' from contact where company_id = ${companyId} and number_forms(number) like any(${numbers.map(likePattern)}::text[])
        and number = any(${numbers}::text[])
      union select id, 'name' from contact where company_id = ${companyId} and plain(name) like any(array(select plain(unnest(${names.map(likePattern)}::text[]))))
        and plain(name) = any(array(select plain(unnest(${names}::text[]))))
      union select case when d.contact_id = c.id then d.duplicate_id else d.contact_id end, 'network'
        from contact c join contact_duplicate d on c.id in (d.contact_id, d.duplicate_id) where c.person_id = ${id} and c.company_id = ${companyId}
    )
    select c.id, array_agg(distinct f.why order by f.why) as why
    from found f join contact x on x.id = f.id join contact c on c.id = x.person_id
    where c.company_id = ${companyId} and c.id <> ${id} and c.deleted_at is null and not c.is_group
    group by c.id order by count(distinct f.why) desc, c.id limit ${most}`.execute(db)
  return rows
}

/** The number with and without its country and ninth digit, as imports and typed numbers may hold it. */
function otherForms(number: string, country: string): string[] {
  if (!/^\d{8,15}$/.test(number)) return []
  const whole = completeNumber(number, country)
  const forms = [...numberForms(number), ...numberForms(whole)]
  const local = country === 'BR' ? forms.filter((form) => /^55\d{10,11}$/.test(form)).map((form) => form.slice(2)) : []
  return [...new Set([...forms, ...local])]
}
