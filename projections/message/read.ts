import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { pageSize } from '#domain/answers.ts'
import type { FoundMessage, MessageRow } from '#domain/message/contract.ts'
import type { Media } from '#domain/ticket/events.ts'
import { contactsOfPerson, joinShown } from '../contact/person.ts'
import type { Database } from '../database.ts'
import { isOneOf } from '../keyed.ts'
import { type Labels, labelsFor } from '../labels.ts'
import { whereVisibleTo } from '../ticket/read.ts'
import type { MessageTable } from '../ticket/tables.ts'
import { around, contains } from './search.ts'

/** Builds the URL of a file; the caller signs it. */
export type MediaUrl = (companyId: number, media: Media) => string

type Quoted = NonNullable<MessageRow['quotedMsg']>
/** A message joined with its ticket and author. */
type Raw = Omit<MessageRow, 'mediaUrl' | 'media' | 'quotedMsg' | 'reactions' | 'isDeleted' | 'ticket' | 'user' | 'contact'> & {
  media: Media | null
  reactions: MessageTable['reactions']
  userId: number | null
  senderName: string
  quotedMsg: (Omit<Quoted, 'mediaUrl' | 'isDeleted'> & { media: Media | null; deletedBy: string | null }) | null
  ticketUuid: string
  ticketStatus: MessageRow['ticket']['status']
  ticketQueueId: number | null
  whatsappId: number
  isGroup: boolean
  ticketUserId: number | null
  ticketCreatedAt: string
  labelVersion: number | null
}

/** Messages in the published format, oldest first. */
export async function messagesById(db: Kysely<Database>, list: number[], url: MediaUrl): Promise<MessageRow[]> {
  return list.length === 0 ? [] : messagesBy(db, sql`where m.id ${isOneOf(list)}`, url)
}

/**
 * `chosen`: selects the messages `m`. A quote of an earlier ticket contains the text without the file,
 * because not all readers may read that ticket.
 */
async function messagesBy(db: Kysely<Database>, chosen: RawBuilder<unknown>, url: MediaUrl): Promise<MessageRow[]> {
  const { rows } = await sql<Raw>`
    select m.id, m.company_id, m.ticket_id, m.queue_id, m.body, m.from_me, m.deleted_by, m.is_edited, m.is_forwarded, m.is_private,
      m.ack, m.read, m.failed, m.uncertain, m.elsewhere, m.undecryptable, m.sent_again, m.template, m.interactive, m.about, m.media_type, m.media, m.v_card, m.reactions, m.revision, m.created_at, m.user_id,
      m.ticket_uuid, m.ticket_status, m.ticket_queue_id, m.whatsapp_id, m.is_group, m.ticket_user_id, m.ticket_created_at, coalesce(m.sender_name, m.contact_name) as sender_name,
      case when q.id is not null then json_build_object('id', q.id, 'body', q.body, 'fromMe', q.from_me, 'deletedBy', q.deleted_by,
        'mediaType', q.media_type, 'media', case when q.ticket_id = m.ticket_id then q.media end, 'contact', case when not q.from_me then json_build_object('name', coalesce(q.sender_name, m.contact_name)) end) end as quoted_msg,
      v.version as label_version
    from (
      select m.*, t.uuid as ticket_uuid, t.status as ticket_status, t.queue_id as ticket_queue_id, t.whatsapp_id, t.is_group, t.user_id as ticket_user_id, t.created_at as ticket_created_at, c.name as contact_name
      from ticket t ${joinShown(sql`t.contact_id`)} join message m on m.ticket_id = t.id ${chosen}) m
    left join message q on q.id = m.quoted_id and q.company_id = m.company_id
    left join label_version v on v.company_id = m.company_id
    order by m.ticket_created_at, m.ticket_id, m.revision`.execute(db)
  const labels = await labelsFor(db, rows)
  return rows.map((row) => rowOf(row, labels.get(row.companyId)!, url))
}

