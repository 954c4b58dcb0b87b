import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { pageSize } from '#domain/answers.ts'
import { maskHistory } from '#domain/contact/mask.ts'
import type { HistoryFilter, HistoryRow } from '#domain/history/contract.ts'
import { endOfDay, startOfDay } from '#domain/zone/rules.ts'
import { contactsOfPerson } from '../contact/person.ts'
import { contactsNamed } from '../contact/read.ts'
import type { Database } from '../database.ts'

/** The stored result of the chain verification. */
type Found = { holds: boolean; brokenAt: number | null; reason: string | null; checkedAt: string; mac: string | null }
type Listed = Omit<HistoryRow, 'chain'> & { found: Found | null }

/** A result dated later than this is forged. */
const future = sql<string>`now() + interval '10 minutes'`
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Lists all tickets of the company, deleted ones too, by contact, number, user and days (A-ROLE-00,
 * A-AUDIT-01).
 */
export async function listHistories(
  db: Kysely<Database>,
  viewer: Viewer,
  { searchParam = '', userId, queueId, status, contactId, chain, from, to, pageNumber = 1 }: HistoryFilter,
): Promise<{ tickets: Listed[]; hasMore: boolean }> {
  const { companyId, timeZone } = viewer
  let query = db
    .selectFrom('ticketHistory')
    .leftJoin('contact as own', 'own.id', 'ticketHistory.contactId')
    .leftJoin('contact', 'contact.id', 'own.personId')
    .leftJoin('connection', 'connection.id', 'ticketHistory.connectionId')
    .leftJoin('queue', 'queue.id', 'ticketHistory.queueId')
    .leftJoin('user', 'user.id', 'ticketHistory.userId')
    .leftJoin('ticketChain', 'ticketChain.ticketId', 'ticketHistory.id')
    .where('ticketHistory.companyId', '=', companyId)
  const sought = wanted(viewer, searchParam)
  if (sought) query = query.where(sought)
  if (userId !== undefined) query = query.where(sql<boolean>`ticket_history.user_ids @> array[${userId}]::int[]`)
  if (queueId !== undefined) query = query.where('ticketHistory.queueId', '=', queueId)
  if (status !== undefined) query = query.where('ticketHistory.status', '=', status)
  if (contactId !== undefined) query = query.where('ticketHistory.contactId', 'in', contactsOfPerson(contactId))
  if (chain === 'unchecked')
    query = query.where((eb) => eb.or([eb('ticketChain.holds', 'is', null), eb('ticketChain.checkedAt', '>', future)]))
  else if (chain) query = query.where('ticketChain.holds', '=', chain === 'intact').where('ticketChain.checkedAt', '<=', future)
  if (from) query = query.where('ticketHistory.updatedAt', '>=', startOfDay(timeZone, from).toISOString())
  if (to) query = query.where('ticketHistory.createdAt', '<', endOfDay(timeZone, to).toISOString())
  const found = await query
    .select((eb) => [
      ...(['ticketHistory.id', 'ticketHistory.uuid', 'ticketHistory.companyId', 'ticketHistory.isGroup', 'ticketHistory.status'] as const),
      ...(['ticketHistory.revision', 'ticketHistory.createdAt', 'ticketHistory.updatedAt', 'ticketHistory.deletedAt'] as const),
      eb.fn.coalesce('connection.name', sql<string>`''`).as('whatsapp'),
      sql<
        HistoryRow['contact']
      >`jsonb_build_object('id', coalesce(contact.id, ticket_history.contact_id), 'name', coalesce(contact.name, ''),
        'number', coalesce(contact.number, ''))`.as('contact'),
      sql<HistoryRow['queue']>`case when queue.id is not null
        then jsonb_build_object('id', queue.id, 'name', queue.name, 'color', queue.color) end`.as('queue'),
      ...(['ticketChain.holds', 'ticketChain.brokenAt', 'ticketChain.reason', 'ticketChain.checkedAt', 'ticketChain.mac'] as const),
      sql<boolean>`coalesce(ticket_chain.checked_at > ${future}, false)`.as('ahead'),
      sql<HistoryRow['user']>`case when "user".id is not null
        then jsonb_build_object('id', "user".id, 'name', "user".name, 'color', "user".color) end`.as('user'),
    ])
    .orderBy('ticketHistory.updatedAt', 'desc')
    .orderBy('ticketHistory.id', 'desc')
    .limit(pageSize + 1)
    .offset((pageNumber - 1) * pageSize)
    .execute()
  const rows = found.map(({ holds, brokenAt, reason, checkedAt, mac, ahead, ...row }) => ({
    ...row,
    found: holds === null || checkedAt === null || ahead ? null : { holds, brokenAt, reason, checkedAt, mac },
  }))
  return { tickets: rows.slice(0, pageSize).map((row) => (viewer.masked ? maskHistory(row) : row)), hasMore: rows.length > pageSize }
}

/**
 * Searches the contact's name, digits of a number, the ticket number with or without #, and the uuid. A
 * masked viewer finds only whole numbers.
 */
function wanted(viewer: Viewer, searchParam: string) {
  const search = searchParam.trim()
  if (search === '') return null
  if (uuid.test(search)) return sql<boolean>`ticket_history.uuid = ${search}::uuid`
  const digits = search.replace(/\D/g, '')
  const ways: RawBuilder<unknown>[] = [sql`ticket_history.contact_id in ${contactsNamed(viewer, search)}`]
  if (/^#?\d{1,9}$/.test(search)) ways.push(sql`ticket_history.id = ${Number(digits)}`)
  return sql<boolean>`(${sql.join(ways, sql` or `)})`
}

/** Finds the stream of a ticket by its uuid. */
export async function historyOf(db: Kysely<Database>, companyId: number, uuid: string) {
  return db
    .selectFrom('ticketHistory')
    .leftJoin('contact as own', 'own.id', 'ticketHistory.contactId')
    .leftJoin('contact', 'contact.id', 'own.personId')
    .leftJoin('connection', 'connection.id', 'ticketHistory.connectionId')
    .select([
      'ticketHistory.id',
      'ticketHistory.uuid',
      'ticketHistory.contactId',
      'ticketHistory.revision',
      'ticketHistory.status',
      'contact.name as contact',
      'contact.number',
      'connection.name as whatsapp',
      'ticketHistory.isGroup',
    ])
    .where('ticketHistory.uuid', '=', uuid)
    .where('ticketHistory.companyId', '=', companyId)
    .executeTakeFirst()
}

/** The current revisions of these tickets. */
export const historyRevisions = (db: Kysely<Database>, companyId: number, ids: number[]) =>
  db
    .selectFrom('ticketHistory')
    .select(['id', 'companyId', 'uuid', 'revision'])
    .where('companyId', '=', companyId)
    .where('id', 'in', ids)
    .execute()
