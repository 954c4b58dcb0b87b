import { type ExpressionBuilder, type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { masked } from '#domain/contact/rules.ts'
import { ids, pageSize } from '#domain/contract.ts'
import type { TicketFilter, TicketLogRow, TicketRow } from '#domain/ticket/contract.ts'
import type { Database } from '../database.ts'

type Sighted = 'ticket' | 'ticketCounter'
/** domain/ticket/contract.ts `sees`, said in SQL; counters keep 0 for nobody and for no queue. */
export function inSight<T extends Sighted>(viewer: Viewer, table: T) {
  const none = table === 'ticket' ? null : 0
  const queueId = `${table}.queueId` as 'ticket.queueId'
  const userId = `${table}.userId` as 'ticket.userId'
  return (eb: ExpressionBuilder<Database, 'ticket'>) => {
    const is = (column: typeof queueId | typeof userId, value: number | null) =>
      value === null ? eb(column, 'is', null) : eb(column, '=', value)
    const { flags, queueIds, profile, id, companyId } = viewer
    const rules = [eb(`${table}.companyId` as 'ticket.companyId', '=', companyId)]
    if (!flags.allowGroup) rules.push(eb(`${table}.isGroup` as 'ticket.isGroup', '=', false))
    if (profile === 'admin') return eb.and(rules)
    return eb.and([
      ...rules,
      eb.or([...(flags.allTicket ? [is(queueId, none)] : []), ...(queueIds.length > 0 ? [eb(queueId, 'in', queueIds)] : [])]),
      ...(flags.allUserChat ? [] : [eb.or([is(userId, none), is(userId, id)])]),
    ])
  }
}
/** What a tab holds without "show all": nobody's and one's own (R-VIS-01). */
function mineOnly<T extends Sighted>(viewer: Viewer, table: T) {
  const userId = `${table}.userId` as 'ticket.userId'
  return (eb: ExpressionBuilder<Database, 'ticket'>) =>
    eb.or([table === 'ticket' ? eb(userId, 'is', null) : eb(userId, '=', 0), eb(userId, '=', viewer.id)])
}

const zone = 'America/Sao_Paulo'
const likely = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

function chosen(db: Kysely<Database>, viewer: Viewer, filter: TicketFilter) {
  const searching = filter.status === 'search'
  const everyone = searching ? viewer.profile === 'admin' : filter.showAll === true // R-VIS-03; inSight holds the right to it (R-VIS-02)
  const statuses = filter.statusFilter ? (JSON.parse(filter.statusFilter) as string[]) : filter.status && !searching ? [filter.status] : []
  const queueIds = ids(filter.queueIds)
  const users = viewer.profile === 'admin' ? ids(filter.users ?? filter.userFilter) : []
  const connections = ids(filter.whatsapps ?? filter.whatsappIds)
  const tags = ids(filter.tags)
  const search = filter.searchParam?.trim() ?? ''
  let query = db.selectFrom('ticket').where(inSight(viewer, 'ticket')) as SelectQueryBuilder<Database, 'ticket', object>
  if (!everyone && filter.contactId === undefined) query = query.where(mineOnly(viewer, 'ticket'))
  if (statuses.length > 0) query = query.where('ticket.status', 'in', statuses as TicketRow['status'][] as never)
  if (queueIds.length > 0) query = query.where((eb) => eb.or([eb('ticket.queueId', 'in', queueIds), eb('ticket.queueId', 'is', null)]))
  if (users.length > 0) query = query.where('ticket.userId', 'in', users)
  if (connections.length > 0) query = query.where('ticket.whatsappId', 'in', connections)
  if (filter.contactId !== undefined) query = query.where('ticket.contactId', '=', filter.contactId)
  if (filter.withUnreadMessages) query = query.where('ticket.unreadMessages', '>', 0)
  for (const [column, day] of [
    ['createdAt', filter.date],
    ['updatedAt', filter.updatedAt],
  ] as const)
    if (day) query = query.where(sql<boolean>`(${sql.ref(`ticket.${column}`)} at time zone ${zone})::date = ${day}::date`)
  if (tags.length > 0)
    query = query.where('ticket.contactId', 'in', db.selectFrom('contactTag').select('contactId').where('tagId', 'in', tags))
  if (search !== '') query = query.where(matching(db, viewer, search, filter.searchOnMessages === true))
  const plain = search === '' && users.length + connections.length + tags.length === 0 && !filter.date && !filter.updatedAt
  return {
    query,
    countable: plain && filter.contactId === undefined && !filter.withUnreadMessages && queueIds.length === 0,
    statuses,
    everyone,
  }
}

/** Contact name without accents, digits of the number, the ticket's id, and on request the words of the messages (A-TICKET-18). */
function matching(db: Kysely<Database>, viewer: Viewer, search: string, onMessages: boolean) {
  const number = search.replace(/\D/g, '')
  return (eb: ExpressionBuilder<Database, 'ticket'>) => {
    const contacts = db
      .selectFrom('contact')
      .select('contact.id')
      .where('contact.companyId', '=', viewer.companyId)
      .where((c) =>
        c.or([
          sql<boolean>`plain(contact.name) like plain(${likely(search)})`,
          ...(number.length >= 4 ? [viewer.masked ? c('contact.number', '=', number) : c('contact.number', 'like', likely(number))] : []),
        ]),
      )
    const found = [eb('ticket.contactId', 'in', contacts)]
    if (/^\d{1,9}$/.test(search)) found.push(eb('ticket.id', '=', Number(search)))
    if (onMessages && search.length >= 3)
      found.push(
        eb(
          'ticket.id',
          'in',
          db
            .selectFrom('message')
            .select('message.ticketId')
            .where('message.companyId', '=', viewer.companyId)
            .where(sql<boolean>`plain(message.body) like plain(${likely(search)})`)
            .orderBy('message.createdAt', 'desc')
            .limit(2000),
        ),
      )
    return eb.or(found)
  }
}

/** One page of tickets in sight. `count`: from the counters where the filter is only a tab, else what is known so far. */
export async function listTickets(db: Kysely<Database>, viewer: Viewer, filter: TicketFilter) {
  const { pageNumber = 1, pageSize: size = pageSize } = filter
  const { query, countable, statuses, everyone } = chosen(db, viewer, filter)
  const direction = (filter.sortTickets ?? (filter.status === 'pending' ? 'ASC' : 'DESC')).toLowerCase() as 'asc' | 'desc'
  const page = query
    .select('ticket.id')
    .orderBy('ticket.updatedAt', direction)
    .orderBy('ticket.id', direction)
    .limit(size + 1)
    .offset((pageNumber - 1) * size)
  const [found, counted] = await Promise.all([page.execute(), countable ? counters(db, viewer, statuses, everyone) : null])
  const shown = found.slice(0, size).map(({ id }) => id)
  const rows = await ticketsById(db, shown)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const hasMore = found.length > size
  const known = (pageNumber - 1) * size + shown.length + (hasMore ? 1 : 0)
  return { tickets: shown.flatMap((id) => byId.get(id) ?? []).map((row) => veiled(viewer, row)), hasMore, count: counted ?? known }
}

async function counters(db: Kysely<Database>, viewer: Viewer, statuses: string[], everyone: boolean): Promise<number> {
  let query = db.selectFrom('ticketCounter').where(inSight(viewer, 'ticketCounter') as never)
  if (!everyone) query = query.where(mineOnly(viewer, 'ticketCounter') as never)
  if (statuses.length > 0) query = query.where('status', 'in', statuses)
  const row = await query.select(sql<number>`coalesce(sum(tickets), 0)`.as('n')).executeTakeFirstOrThrow()
  return Number(row.n)
}

/** Whole rows as the contract says them, numbers in full: for whoever decides then who sees what. */
export async function ticketsById(db: Kysely<Database>, list: number[]): Promise<TicketRow[]> {
  if (list.length === 0) return []
  const { rows } = await sql<TicketRow>`
    select ticket.*,
      jsonb_build_object('id', c.id, 'name', c.name, 'number', c.number, 'email', c.email, 'urlPicture', c.url_picture, 'active', c.active,
        'acceptAudioMessage', c.accept_audio_message, 'disableBot', c.disable_bot, 'extraInfo', c.extra_info) as contact,
      case when w.id is not null then jsonb_build_object('id', w.id, 'name', w.name, 'groupAsTicket', w.group_as_ticket, 'color', w.color) end as whatsapp,
      case when q.id is not null then jsonb_build_object('id', q.id, 'name', q.name, 'color', q.color) end as queue,
      case when u.id is not null then jsonb_build_object('id', u.id, 'name', u.name, 'color', u.color) end as "user",
      coalesce((select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'color', t.color) order by t.id)
        from contact_tag ct join tag t on t.id = ct.tag_id where ct.contact_id = ticket.contact_id), '[]') as tags
    from ticket
    join contact c on c.id = ticket.contact_id
    left join connection w on w.id = ticket.whatsapp_id
    left join queue q on q.id = ticket.queue_id
    left join "user" u on u.id = ticket.user_id
    where ticket.id in (${sql.join(list)})`.execute(db)
  return rows
}

export const ticketById = async (db: Kysely<Database>, companyId: number, id: number): Promise<TicketRow | undefined> =>
  (await ticketsById(db, [id])).find((row) => row.companyId === companyId)

export async function ticketIdOf(db: Kysely<Database>, companyId: number, uuid: string): Promise<number | undefined> {
  return (await db.selectFrom('ticket').select('id').where('companyId', '=', companyId).where('uuid', '=', uuid).executeTakeFirst())?.id
}

/** The row as this viewer may read it (A-LGPD-04). */
export const veiled = (viewer: Viewer, row: TicketRow): TicketRow =>
  viewer.masked && !row.isGroup ? { ...row, contact: { ...row.contact, number: masked(row.contact.number) } } : row

export async function ticketLog(db: Kysely<Database>, ticketId: number): Promise<TicketLogRow[]> {
  const { rows } = await sql<TicketLogRow>`
    select l.id, l.ticket_id, l.type, l.created_at,
      case when u.id is not null then jsonb_build_object('id', u.id, 'name', u.name, 'color', u.color) end as "user",
      case when q.id is not null then jsonb_build_object('id', q.id, 'name', q.name, 'color', q.color) end as queue
    from ticket_log l left join "user" u on u.id = l.user_id left join queue q on q.id = l.queue_id
    where l.ticket_id = ${ticketId} order by l.revision, l.id`.execute(db)
  return rows
}
