import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { Merge, Overview } from '#domain/contact/contract.ts'
import { maskParty } from '#domain/contact/mask.ts'
import type { MergeSpan } from '#domain/contact/merge.ts'
import { masked, maskedName } from '#domain/contact/phone.ts'
import type { Database } from '../database.ts'

/**
 * A contact and those merged into it are one person, shown as the target (A-MERGE-01). Events and tickets keep the contact whose id wrote,
 * whose key seals them and to whom answers go. So only what is shown is looked up here, and an undo changes no ticket.
 */

/** Joins the contact that is shown for the contact id `of` as `c`. */
export const joinShown = (of: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`join contact own on own.id = ${of} join contact c on c.id = own.person_id`

/** The ids of all contacts of the person to whom the contact belongs. */
export const contactsOfPerson = (contactId: number | RawBuilder<unknown>): RawBuilder<number> =>
  sql`(select same.id from contact same where same.person_id = (select person_id from contact where id = ${contactId}))`

/** The contact that is shown for the contact. */
export const shownFor = (contactId: number | RawBuilder<unknown>): RawBuilder<number> =>
  sql`(select person_id from contact where id = ${contactId})`

/** The id of the contact that is shown for a contact; an unknown one stays. */
export async function shownId(db: Kysely<Database>, companyId: number, id: number): Promise<number> {
  const row = db.selectFrom('contact').select('personId').where('id', '=', id).where('companyId', '=', companyId)
  return (await row.executeTakeFirst())?.personId ?? id
}

/** All merges of these contacts, and of those that were ever merged with them, also undone ones. */
export async function mergesAround(db: Kysely<Database>, contacts: readonly number[]): Promise<MergeSpan[]> {
  const { rows } = await sql<MergeSpan>`
    with recursive known as (
      select unnest(${contacts}::int[]) as id
      union select case when m.source_id = k.id then m.target_id else m.source_id end
        from contact_merge m join known k on k.id in (m.source_id, m.target_id)
    ) select m.source_id, m.target_id, m.created_at, m.undone_at from contact_merge m where m.source_id in (select id from known)`.execute(
    db,
  )
  return rows
}

/** The ids by which a contact is known, and the merges that led to it, newest first. */
export async function overviewOf(db: Kysely<Database>, viewer: Viewer, id: number): Promise<Overview> {
  const { rows: ids } = await sql<Overview['ids'][number]>`
    select i.contact_id, i.network, i.kind, i.id from contact_identity i join contact c on c.id = i.contact_id
    where c.person_id = ${id} order by i.contact_id <> ${id}, i.contact_id, i.kind = 'phone' desc, i.kind, i.id`.execute(db)
  const { rows: merges } = await sql<Merge>`
    select m.id, m.created_at, m.target_id = ${id} as can_undo,
      json_build_object('id', s.id, 'name', s.name, 'number', s.number, 'email', s.email, 'channel', s.channel) as source,
      json_build_object('id', t.id, 'name', t.name) as target,
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as "user"
    from contact_merge m join contact s on s.id = m.source_id join contact t on t.id = m.target_id left join "user" u on u.id = m.user_id
    where m.undone_at is null and s.person_id = ${id} order by m.id desc`.execute(db)
  if (!viewer.masked) return { ids, merges }
  return {
    ids: ids.map((one) => ({ ...one, id: one.kind === 'phone' ? masked(one.id) : one.id })),
    merges: merges.map((one) => ({
      ...one,
      source: maskParty(one.source, false),
      target: { ...one.target, name: maskedName(one.target.name) },
    })),
  }
}
