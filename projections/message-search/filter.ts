import { type Expression, expressionBuilder, type RawBuilder, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { asksForNumber } from '#domain/contact/rules.ts'
import { ids } from '#domain/contract.ts'
import type { MessageFilter } from '#domain/message-search/contract.ts'
import { type MessageKind, searchTerms } from '#domain/message-search/rules.ts'
import { endOfDay, startOfDay } from '#domain/zone/rules.ts'
import type { Database } from '../database.ts'
import { holds } from '../message/search.ts'
import { ownOrUnassigned, whereVisibleTo } from '../ticket/read.ts'

/** The position of a message in the order of the results: newest first, then by id. */
export type Cursor = { at: string; id: number }
export const cursorOf = ({ at, id }: Cursor): string => `${Date.parse(at)}-${id}`
export function parseCursor(text: string | undefined): Cursor | null {
  const [at, id] = (text ?? '').split('-').map(Number)
  return at === undefined || id === undefined ? null : { at: new Date(at).toISOString(), id }
}
/** Messages after the cursor in the order of the results. */
export const isOlder = (message: string, { at, id }: Cursor): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${message}.createdAt`)}, ${sql.ref(`${message}.id`)}) < (${at}::timestamptz, ${id}::bigint)`

/** An address with a scheme, or a host with a frequent ending. The index `message_with_link` has the same text. */
const linkPattern =
  '(https?://|www\\.)[a-z0-9]|(^|[\\s(<])[a-z0-9-]+(\\.[a-z0-9-]+)*\\.(com|net|org|gov|edu|info|app|dev|io|me|ly|gle|br|es|tr|pt|ar|mx|cl|uk|de|fr|it)([/?#:),;!\\s]|\\.\\s|\\.?$)'
const hasLink = (message: string): RawBuilder<boolean> => sql<boolean>`${sql.ref(`${message}.words`)} ~ ${sql.lit(linkPattern)}`

const mediaTypes: Record<Exclude<MessageKind, 'link'>, string> = {
  text: 'chat',
  file: 'application',
  picture: 'image',
  audio: 'audio',
  video: 'video',
}

/** Conditions that an index on messages in order of time supports. */
export function ofMessage(viewer: Viewer, { sender, from, to, kind }: MessageFilter, message: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${message}.${name}`)
  const all = [sql<boolean>`${column('companyId')} = ${viewer.companyId}`]
  if (sender === 'customer' || sender === 'us') all.push(sender === 'us' ? sql`${column('fromMe')}` : sql`not ${column('fromMe')}`)
  else if (sender) all.push(sql`${column('userId')} = ${Number(sender)}`)
  if (from) all.push(sql`${column('createdAt')} >= ${startOfDay(viewer.timeZone, from).toISOString()}::timestamptz`)
  if (to) all.push(sql`${column('createdAt')} < ${endOfDay(viewer.timeZone, to).toISOString()}::timestamptz`)
  if (kind === 'link') all.push(hasLink(message))
  else if (kind) all.push(sql`${column('mediaType')} = ${sql.lit(mediaTypes[kind])}`)
  return sql`(${sql.join(all, sql` and `)})`
}

/**
 * Whether a message that is shown contains every term of the search. `unindexed`: computes the words, so that
 * Postgres reads messages in order instead of collecting all that contain a frequent word.
 */
export function ofWords(viewer: Viewer, { searchParam = '' }: MessageFilter, message: string, unindexed = false): RawBuilder<boolean> {
  const words = unindexed ? sql`(${sql.ref(`${message}.words`)} || '')` : sql.ref(`${message}.words`)
  const whole = viewer.masked && asksForNumber(searchParam) // in any notation, also with spaces
  const terms = whole ? [searchParam] : searchTerms(searchParam)
  const all = [sql<boolean>`${sql.ref(`${message}.deletedBy`)} is distinct from 'us'`, ...terms.map((term) => holds(viewer, words, term))]
  return sql`(${sql.join(all, sql` and `)})`
}

/** Whether the viewer's search covers the ticket (R-VIS-03, A-LGPD-06) and the conditions on tickets hold. */
export function ofTicket(viewer: Viewer, filter: MessageFilter): RawBuilder<boolean> {
  const eb = expressionBuilder<Database, 'ticket'>()
  const all: Expression<unknown>[] = [whereVisibleTo(viewer, 'ticket')(eb)]
  if (viewer.profile !== 'admin') all.push(ownOrUnassigned(viewer, 'ticket')(eb), sql`ticket.status <> 'lgpd'`)
  for (const [column, list] of [
    ['queue_id', filter.queueIds],
    ['user_id', filter.users],
    ['whatsapp_id', filter.whatsapps],
  ] as const)
    if (ids(list).length > 0) all.push(sql`ticket.${sql.ref(column)} = any(${ids(list)}::int[])`)
  const tags = ids(filter.tags)
  if (tags.length > 0)
    all.push(
      sql`ticket.contact_id = any(array(select same.id from contact_tag tagged join contact same on same.person_id = tagged.contact_id
        where tagged.tag_id = any(${tags}::int[])))`,
    )
  if (filter.ticketId !== undefined) all.push(sql`ticket.id = ${filter.ticketId}`)
  return sql`(${sql.join(all, sql` and `)})`
}
