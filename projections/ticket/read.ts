import { type Expression, type ExpressionBuilder, type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { pageSize } from '#domain/answers.ts'
import { maskTicket } from '#domain/contact/mask.ts'
import { ids } from '#domain/contract.ts'
import type { TicketFilter, TicketRow } from '#domain/ticket/contract.ts'
import { canSee } from '#domain/ticket/topic.ts'
import type { TicketLogRow } from '#domain/ticket-log/contract.ts'
import { endOfDay, startOfDay } from '#domain/zone/rules.ts'
import { createStoreBatchLoader } from '../batch-loader.ts'
import { missedIn } from '../connection/missed.ts'
import { contactsOfPerson } from '../contact/person.ts'
import { contactsNamed } from '../contact/read.ts'
import type { Database } from '../database.ts'
import { isOneOf } from '../keyed.ts'
import { contains, hitsIn, ticketsContaining } from '../message/search.ts'
import { around, rowsOf, ticketsById, type Version, version } from './rows.ts'

type Sighted = 'ticket' | 'ticketCounter'
/** The SQL form of `sees` in domain/ticket/contract.ts. Counters use 0 for no user and no queue. */
export function whereVisibleTo<T extends Sighted>(viewer: Viewer, table: T) {
  const none = table === 'ticket' ? null : 0
  const queueId = `${table}.queueId` as 'ticket.queueId'
  const userId = `${table}.userId` as 'ticket.userId'
  const status = `${table}.status` as 'ticket.status'
  return (eb: ExpressionBuilder<Database, 'ticket'>) => {
    const is = (column: typeof queueId | typeof userId, value: number | null) =>
      value === null ? eb(column, 'is', null) : eb(column, '=', value)
    const { flags, queueIds, retiredQueueIds, profile, id, companyId } = viewer
    const rules = [eb(`${table}.companyId` as 'ticket.companyId', '=', companyId)]
    if (!flags.allowGroup) rules.push(eb(`${table}.isGroup` as 'ticket.isGroup', '=', false))
    if (profile === 'admin') return eb.and(rules)
    return eb.and([
      ...rules,
      eb.or([
        ...(flags.allTicket ? [is(queueId, none)] : []),
        ...(queueIds.length > 0 ? [eb(queueId, 'in', queueIds)] : []),
        ...(retiredQueueIds.length > 0 ? [eb(status, '=', 'closed').and(queueId, 'in', retiredQueueIds)] : []),
      ]),
      ...(flags.allUserChat ? [] : [eb.or([is(userId, none), is(userId, id)])]),
    ])
  }
}
/** The tickets of a tab without "show all": unassigned ones and the viewer's own (R-VIS-01). */
export function ownOrUnassigned<T extends Sighted>(viewer: Viewer, table: T) {
  const userId = `${table}.userId` as 'ticket.userId'
  return (eb: ExpressionBuilder<Database, 'ticket'>) =>
    eb.or([table === 'ticket' ? eb(userId, 'is', null) : eb(userId, '=', 0), eb(userId, '=', viewer.id)])
}

/**
 * The same as a union of two lists, each in index order. One filter over both would read past the tickets of
 * all other users.
 */
function mineOnlyAsUnion<T>(query: SelectQueryBuilder<Database, 'ticket', T>, { id }: Viewer) {
  return query.where('ticket.userId', 'is', null).unionAll(query.where('ticket.userId', '=', id))
}

/** The status as a literal: a plan for any status would be a plan for closed tickets. */
const literal = (status: string) => sql.lit(status)

/** `holding`: the tickets whose messages contain the text; null: too many, so each ticket is checked. */
function chosen(db: Kysely<Database>, viewer: Viewer, filter: TicketFilter, holding: number[] | null) {
  const search = filter.searchParam?.trim() ?? ''
  const searching = filter.status === 'search' || (search !== '' && viewer.profile !== 'admin')
  const everyone = searching ? viewer.profile === 'admin' : filter.showAll === true // R-VIS-03; `inSight` checks the right to it (R-VIS-02)
  const statuses = filter.statusFilter
    ? (JSON.parse(filter.statusFilter) as string[])
    : filter.status && filter.status !== 'search'
      ? [filter.status]
      : []
  const queueIds = ids(filter.queueIds)
  const users = viewer.profile === 'admin' ? ids(filter.users ?? filter.userFilter) : []
  const connections = ids(filter.whatsapps ?? filter.whatsappIds)
  const tags = ids(filter.tags)
  let query = db.selectFrom('ticket').where(whereVisibleTo(viewer, 'ticket')) as SelectQueryBuilder<Database, 'ticket', object>
  if (statuses.length > 0) query = query.where('ticket.status', 'in', statuses.map(literal) as never)
  const hides = searching && !everyone // A-LGPD-06
  if (hides) query = query.where('ticket.status', '!=', literal('lgpd') as never)
  if (queueIds.length > 0) query = query.where((eb) => eb.or([eb('ticket.queueId', 'in', queueIds), eb('ticket.queueId', 'is', null)]))
  if (users.length > 0) query = query.where('ticket.userId', 'in', users)
  if (connections.length > 0) query = query.where('ticket.whatsappId', 'in', connections)
  if (filter.contactId !== undefined) query = query.where('ticket.contactId', 'in', contactsOfPerson(filter.contactId))
  if (filter.withUnreadMessages) query = query.where('ticket.unreadMessages', '>', 0)
  if (filter.withFailedMessages) query = query.where(sql<boolean>`ticket.failed_ids <> '[]'`)
  for (const [column, day] of [
    ['createdAt', filter.date],
    ['updatedAt', filter.updatedAt],
  ] as const)
    if (day)
      query = query
        .where(`ticket.${column}`, '>=', startOfDay(viewer.timeZone, day).toISOString())
        .where(`ticket.${column}`, '<', endOfDay(viewer.timeZone, day).toISOString())
  if (tags.length > 0)
    query = query.where(
      'ticket.contactId',
      'in',
      db
        .selectFrom('contactTag')
        .innerJoin('contact', 'contact.personId', 'contactTag.contactId')
        .select('contact.id')
        .where('tagId', 'in', tags),
    )
  if (search !== '') query = query.where(matchingTickets(viewer, search, holding))
  const plain = search === '' && users.length + connections.length + tags.length === 0 && !filter.date && !filter.updatedAt
  return {
    query,
    countable: plain && filter.contactId === undefined && !filter.withUnreadMessages && !filter.withFailedMessages,
    queueIds,
    statuses,
    everyone,
    hides,
    mine: !everyone && filter.contactId === undefined,
  }
}

/**
 * Searches the contact's name without accents, digits of the number, the ticket id and, on request, messages
 * (A-TICKET-18). Matches of a rare text join the set of tickets. A frequent text is checked per ticket until
 * the page is full.
 */
function matchingTickets(viewer: Viewer, search: string, holding: number[] | null) {
  // evaluated once: without statistics Postgres would repeat it for every ticket
  const named = sql`array${contactsNamed(viewer, search)}`
  const parts = [sql`select id from ticket where company_id = ${viewer.companyId} and contact_id = any(${named})`]
  const id = /^#?(\d{1,9})$/.exec(search)?.[1]
  if (id) parts.push(sql`select ${Number(id)}::int`)
  if (holding) parts.push(sql`select unnest(${holding}::int[])`)
  // one set instead of OR conditions, which would be tested on every ticket
  const among = sql<boolean>`ticket.id in (${sql.join(parts, sql` union all `)})`
  return holding
    ? among
    : sql<boolean>`(${among} or (select true from message m where m.ticket_id = ticket.id and ${contains(viewer, 'm', search)} limit 1))`
}

/**
 * Lists a page of visible tickets. `count` comes from the counters if the filter is a tab with queues,
 * otherwise from counting. For a frequent text it is the number found so far.
 */
export async function listTickets(db: Kysely<Database>, viewer: Viewer, filter: TicketFilter) {
  const { pageNumber = 1, pageSize: size = pageSize } = filter
  const words = filter.searchOnMessages ? (filter.searchParam?.trim() ?? '') : ''
  const holding = words.length < 3 ? [] : await ticketsContaining(db, viewer, words)
  const { query, countable, statuses, queueIds, everyone, hides, mine } = chosen(db, viewer, filter, holding)
  // a new message changes no place in the queue (A-TICKET-15)
  const column = filter.status === 'pending' ? 'ticket.waitingSince' : 'ticket.updatedAt'
  const direction = (filter.sortTickets ?? (filter.status === 'pending' ? 'ASC' : 'DESC')).toLowerCase() as 'asc' | 'desc'
  const row = ['ticket.id', 'ticket.companyId', 'ticket.contactId', 'ticket.status', 'ticket.userId', 'ticket.revision'] as const
  const all = query.select([...row, `${column} as sorted`])
  const page = db
    .selectFrom((mine ? mineOnlyAsUnion(all, viewer) : all).as('ticket'))
    .selectAll()
    .orderBy('sorted', direction)
    .orderBy('id', direction)
    .limit(sql.lit(size + 1)) // a literal, because a plan for any number of rows is worse
    .$if(pageNumber > 1, (first) => first.offset((pageNumber - 1) * size))
  const counting = countable ? counters(db, viewer, { statuses, queueIds, everyone, hides }) : null
  const found = await readPage(db, page, counting, direction)
  const hasMore = found.length > size
  const known = (pageNumber - 1) * size + found.length
  const last = !hasMore && (found.length > 0 || pageNumber === 1)
  const looked = countable ? counting : last || holding === null ? null : counted(mine ? ownOrUnassigned(viewer, 'ticket') : null, query)
  const count = countable && found.length > 0 ? found[0]!.pageCount : (await looked?.executeTakeFirst())?.n
  const rows = await rowsOf(db, found.slice(0, size))
  // the ticket may have changed since the search
  const still = (row: TicketRow) => canSee(viewer, row) && (statuses.length === 0 || statuses.includes(row.status))
  const tickets = rows.filter(still).map((row) => maskFor(viewer, row))
  const ids = words.length < 3 ? [] : tickets.map(({ id }) => id)
  const elsewhere = filter.contactId !== undefined && (await hasUnseenTickets(db, viewer, filter.contactId))
  return { tickets, hasMore, count: Number(count ?? known), hits: await hitsIn(db, viewer, ids, words), elsewhere }
}

/** Whether a contact has tickets that the viewer may not see. */
async function hasUnseenTickets(db: Kysely<Database>, viewer: Viewer, contactId: number): Promise<boolean> {
  const all = db.selectFrom('ticket').where('companyId', '=', viewer.companyId).where('contactId', 'in', contactsOfPerson(contactId))
  const visible = whereVisibleTo(viewer, 'ticket')
  const unseen = all.where((eb) => sql<boolean>`${visible(eb as never)} is not true`) // a missing queue compares as null
  return (await unseen.select('id').limit(1).executeTakeFirst()) !== undefined
}

/** All tickets of a list, over all pages. */
export async function listed(db: Kysely<Database>, viewer: Viewer, filter: TicketFilter): Promise<{ id: number; userId: number | null }[]> {
  const { query, mine } = chosen(db, viewer, filter, [])
  const own = mine ? query.where(ownOrUnassigned(viewer, 'ticket')) : query
  return own.select(['ticket.id', 'ticket.userId']).orderBy('ticket.id').execute()
}

type Counted = { statuses: string[]; queueIds: number[]; everyone: boolean; hides: boolean }
function counters(db: Kysely<Database>, viewer: Viewer, { statuses, queueIds, everyone, hides }: Counted) {
  let query = db.selectFrom('ticketCounter').where(whereVisibleTo(viewer, 'ticketCounter') as never)
  if (!everyone) query = query.where(ownOrUnassigned(viewer, 'ticketCounter') as never)
  if (statuses.length > 0) query = query.where('status', 'in', statuses.map(literal))
  if (hides) query = query.where('status', '!=', literal('lgpd'))
  if (queueIds.length > 0) query = query.where('queueId', 'in', [...queueIds, 0])
  return query.select(sql<number>`coalesce(sum(tickets), 0)`.as('n'))
}

const counted = (own: ReturnType<typeof ownOrUnassigned> | null, query: SelectQueryBuilder<Database, 'ticket', object>) =>
  (own ? query.where(own as never) : query).select(sql<number>`count(*)`.as('n'))

type Found = Version & { pageCount: number | null }
/** Returns the versions of a page's rows in order. The first row contains the total. */
async function readPage(db: Kysely<Database>, page: Expression<any>, counting: Expression<any> | null, direction: 'asc' | 'desc') {
  const order = sql.raw(direction)
  const { rows } = await sql<Found>`
    with page as materialized (${page})
    select page.id, page.company_id, ${version},
      case when page.id = (select id from page limit 1) then ${counting ?? sql`null::bigint`} end as page_count
    from page ${around}
    order by page.sorted ${order}, page.id ${order}`.execute(db)
  return rows
}

/** Concurrent calls share one query. */
const rowOf = createStoreBatchLoader(async (db: Kysely<Database>, list: number[]) => {
  const rows = new Map((await ticketsById(db, [...new Set(list)])).map((row) => [row.id, row]))
  return list.map((id) => rows.get(id))
})
export async function ticketById(db: Kysely<Database>, companyId: number, id: number): Promise<TicketRow | undefined> {
  const row = await rowOf(db, id)
  return row?.companyId === companyId ? row : undefined
}

const plainly = ['id', 'uuid', 'companyId', 'status', 'channel', 'isGroup', 'contactId', 'whatsappId', 'queueId', 'userId'] as const
/** The current state of a ticket without its labels, for rules. */
export type TicketSummary = Pick<TicketRow, (typeof plainly)[number]>
const summaryOf = createStoreBatchLoader(async (db: Kysely<Database>, list: number[]) => {
  const rows = await db
    .selectFrom('ticket')
    .select(plainly)
    .where(sql<boolean>`id ${isOneOf([...new Set(list)])}`)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return list.map((id) => byId.get(id))
})
export async function ticketSummary(db: Kysely<Database>, companyId: number, id: number): Promise<TicketSummary | undefined> {
  const row = await summaryOf(db, id)
  return row?.companyId === companyId ? row : undefined
}

/** The fields that decide who sees a ticket. */
export const ticketSights = (db: Kysely<Database>, companyId: number, ids: number[]) =>
  db
    .selectFrom('ticket')
    .select(['id', 'companyId', 'status', 'isGroup', 'queueId', 'userId'])
    .where('companyId', '=', companyId)
    .where('id', 'in', ids)
    .execute()

const mostStanding = 10_000
/** The newest tickets that are not closed: the fields that decide who sees them, and their unread counts. */
export const activeTicketSights = (db: Kysely<Database>, companyId: number) =>
  db
    .selectFrom('ticket')
    .select(['id', 'companyId', 'status', 'isGroup', 'queueId', 'userId', 'unreadMessages'])
    .where('companyId', '=', companyId)
    .where('status', '<>', 'closed')
    .orderBy('id', 'desc')
    .limit(mostStanding)
    .execute()

export async function ticketIdOf(db: Kysely<Database>, companyId: number, uuid: string): Promise<number | undefined> {
  return (await db.selectFrom('ticket').select('id').where('companyId', '=', companyId).where('uuid', '=', uuid).executeTakeFirst())?.id
}

/** The row as this viewer may read it (A-LGPD-04). */
export const maskFor = (viewer: Viewer, row: TicketRow): TicketRow => (viewer.masked ? maskTicket(row) : row)

export async function ticketLog(db: Kysely<Database>, ticketId: number): Promise<TicketLogRow[]> {
  const { rows } = await sql<TicketLogRow>`
    select l.id, l.ticket_id, l.type, l.created_at, l.note, l.undone, l.way, l.rule, l.nps, l.amount, null as since,
      case when t.id is not null then jsonb_build_object('id', t.id, 'name', t.name, 'color', t.color) end as lane,
      case when f.id is not null then jsonb_build_object('id', f.id, 'name', f.name, 'color', f.color) end as from_user,
      case when u.id is not null then jsonb_build_object('id', u.id, 'name', u.name, 'color', u.color) end as "user",
      case when q.id is not null then jsonb_build_object('id', q.id, 'name', q.name, 'color', q.color) end as queue
    from ticket_log l left join "user" u on u.id = l.user_id left join queue q on q.id = l.queue_id left join "user" f on f.id = l.from_user_id
      left join tag t on t.id = l.lane_id and t.company_id = l.company_id
    where l.ticket_id = ${ticketId} order by l.revision, l.id`.execute(db)
  const gaps = await missedIn(db, ticketId)
  return gaps.length === 0 ? rows : [...rows, ...gaps].toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt))
}

/** When the ticket was last accepted. */
export async function acceptedAt(db: Kysely<Database>, ticketId: number): Promise<string | null> {
  const lines = db.selectFrom('ticketLog').select('createdAt').where('ticketId', '=', ticketId).where('type', '=', 'open')
  return (await lines.orderBy('revision', 'desc').limit(1).executeTakeFirst())?.createdAt ?? null
}

/** The queue before the current one, because an acceptance may have set the current one. */
export async function queueBefore(db: Kysely<Database>, { id, queueId }: Pick<TicketRow, 'id' | 'queueId'>): Promise<number | null> {
  const row = await db
    .selectFrom('ticketLog')
    .select('queueId')
    .where('ticketId', '=', id)
    .where('type', 'in', ['create', 'queue', 'open', 'reopen', 'receivedTransfer'])
    .orderBy('revision', 'desc')
    .orderBy('id', 'desc')
    .offset(1)
    .executeTakeFirst()
  return row ? row.queueId : queueId
}
