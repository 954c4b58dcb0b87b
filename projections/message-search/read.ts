import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { maskMentions } from '#domain/contact/mask.ts'
import { maskedName } from '#domain/contact/phone.ts'
import type { Answer } from '#domain/contract.ts'
import type { FoundMessage, FoundTicket, MessageFilter, messageSearch } from '#domain/message-search/contract.ts'
import { fileNameOf, searchTerms, snippet } from '#domain/message-search/rules.ts'
import { canSee } from '#domain/ticket/topic.ts'
import type { Database } from '../database.ts'
import { maskFor } from '../ticket/read.ts'
import { ticketsById } from '../ticket/rows.ts'
import { type Cursor, cursorOf, isOlder, ofMessage, ofTicket, ofWords, parseCursor } from './filter.ts'

/** Tickets of a page. */
const ticketsPage = 20
/** Messages that each ticket shows at first, and per further page. */
const messagesShown = 3
const messagesPage = 20
/** Counting stops here if the matches are so frequent that the newest ones are read in order of time. */
const mostCounted = 1000
/** How many of the newest messages are looked at to learn how frequent the matches are. */
const sampled = 3000
/** From this share on, reading in order of time finds a page sooner than the index of words does. */
const frequent = 0.02
/** How many times as many messages are read as the share of matches asks for. */
const spare = 1.5

type Db = Kysely<Database>
type Hit = { id: number; ticketId: number; at: string }
/** A ticket with its newest matching messages. */
type Group = { ticketId: number; count: number | null; isCountCapped: boolean; ids: number[]; cursor: string | null }
type Found = { groups: Group[]; count: number | null; isCountCapped: boolean; cursor: string | null }

/**
 * Lists the matches grouped by ticket, newest first. Each ticket is on the page of its newest match. How the
 * matches are found depends on how frequent they are: a word in every third message would fill memory before
 * the first page, and a word in ten messages would be sought in all others.
 */
export async function searchMessages(db: Db, viewer: Viewer, filter: MessageFilter): Promise<Answer<typeof messageSearch.list>> {
  const cursor = parseCursor(filter.cursor)
  const found =
    filter.ticketId !== undefined
      ? await inTicket(db, viewer, filter, cursor, filter.ticketId)
      : ((await readAsNewest(db, viewer, filter, cursor)) ?? (await fromAll(db, viewer, filter, cursor)))
  const { groups, ...page } = found
  return { tickets: await shown(db, viewer, filter, groups), ...page }
}

const matches = (viewer: Viewer, filter: MessageFilter, unindexed = false): RawBuilder<boolean> =>
  sql`(${ofMessage(viewer, filter, 'message')} and ${ofWords(viewer, filter, 'message', unindexed)} and ${ofTicket(viewer, filter)})`
const after = (cursor: Cursor | null): RawBuilder<boolean> => (cursor ? isOlder('message', cursor) : sql`true`)