function rowOf(row: Raw, { users, queues }: Labels, url: MediaUrl): MessageRow {
  const { companyId, media, quotedMsg } = row
  const user = row.userId === null ? undefined : users.get(row.userId)
  return {
    id: row.id,
    companyId,
    ticketId: row.ticketId,
    queueId: row.queueId,
    body: row.body,
    fromMe: row.fromMe,
    deletedBy: row.deletedBy,
    isDeleted: row.deletedBy !== null,
    isEdited: row.isEdited,
    isForwarded: row.isForwarded,
    isPrivate: row.isPrivate,
    ack: row.ack,
    read: row.fromMe || row.read,
    failed: row.failed,
    uncertain: row.uncertain,
    elsewhere: row.elsewhere,
    undecryptable: row.undecryptable,
    sentAgain: row.sentAgain,
    template: row.template && { name: row.template.name, category: row.template.category },
    mediaType: row.mediaType,
    mediaUrl: media && url(companyId, media),
    media: media && {
      mime: media.mime,
      name: media.name,
      size: media.size,
      width: media.width,
      height: media.height,
      seconds: media.seconds,
    },
    vCard: row.vCard,
    interactive: row.interactive,
    about: row.about,
    reactions: row.reactions.map(({ emoji, from, name = null }) => ({ mediaType: 'reactionMessage', emoji, from, name })),
    revision: row.revision,
    createdAt: row.createdAt,
    ticket: {
      id: row.ticketId,
      uuid: row.ticketUuid,
      status: row.ticketStatus,
      queueId: row.ticketQueueId,
      queue: (row.ticketQueueId !== null && queues.get(row.ticketQueueId)) || null,
      whatsappId: row.whatsappId,
      isGroup: row.isGroup,
      userId: row.ticketUserId,
      createdAt: row.ticketCreatedAt,
    },
    user: user ? { id: user.id, name: user.name } : null,
    contact: row.fromMe ? null : { name: row.senderName },
    quotedMsg: quotedMsg && {
      ...{ id: quotedMsg.id, body: quotedMsg.body, fromMe: quotedMsg.fromMe, mediaType: quotedMsg.mediaType, contact: quotedMsg.contact },
      isDeleted: quotedMsg.deletedBy !== null,
      mediaUrl: quotedMsg.media && url(companyId, quotedMsg.media),
    },
  }
}

const threadPage = pageSize * 2

/** A column of a ticket by its name in the query. */
type Of = (column: 'id' | 'contact_id' | 'whatsapp_id' | 'created_at') => RawBuilder<unknown>
const named =
  (ticket: string): Of =>
  (column) =>
    sql.ref(`${ticket}.${column}`)
/** A subquery that runs once, so that an index on these columns gives the conversation's order. */
const numbered =
  (ticketId: number): Of =>
  (column) =>
    sql`(select ${sql.ref(column)} from ticket where id = ${ticketId})`

/**
 * Whether a viewer may read ticket `e` within a conversation: in any queue with allHistoric, otherwise in
 * their queues (A-VIS-02).
 */
function theirs({ profile, flags, queueIds, retiredQueueIds }: Viewer): RawBuilder<boolean> {
  if (profile === 'admin' || flags.allHistoric) return sql`true`
  return sql`(e.queue_id is null or e.queue_id = any(${[...queueIds, ...retiredQueueIds]}::int[]))`
}
/**
 * Whether ticket `e` is this one or an earlier one of the contact on the connection. Imported tickets count
 * by time, not by id.
 */
const upTo = (o: Of): RawBuilder<boolean> =>
  sql`(e.contact_id in ${contactsOfPerson(o('contact_id'))} and e.whatsapp_id = ${o('whatsapp_id')} and (e.created_at, e.id) <= (${o('created_at')}, ${o('id')}))`

/** The tickets of a conversation with their start times; `queueIds` limits the earlier ones. */
function ticketsIn(viewer: Viewer, ticketId: number, queueIds: number[] = []): RawBuilder<unknown> {
  const named = queueIds.length === 0 ? sql`true` : sql`e.queue_id = any(${queueIds}::int[])`
  return sql`(
      select e.id, e.created_at from ticket e where ${upTo(numbered(ticketId))} and (e.id = ${ticketId} or (${theirs(viewer)} and ${named})))`
}

/** The ids of these tickets. */
export const threadOf = (viewer: Viewer, ticketId: number): RawBuilder<unknown> => sql`(select id from ${ticketsIn(viewer, ticketId)} t)`

/** Whether a viewer may read a ticket: it is visible, or part of a visible conversation. */
export async function canReadTicket(db: Kysely<Database>, viewer: Viewer, ticketId: number): Promise<boolean> {
  const within = sql<boolean>`${upTo(named('ticket'))} and (e.id = ticket.id or ${theirs(viewer)})`
  const shows = sql<boolean>`exists (select from ticket e where e.id = ${ticketId} and ${within})`
  const one = db.selectFrom('ticket').select('ticket.id').where(whereVisibleTo(viewer, 'ticket')).where(shows)
  return (await one.limit(1).execute()).length > 0
}

type ThreadPart = { ticketId: number; queueIds: number[] }
type ThreadPage = ThreadPart & { pageNumber: number }
type Direction = 'older' | 'newer'
type Slice = { direction: Direction; most: number; offset: number; cursorId?: number | undefined }

/** Conditions for the tickets `e` and their messages on this side of a message. Both can be searched in an index. */
function conditionsFrom(cursorId: number, direction: Direction): { tickets: RawBuilder<boolean>; messages: RawBuilder<boolean> } {
  const cursor = (column: 'ticket_id' | 'revision') => sql`(select ${sql.ref(column)} from message where id = ${cursorId})`
  const ticketId = cursor('ticket_id')
  const start = sql`(select created_at, id from ticket where id = ${ticketId})`
  const revision = (otherwise: number) => sql`(case when e.id = ${ticketId} then ${cursor('revision')} else ${sql.lit(otherwise)} end)`
  return direction === 'older'
    ? { tickets: sql`(created_at, id) <= ${start}`, messages: sql`revision < ${revision(2147483647)}` }
    : { tickets: sql`(created_at, id) >= ${start}`, messages: sql`revision >= ${revision(-1)}` }
}

