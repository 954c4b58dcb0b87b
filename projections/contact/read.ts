import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { pageSize } from '#domain/answers.ts'
import type { ContactRow } from '#domain/contact/contract.ts'
import { maskContact, maskParty } from '#domain/contact/mask.ts'
import { completeNumber } from '#domain/contact/phone.ts'
import { asksForNumber, digits, networkOf, numberForms, soughtDigits } from '#domain/contact/rules.ts'
import { singleSpaced } from '#domain/text/rules.ts'
import { endOfDay, startOfDay } from '#domain/zone/rules.ts'
import type { Database } from '../database.ts'
import { inNameOrder } from '../name-order.ts'
import { likePattern } from '../postgres.ts'
import { pictureAt } from './picture.ts'

const columns = [
  ...(['id', 'uuid', 'companyId', 'name', 'number', 'email', 'channel', 'isGroup', 'active', 'disableBot'] as const),
  ...([
    'acceptAudioMessage',
    'lgpdAcceptedAt',
    'lgpdText',
    'urlPicture',
    'whatsappId',
    'extraInfo',
    'createdAt',
    'updatedAt',
    'version',
    'validNumber',
  ] as const),
]
const tags = sql<ContactRow['tags']>`coalesce((
  select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'color', t.color) order by t.id)
  from contact_tag ct join tag t on t.id = ct.tag_id where ct.contact_id = contact.id), '[]')`
const origin = sql<ContactRow['whatsapp']>`(
  select jsonb_build_object('id', w.id, 'name', w.name) from connection w where w.id = contact.whatsapp_id)`
const related = [tags.as('tags'), origin.as('whatsapp')]

const present = (db: Kysely<Database>, companyId: number) =>
  db.selectFrom('contact').where('companyId', '=', companyId).where('deletedAt', 'is', null).where('mergedIntoId', 'is', null)

export const maskContactFor = (viewer: Viewer, row: ContactRow): ContactRow => (viewer.masked ? maskContact(row) : row)

export async function contactsById(db: Kysely<Database>, companyId: number, list: number[]): Promise<ContactRow[]> {
  if (list.length === 0) return []
  const rows = present(db, companyId).select(columns).select(related).where('id', 'in', list)
  return (await rows.execute()).map((row) => pictured(db, row))
}

const pictured = <Row extends Pick<ContactRow, 'companyId' | 'urlPicture'>>(db: Kysely<Database>, row: Row): Row => ({
  ...row,
  urlPicture: pictureAt(db, row.companyId, row.urlPicture),
})

/** The contacts that are reported as the same person, in either direction. */
export async function duplicatesOf(db: Kysely<Database>, companyId: number, id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('contactDuplicate')
    .select(['contactId', 'duplicateId'])
    .where('companyId', '=', companyId)
    .where(({ eb, or }) => or([eb('contactId', '=', id), eb('duplicateId', '=', id)]))
    .execute()
  return rows.map(({ contactId, duplicateId }) => (contactId === id ? duplicateId : contactId))
}

/** Whether the name is only a number: `isNumber` of domain/contact/rules.ts in SQL. */
export const nameless = sql<boolean>`(contact.name !~ '[[:alpha:]]' and length(regexp_replace(contact.name, '\\D', '', 'g')) >= 7)`

/** Compares names with one space between their words. The index has names as they are stored. */
const nameContains = (search: string) =>
  search.includes(' ')
    ? sql<boolean>`(plain(contact.name) like plain(${likePattern(search).replaceAll(' ', '%')}) and same_name(contact.name) like plain(${likePattern(search)}))`
    : sql<boolean>`plain(contact.name) like plain(${likePattern(search)})`

/**
 * Whether a contact's name contains the text, ignoring accents. A masked viewer cannot search by parts of a
 * number, even in a name, because that would reveal it digit by digit (A-LGPD-04).
 */
export const nameMatches = (viewer: Viewer, search: string): RawBuilder<boolean> => {
  const name = nameContains(singleSpaced(search))
  if (viewer.masked && digits(search).length >= 4) return sql<boolean>`false` // a name may also contain a number
  return viewer.masked ? sql<boolean>`(${name} and not ${nameless})` : name
}
/** Whether a contact's number contains the digits. A masked viewer must enter the whole number. */
export function numberMatches(viewer: Viewer, search: string): RawBuilder<boolean>[] {
  const number = search.startsWith('#') ? '' : soughtDigits(search)
  if (viewer.masked) {
    const wholes = [number, completeNumber(search, viewer.phoneCountry)].flatMap(numberForms)
    return asksForNumber(search) ? [sql`contact.number = any(${wholes})`] : []
  }
  return number.length >= 4 ? [sql`number_forms(contact.number) like ${likePattern(number)}`] : []
}
const ways = (viewer: Viewer, search: string) =>
  sql<boolean>`(${sql.join([nameMatches(viewer, search), ...numberMatches(viewer, search)], sql` or `)})`
/** Whether the contact's own name or number matches, or that of a contact merged into it (A-MERGE-01). */
const named = (viewer: Viewer, search: string) =>
  sql<boolean>`contact.id in (select person_id from contact where company_id = ${viewer.companyId} and ${ways(viewer, search)})`
/** The contacts whose name or number matches, with those merged with them: a ticket is found by both names (A-MERGE-01). */
export const contactsNamed = (viewer: Viewer, search: string): RawBuilder<number> =>
  sql`(select same.id from contact join contact same on same.person_id = contact.person_id
    where contact.company_id = ${viewer.companyId} and ${ways(viewer, search)})`