/** The page of frequent matches; null: they are rare. */
async function readAsNewest(db: Db, viewer: Viewer, filter: MessageFilter, cursor: Cursor | null): Promise<Found | null> {
  const share = await shareOfMatches(db, viewer, filter, cursor)
  if (share < frequent) return null
  const enough = Math.ceil((mostCounted * spare) / share)
  const hits = await newestHits(db, viewer, filter, cursor, enough)
  // older messages may match less often than the newest ones
  return hits.length > mostCounted
    ? newestFirst(db, viewer, filter, cursor, hits)
    : fromAll(db, viewer, filter, cursor, filter.kind !== undefined && filter.kind !== 'text')
}
/** The share of matches among the newest messages of the sender, days and kind. */
async function shareOfMatches(db: Db, viewer: Viewer, filter: MessageFilter, cursor: Cursor | null): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${newestMessages(viewer, filter, cursor, sampled)} message join ticket on ticket.id = message.ticket_id
    where ${ofWords(viewer, filter, 'message')} and ${ofTicket(viewer, filter)}`.execute(db)
  return rows[0]!.n / sampled
}
/** The newest messages of the sender, days and kind, along an index. The limit keeps Postgres from sorting all of them. */
const newestMessages = (viewer: Viewer, filter: MessageFilter, cursor: Cursor | null, limit: number): RawBuilder<unknown> => sql`(
      select id, ticket_id, created_at, words, deleted_by from message where ${ofMessage(viewer, filter, 'message')} and ${after(cursor)}
      order by created_at desc, id desc limit ${sql.lit(limit)})`
/** The matches among so many of the newest messages, up to one more than are counted. */
async function newestHits(db: Db, viewer: Viewer, filter: MessageFilter, cursor: Cursor | null, limit: number): Promise<Hit[]> {
  const { rows } = await sql<Hit>`
    select message.id, message.ticket_id, message.created_at as at
    from ${newestMessages(viewer, filter, cursor, limit)} message join ticket on ticket.id = message.ticket_id
    where ${ofWords(viewer, filter, 'message')} and ${ofTicket(viewer, filter)}
    order by message.created_at desc, message.id desc limit ${sql.lit(mostCounted + 1)}`.execute(db)
  return rows
}

/** Rare matches: collects and counts all of them. `byKind`: the kind is rarer than the words, so its index is used instead. */
async function fromAll(db: Db, viewer: Viewer, filter: MessageFilter, cursor: Cursor | null, byKind = false): Promise<Found> {
  const newest = sql`(newest, ids[1])`
  const isNext = cursor ? sql`${newest} < (${cursor.at}::timestamptz, ${cursor.id}::bigint)` : sql`true`
  const { rows } = await sql<{ ticketId: number; n: number; newest: string; ids: number[]; total: number }>`
    with hit as materialized (
      select message.id, message.ticket_id, message.created_at from message join ticket on ticket.id = message.ticket_id
      where ${matches(viewer, filter, byKind)}
    ), grouped as (
      select ticket_id, count(*)::int as n, max(created_at) as newest,
        (array_agg(id order by created_at desc, id desc))[1:${sql.lit(messagesShown)}] as ids
      from hit group by ticket_id
    )
    select grouped.*, (select count(*) from hit)::int as total from grouped
    where ${isNext} order by newest desc, ids[1] desc limit ${sql.lit(ticketsPage + 1)}`.execute(db)
  const page = rows.slice(0, ticketsPage)
  const last = page.at(-1)
  const groups = page.map(({ ticketId, n, ids }) => ({ ticketId, count: n, isCountCapped: false, ids, cursor: null }))
  return {
    groups,
    count: cursor ? null : (rows[0]?.total ?? 0),
    isCountCapped: false,
    cursor: rows.length > ticketsPage && last ? cursorOf({ at: last.newest, id: last.ids[0]! }) : null,
  }
}

/** Frequent matches: more of the newest ones than are counted, grouped until the page is full. */
async function newestFirst(db: Db, viewer: Viewer, filter: MessageFilter, cursor: Cursor | null, hits: Hit[]): Promise<Found> {
  const read = hits.slice(0, mostCounted)
  const listed = cursor ? await listedBefore(db, viewer, filter, cursor, read) : new Set<number>()
  const newest = new Map<number, Hit>()
  for (const hit of read) if (!listed.has(hit.ticketId) && !newest.has(hit.ticketId)) newest.set(hit.ticketId, hit)
  const tickets = [...newest.values()]
  const page = tickets.slice(0, ticketsPage)
  const last = tickets.length > ticketsPage ? page.at(-1)! : read.at(-1)!
  const ids = page.map(({ ticketId }) => ticketId)
  return {
    groups: await countedIn(db, viewer, filter, ids),
    count: cursor ? null : mostCounted,
    isCountCapped: cursor === null,
    cursor: cursorOf(last),
  }
}

/** The tickets whose newest match is on an earlier page. */
async function listedBefore(db: Db, viewer: Viewer, filter: MessageFilter, cursor: Cursor, hits: Hit[]): Promise<Set<number>> {
  const tickets = [...new Set(hits.map(({ ticketId }) => ticketId))]
  const { rows } = await sql<{ id: number }>`
    select listed.id from unnest(${tickets}::int[]) listed (id) where exists (
      select from message where message.ticket_id = listed.id and not ${isOlder('message', cursor)}
        and ${ofMessage(viewer, filter, 'message')} and ${ofWords(viewer, filter, 'message', true)})`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** The newest matches of each ticket and their number. */
async function countedIn(db: Db, viewer: Viewer, filter: MessageFilter, tickets: number[]): Promise<Group[]> {
  const { rows } = await sql<{ ticketId: number; n: number; ids: number[] | null }>`
    select found.id as ticket_id, hit.n, hit.ids from unnest(${tickets}::int[]) with ordinality found (id, place) cross join lateral (
      select count(*)::int as n, (array_agg(id order by created_at desc, id desc))[1:${sql.lit(messagesShown)}] as ids from (
        select message.id, created_at from message
        where ticket_id = found.id and ${ofMessage(viewer, filter, 'message')} and ${ofWords(viewer, filter, 'message', true)}
        order by revision desc limit ${sql.lit(mostCounted + 1)}) newest) hit
    order by place`.execute(db)
  return rows.map(({ ticketId, n, ids }) => ({
    ticketId,
    count: Math.min(n, mostCounted),
    isCountCapped: n > mostCounted,
    ids: ids ?? [],
    cursor: null,
  }))
}

/** The matches of one ticket, page by page. */
async function inTicket(db: Db, viewer: Viewer, filter: MessageFilter, cursor: Cursor | null, ticketId: number): Promise<Found> {
  const { rows } = await sql<Hit>`
    select message.id, message.ticket_id, message.created_at as at from message join ticket on ticket.id = message.ticket_id
    where message.ticket_id = ${ticketId} and ${matches(viewer, filter, true)} and ${after(cursor)}
    order by message.created_at desc, message.id desc limit ${sql.lit(messagesPage + 1)}`.execute(db)
  const page = rows.slice(0, messagesPage)
  const next = rows.length > messagesPage ? cursorOf(page.at(-1)!) : null
  const [whole] = cursor || page.length === 0 ? [] : await countedIn(db, viewer, filter, [ticketId])
  const { count, isCountCapped } = whole ?? { count: null, isCountCapped: false }
  const group = { ticketId, count, isCountCapped, ids: page.map(({ id }) => id), cursor: next }
  return { groups: page.length === 0 ? [] : [group], count: cursor ? null : (count ?? 0), isCountCapped, cursor: null }
}

type Row = Omit<FoundMessage, 'snippet' | 'fileName'> & { body: string; media: { name: string } | null; senderName: string | null }
/** The page's rows. A ticket or message that changed since the search is left out. */
async function shown(db: Db, viewer: Viewer, filter: MessageFilter, groups: Group[]): Promise<FoundTicket[]> {
  if (groups.length === 0) return []
  const [tickets, { rows }] = await Promise.all([
    ticketsById(
      db,
      groups.map(({ ticketId }) => ticketId),
    ),
    sql<Row>`
      select message.id, message.created_at, message.from_me, message.is_private, message.is_edited, message.media_type, message.body, message.media,
        message.sender_name, u.name as author
      from message left join "user" u on u.id = message.user_id
      where message.id = any(${groups.flatMap(({ ids }) => ids)}::int[]) and ${ofWords(viewer, filter, 'message', true)}`.execute(db),
  ])
  const terms = searchTerms(filter.searchParam ?? '')
  const messages = new Map(rows.map((row) => [row.id, messageShown(viewer, row, terms)]))
  const visible = new Map(tickets.filter((ticket) => canSee(viewer, ticket)).map((ticket) => [ticket.id, maskFor(viewer, ticket)]))
  return groups.flatMap(({ ticketId, ids, count, isCountCapped, cursor }) => {
    const ticket = visible.get(ticketId)
    const still = ids.flatMap((id) => messages.get(id) ?? [])
    if (!ticket || still.length === 0) return []
    const next =
      cursor ??
      (filter.ticketId === undefined && (count ?? 0) > ids.length ? cursorOf({ at: still.at(-1)!.createdAt, id: still.at(-1)!.id }) : null)
    return [{ ticket, count, isCountCapped, messages: still, cursor: next }]
  })
}

const mostUnmatched = 120
function messageShown(viewer: Viewer, { body, media, senderName, ...row }: Row, terms: string[]): FoundMessage {
  const masked = (text: string) => (viewer.masked ? maskMentions(text) : text)
  const name = fileNameOf({ kind: row.mediaType, media })
  const plain = (text: string) => [{ text: masked(text).slice(0, mostUnmatched).toWellFormed(), isHit: false }]
  const sender = senderName === null ? null : viewer.masked ? maskedName(senderName) : senderName
  return {
    ...row,
    author: row.author ?? sender,
    snippet: snippet(masked(body), terms) ?? (body === '' ? [] : plain(body)),
    fileName: name === null ? null : (snippet(masked(name), terms) ?? plain(name)),
  }
}