/**
 * Selects messages of a conversation in one direction from `cursorId`: those before it, or itself and those after it.
 * It goes ticket by ticket along an ordered index, so that only rows near the page are read.
 */
function sliceOf(viewer: Viewer, { ticketId, queueIds }: ThreadPart, slice: Slice): RawBuilder<{ id: number }> {
  const { direction, most, offset, cursorId } = slice
  const order = direction === 'older' ? sql`desc` : sql`asc`
  const limit = most + offset
  const { tickets, messages } = cursorId === undefined ? { tickets: sql`true`, messages: sql`true` } : conditionsFrom(cursorId, direction)
  return sql`
    select m.id from (
      select * from ${ticketsIn(viewer, ticketId, queueIds)} e where ${tickets} and exists (select from message where ticket_id = e.id)
      order by created_at ${order}, id ${order} limit ${limit}) e
    cross join lateral (
      select id, revision from message where ticket_id = e.id and ${messages} order by revision ${order} limit ${limit}) m
    order by e.created_at ${order}, e.id ${order}, m.revision ${order} limit ${most} offset ${offset}`
}

/** Selects a page of a conversation plus one row, newest first. */
export const pageOf = (viewer: Viewer, { pageNumber, ...part }: ThreadPage): RawBuilder<{ id: number }> =>
  sliceOf(viewer, part, { direction: 'older', most: threadPage + 1, offset: (pageNumber - 1) * threadPage })

type PageFrom = ThreadPart & { cursorId: number; direction: Direction }
/** Selects a page of a conversation in one direction from a message, plus one row. */
export const pageFrom = (viewer: Viewer, { cursorId, direction, ...part }: PageFrom): RawBuilder<{ id: number }> =>
  sliceOf(viewer, part, { direction, cursorId, most: threadPage + 1, offset: 0 })

const messagesOfSlice = (db: Kysely<Database>, slice: RawBuilder<{ id: number }>, url: MediaUrl) =>
  messagesBy(db, sql`where m.id = any(array(${slice}))`, url)

export async function listMessages(db: Kysely<Database>, viewer: Viewer, page: ThreadPage, url: MediaUrl) {
  const rows = await messagesOfSlice(db, pageOf(viewer, page), url)
  return { messages: rows.slice(-threadPage), hasMore: rows.length > threadPage } // drops the extra row, which is the oldest
}

/**
 * A page of a conversation in one direction from a message: `older` ends before it, `newer` begins with it; null if
 * the conversation does not contain it. hasMore: there are further messages in that direction.
 */
export async function listMessagesFrom(db: Kysely<Database>, viewer: Viewer, page: PageFrom, url: MediaUrl) {
  const { cursorId, direction } = page
  const within = sql<boolean>`ticket_id in (select id from ${ticketsIn(viewer, page.ticketId, page.queueIds)} t)`
  const cursor = await db.selectFrom('message').select('id').where('id', '=', cursorId).where(within).executeTakeFirst()
  if (!cursor) return null
  const rows = await messagesOfSlice(db, pageFrom(viewer, page), url)
  const messages = direction === 'older' ? rows.slice(-threadPage) : rows.slice(0, threadPage)
  return { messages, hasMore: rows.length > threadPage }
}

/** Counts the readable messages of the ticket and of the earlier ones. */
export async function countMessages(db: Kysely<Database>, viewer: Viewer, ticketId: number) {
  const { rows } = await sql<{ messages: number; earlier: number }>`
    select (count(*) filter (where ticket_id = ${ticketId}))::int as messages, (count(*) filter (where ticket_id <> ${ticketId}))::int as earlier
    from message join ${ticketsIn(viewer, ticketId)} e on e.id = ticket_id`.execute(db)
  return rows[0]!
}

const mostFound = 50
type Raws = Omit<FoundMessage, 'before' | 'hit' | 'after' | 'pageNumber'> & { body: string; file: string | null; place: number; n: number }
/** Finds a text in a conversation, newest first. */
export async function searchThread(db: Kysely<Database>, viewer: Viewer, ticketId: number, search: string, pageNumber: number) {
  const { rows } = await sql<Raws>`
    select id as message_id, ticket_id, revision, body, media ->> 'name' as file, from_me, is_private, created_at, place::int, (count(*) over ())::int as n
    from (
      select m.*, row_number() over (order by e.created_at desc, e.id desc, m.revision desc) as place
      from message m join ${ticketsIn(viewer, ticketId)} e on e.id = m.ticket_id
    ) thread
    where ${contains(viewer, 'thread', search)}
    order by place limit ${mostFound + 1} offset ${(pageNumber - 1) * mostFound}`.execute(db)
  const messages = rows.slice(0, mostFound).map(({ body, file, place, n: _, ...row }) => ({
    ...row,
    ...around(viewer, body, search, file),
    pageNumber: Math.ceil(place / threadPage),
  }))
  return { messages, hasMore: rows.length > mostFound, count: rows[0]?.n ?? (pageNumber - 1) * mostFound }
}