/** The first contacts by name, for a choice. */
export async function contactNames(db: Kysely<Database>, viewer: Viewer, search: string) {
  const rows = await present(db, viewer.companyId)
    .select(['id', 'name', 'number', 'isGroup'])
    .where('validNumber', '=', true)
    .$if(search !== '', (asked) => asked.where(named(viewer, search)))
    .$if(viewer.masked, (asked) => asked.orderBy(nameless))
    .orderBy(shownName(viewer))
    .orderBy('id')
    .limit(mostNames)
    .execute()
  return rows.map(({ isGroup, ...row }) => (viewer.masked ? maskParty(row, isGroup) : row))
}
const mostNames = 1000
/** The name in the alphabet of the company. The visible order must not reveal numbers. */
const shownName = (viewer: Viewer) =>
  inNameOrder(viewer.companyLanguage, viewer.masked ? sql`case when ${nameless} then '' else contact.name end` : 'name')

export type ContactFilter = {
  searchParam?: string
  tagIds: number[]
  channel?: string
  isGroup?: boolean
  active?: boolean
  /** Days of the last message. */
  lastFrom?: string
  lastTo?: string
  neverContacted?: boolean
}
/** The contacts of a list without an order. */
export function filteredContacts(db: Kysely<Database>, viewer: Viewer, filter: ContactFilter) {
  const { searchParam = '', tagIds, channel, isGroup, active, lastFrom, lastTo, neverContacted } = filter
  const search = searchParam.trim()
  let query = present(db, viewer.companyId).where('validNumber', '=', true)
  if (search !== '') query = query.where(named(viewer, search))
  if (tagIds.length > 0) query = query.where('id', 'in', db.selectFrom('contactTag').select('contactId').where('tagId', 'in', tagIds))
  if (channel) query = query.where('channel', 'in', [channel, networkOf(channel)])
  if (isGroup !== undefined) query = query.where('isGroup', '=', isGroup)
  if (active !== undefined) query = query.where('active', '=', active)
  if (neverContacted !== undefined) query = query.where(sql<boolean>`${hasMessages(viewer)} = ${!neverContacted}`)
  if (lastFrom !== undefined || lastTo !== undefined) query = query.where(lastMessageIn(viewer, lastFrom, lastTo))
  return query
}

/** Whether any ticket of the contact, or of one merged into it, has a message. */
const hasMessages = ({ companyId }: Viewer) => sql<boolean>`(contact.id in (
  select own.person_id from ticket t join contact own on own.id = t.contact_id
  where t.company_id = ${companyId} and t.last_message_id is not null))`
/** Whether the last message with the contact, in any of its tickets, was on one of these days. */
function lastMessageIn({ companyId, timeZone }: Viewer, from?: string, to?: string): RawBuilder<boolean> {
  const last = sql`max(m.created_at)`
  const all = [
    ...(from === undefined ? [] : [sql`${last} >= ${startOfDay(timeZone, from).toISOString()}::timestamptz`]),
    ...(to === undefined ? [] : [sql`${last} < ${endOfDay(timeZone, to).toISOString()}::timestamptz`]),
  ]
  return sql`contact.id in (
    select own.person_id from ticket t join contact own on own.id = t.contact_id join message m on m.id = t.last_message_id
    where t.company_id = ${companyId} group by own.person_id having ${sql.join(all, sql` and `)})`
}

/** Every listed contact in the order of the list, in batches, for a file. */
export async function* contactBatches(db: Kysely<Database>, viewer: Viewer, filter: ContactFilter): AsyncGenerator<ContactRow[]> {
  const listed = await filteredContacts(db, viewer, filter)
    .select('id')
    .$if(viewer.masked, (asked) => asked.orderBy(nameless))
    .orderBy(shownName(viewer))
    .orderBy('id')
    .execute()
  for (let at = 0; at < listed.length; at += exportBatch) {
    const batch = listed.slice(at, at + exportBatch).map(({ id }) => id)
    const rows = new Map((await contactsById(db, viewer.companyId, batch)).map((row) => [row.id, row]))
    yield batch.flatMap((id) => rows.get(id) ?? []).map((row) => maskContactFor(viewer, row))
  }
}
const exportBatch = 500

/** A page of the list, with one contact more. */
export const contactPage = (db: Kysely<Database>, viewer: Viewer, { pageNumber = 1, ...filter }: ContactFilter & { pageNumber?: number }) =>
  filteredContacts(db, viewer, filter)
    .select(columns)
    .select(related)
    .$if(viewer.masked, (asked) => asked.orderBy(nameless)) // the visible order must not reveal numbers
    .orderBy(shownName(viewer))
    .orderBy('id')
    .limit(pageSize + 1)
    .offset((pageNumber - 1) * pageSize)

export async function listContacts(db: Kysely<Database>, viewer: Viewer, asked: ContactFilter & { pageNumber?: number }) {
  const { pageNumber: _, ...filter } = asked
  const counted = filteredContacts(db, viewer, filter).select(sql<number>`count(*)`.as('n'))
  const [rows, { n }] = await Promise.all([contactPage(db, viewer, asked).execute(), counted.executeTakeFirstOrThrow()])
  return {
    contacts: rows.slice(0, pageSize).map((row) => maskContactFor(viewer, pictured(db, row))),
    hasMore: rows.length > pageSize,
    count: Number(n),
  }
}
