import { type Kysely, sql } from 'kysely'
import { channelNames, channels } from '#domain/channel/channels.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { rateOf } from '#domain/ticket/rules.ts'
import { joinShown } from '../contact/person.ts'
import { pictureAt, today } from '../contact/picture.ts'
import type { Database } from '../database.ts'
import { isOneOf } from '../keyed.ts'
import { type Labels, labelsFor } from '../labels.ts'
import type { TicketTable } from './tables.ts'

/**
 * Everything that determines a shown row: the ticket's revision, and the versions of contact and labels.
 * While they are equal, the cached row is valid.
 */
export type Version = {
  id: number
  companyId: number
  revision: number
  /** The contact that is shown: the target of a merge (A-MERGE-01). */
  shownId: number
  contactVersion: number
  labelVersion: number | null
  tagIds: number[]
  /** When rotation assigns the next agent, from the deadline. */
  turnDue: string | null
}
/** The SQL for the version of each row of `page`. */
export const version = sql`page.revision, c.id as shown_id, c.version as contact_version, v.version as label_version,
  array(select tag_id from contact_tag ct where ct.contact_id = c.id order by tag_id) as tag_ids,
  case when page.status = 'pending' and page.user_id is not null then (
    select d.due_at from deadline d where d.aggregate_id = page.id and d.kind = 'rotation') end as turn_due`
export const around = sql`${joinShown(sql`page.contact_id`)} left join label_version v on v.company_id = page.company_id`

/** A ticket joined with its contact. */
type Flat = Version & TicketTable & Of<'contact', TicketRow['contact']> & Pick<TicketRow, 'heardAt'>
type Of<Name extends string, T> = { [K in Exclude<keyof T, 'id'> & string as `${Name}${Capitalize<K>}`]: T[K] }

/** Channels with a messaging window. */
const windowed = channelNames.filter((channel) => channels[channel].window)

async function read(db: Kysely<Database>, list: number[]): Promise<{ version: Version; row: TicketRow }[]> {
  const { rows } = await sql<Flat>`
    with page as (select * from ticket where id ${isOneOf(list)})
    select page.*, c.name as contact_name, c.number as contact_number, c.email as contact_email, c.url_picture as contact_url_picture,
      c.active as contact_active, c.accept_audio_message as contact_accept_audio_message, c.disable_bot as contact_disable_bot,
      c.extra_info as contact_extra_info,
      case when page.channel = any(${windowed}::text[]) and not page.is_group then (
        select m.created_at from ticket e join message m on m.ticket_id = e.id
        where e.contact_id = page.contact_id and e.whatsapp_id = page.whatsapp_id and not m.from_me
        order by e.id desc, m.revision desc limit 1
      ) end as heard_at, ${version}
    from page ${around} order by page.updated_at desc, page.id desc`.execute(db)
  const labels = await labelsFor(db, rows)
  for (const flat of rows) flat.contactUrlPicture = pictureAt(db, flat.companyId, flat.contactUrlPicture)
  return rows.map((flat) => ({ version: flat, row: unfolded(flat, labels.get(flat.companyId)!) }))
}

/** Lists each field, because a rest spread of this wide row costs more than reading it. */
const unfolded = (row: Flat, { connections, queues, rotating, users, tags }: Labels): TicketRow => ({
  id: row.id,
  uuid: row.uuid,
  companyId: row.companyId,
  status: row.status,
  channel: row.channel,
  isGroup: row.isGroup,
  isBot: row.isBot,
  contactId: row.shownId,
  contact: {
    id: row.shownId,
    name: row.contactName,
    number: row.contactNumber,
    email: row.contactEmail,
    urlPicture: row.contactUrlPicture,
    active: row.contactActive,
    acceptAudioMessage: row.contactAcceptAudioMessage,
    disableBot: row.contactDisableBot,
    extraInfo: row.contactExtraInfo,
  },
  whatsappId: row.whatsappId,
  whatsapp: connections.get(row.whatsappId) ?? null,
  queueId: row.queueId,
  queue: (row.queueId !== null && queues.get(row.queueId)) || null,
  userId: row.userId,
  user: (row.userId !== null && users.get(row.userId)) || null,
  tags: row.tagIds.flatMap((id) => tags.get(id) ?? []),
  laneId: row.laneId,
  amount: row.amount,
  lastMessage: row.lastMessage,
  lastMessageFromMe: row.lastMessageFromMe,
  lastMessageAt: row.lastMessageAt,
  lastMessageKind: row.lastMessageKind,
  lastMessageDeleted: row.lastMessageDeleted,
  heardAt: row.heardAt,
  lastMessageUserId: row.lastMessageUserId,
  lastMessageSender: (row.lastMessageUserId !== null && users.get(row.lastMessageUserId)?.name) || row.lastMessageSender,
  lastMessageElsewhere: row.lastMessageElsewhere,
  lastMessageSeconds: row.lastMessageSeconds,
  lastMessageFile: row.lastMessageFile,
  lastMessageAck: row.lastMessageAck,
  failedMessages: row.failedIds.length,
  unreadMessages: row.unreadMessages,
  isTransfered: row.isTransfered,
  transfer: row.transfer && {
    user: (row.transfer.userId !== null && users.get(row.transfer.userId)) || null,
    at: row.transfer.at,
    note: row.transfer.note,
  },
  msgTransfer: row.transfer?.note ?? null,
  useIntegration: row.useIntegration,
  revision: row.revision,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  waitingSince: row.waitingSince,
  turnEndsAt: row.queueId !== null && rotating.has(row.queueId) ? row.turnDue : null,
  openedAt: row.openedAt,
  closedAt: row.closedAt,
  closeReason: row.closeReason,
  nps: row.nps,
  userRating: row.nps === null ? null : { rate: rateOf(row.nps) },
})

/** Rows with full numbers; the caller decides who sees them. */
export async function ticketsById(db: Kysely<Database>, list: number[]): Promise<TicketRow[]> {
  return list.length === 0 ? [] : (await read(db, list)).map(({ row }) => row)
}

type Kept = { mark: string; row: TicketRow }
/**
 * By database, so that queries need no further argument and a closed database takes its rows along. Each use proves its row by the version
 * that the same call read.
 */
const kept = new WeakMap<Kysely<Database>, Map<number, Kept>>()
const mostKept = 4000
const mark = ({ revision, shownId, contactVersion, labelVersion, tagIds, turnDue }: Version, day: number) =>
  `${revision} ${shownId} ${contactVersion} ${labelVersion} ${tagIds} ${turnDue} ${day}`

/**
 * Returns the rows of these versions or newer ones, without deleted ones. Rows are cached by version, so that
 * only changed rows are read.
 */
export async function rowsOf(db: Kysely<Database>, versions: Version[]): Promise<TicketRow[]> {
  const cache = kept.get(db) ?? new Map<number, Kept>()
  kept.set(db, cache)
  const rows = new Map<number, TicketRow>()
  const day = today(db) // picture URLs change each day
  for (const one of versions) {
    const known = cache.get(one.id)
    if (known?.mark === mark(one, day)) rows.set(one.id, known.row)
  }
  const missing = versions.filter(({ id }) => !rows.has(id)).map(({ id }) => id)
  for (const { version, row } of missing.length > 0 ? await read(db, missing) : []) {
    rows.set(row.id, row)
    cache.delete(row.id)
    cache.set(row.id, { mark: mark(version, day), row })
  }
  for (const oldest of cache.keys()) {
    if (cache.size <= mostKept) break
    cache.delete(oldest)
  }
  return versions.flatMap(({ id }) => rows.get(id) ?? [])
}
