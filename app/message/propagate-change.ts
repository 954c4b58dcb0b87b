import type { Kysely } from 'kysely'
import type { AnsweringWay } from '#domain/channel/rules.ts'
import type { EventMetadata } from '#domain/decider.ts'
import { streamName } from '#domain/stream.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import type { TicketMessage } from '#domain/ticket/message.ts'
import { lastInboundMessages } from '#domain/ticket/message-window.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Database, OutboxRow } from '#projections/database.ts'
import type { Channel, Recipient } from '../channels/channel.ts'
import type { ContactKeys } from '../crypto/contact-keys.ts'
import { decodeEvents } from '../event-store/event-codec.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { fillPlaceholders, type Names } from '../outbound/recipient.ts'
import type { LoadTicket } from '../ticket/ticket-repository.ts'

type Deps = { db: Kysely<Database>; eventStore: EventStore; contactKeys: ContactKeys; load: LoadTicket }

/** `numberSince`: when the connection got its current number. */
export type Addressee = { to: Recipient; names: Names; way: AnsweringWay; numberSince: string | null }

/**
 * Applies a change of a message at the channel. It sends the current state, so a late, repeated or reordered
 * change does no harm. A message that never left is skipped: a refused send stays refused, and an early edit
 * was sent with the message. If the message may have arrived, the change is sent.
 */
export async function propagateChange(
  row: OutboxRow,
  message: TicketMessage,
  channel: Channel,
  { to, names }: Addressee,
  deps: Deps,
): Promise<void> {
  const { kind, externalId } = row
  if (kind === 'read') return sendReadReceipt(row, message, channel, to, deps)
  if (!(await mayHaveLeft(row, message, deps))) return
  if (kind === 'remove') return channel.remove(to, externalId)
  if (message.removed) return // the removal follows in the outbox
  if (kind === 'react') return channel.react(to, externalId, message.reactions.us ?? '')
  const [edit, ...since] = await readRelatedEvents(row, deps)
  const begun = since.some((event) => event.type === 'MessageDispatched' && event.messageId === row.messageId && event.attempt === 1)
  const words = begun ? null : newestText(row.messageId, [edit!, ...since])
  if (words !== null) await channel.edit(to, externalId, fillPlaceholders(words, names, true))
}

/**
 * Sends a read receipt up to the message that was the newest then, because later ones may be unread. A newer
 * receipt replaces an older one.
 */
async function sendReadReceipt(
  { companyId, ticketId, n }: OutboxRow,
  { revision }: TicketMessage,
  channel: Channel,
  to: Recipient,
  { db, load }: Deps,
): Promise<void> {
  const newer = db.selectFrom('outbox').select('n').where('ticketId', '=', ticketId).where('kind', '=', 'read').where('n', '>', n)
  if (await newer.limit(1).executeTakeFirst()) return
  const ticket = await load(companyId, ticketId, { inboundUpTo: [revision] })
  const isTheirs = (contactId: number, { removed, ...message }: TicketMessage) =>
    !removed && (message.contactId ?? contactId) === to.contactId
  const theirs = 'since' in ticket ? lastInboundMessages(ticket, revision).filter((one) => isTheirs(ticket.contactId, one)) : []
  const latest = theirs.map(({ externalId }) => externalId) // sends no receipt twice
  if (latest.length > 0) await channel.read(to, latest)
}

async function mayHaveLeft({ messageId }: OutboxRow, { from, ack }: TicketMessage, { db }: Deps): Promise<boolean> {
  if (from === 'contact' || ack > 0) return true
  const tried = await db
    .selectFrom('outbox')
    .select('n')
    .where('messageId', '=', messageId)
    .where('kind', '=', 'send')
    .where('attempts', '>', 0)
    .where('state', '!=', 'failed')
    .executeTakeFirst()
  return tried !== undefined
}

const relatedTypes = new Set(['MessageEdited', 'MessageDispatched', 'MessageAccepted'])
/** Reads the event that requested the change, and the later events that may affect it. */
export async function readRelatedEvents(
  { companyId, ticketId, revision }: Pick<OutboxRow, 'companyId' | 'ticketId' | 'revision'>,
  { eventStore, contactKeys }: Pick<Deps, 'eventStore' | 'contactKeys'>,
): Promise<(TicketEvent & EventMetadata)[]> {
  const { events } = await eventStore.read(streamName(ticketStream, companyId, ticketId), BigInt(revision))
  return decodeEvents<TicketEvent>(
    ticketStream,
    events.filter(({ type }, i) => i === 0 || relatedTypes.has(type)),
    contactKeys,
  )
}

/** Returns the text of the newest edit; null: the message was not edited. */
export function newestText(messageId: number, events: TicketEvent[]): string | null {
  const edit = events.findLast((event) => event.type === 'MessageEdited' && event.messageId === messageId)
  return edit?.type === 'MessageEdited' ? edit.body : null
}
