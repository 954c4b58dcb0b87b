import type { Kysely } from 'kysely'
import type { Way } from '#domain/channel/rules.ts'
import type { EventMetadata } from '#domain/decider.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import type { TicketMessage } from '#domain/ticket/message.ts'
import { lastInboundMessages } from '#domain/ticket/message-window.ts'
import { streamOf } from '#domain/ticket/rules.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Database, OutboxRow } from '#projections/database.ts'
import type { Channel, Recipient } from '../channels/channel.ts'
import type { ContactKeys } from '../crypto/contact-keys.ts'
import { decodeEvents } from '../event-store/event-codec.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { type Names, worded } from '../outbound/recipient.ts'
import type { LoadTicket } from '../ticket/ticket-repository.ts'

type Deps = { db: Kysely<Database>; eventStore: EventStore; contactKeys: ContactKeys; load: LoadTicket }

/** `numberSince`: since when the connection has another number than before. */
export type Addressee = { to: Recipient; names: Names; way: Way; numberSince: string | null }

/**
 * Does at the channel what was done to a message. It says what is so by now, not what was so then: late, twice or out of turn does no harm.
 * Of a message that never left there is nothing to say, for a send that was refused stays refused, and one that was edited before its first
 * attempt left as it now reads. Of one that may have arrived everything is said.
 */
export async function tell(row: OutboxRow, message: TicketMessage, channel: Channel, { to, names }: Addressee, deps: Deps): Promise<void> {
  const { kind, externalId } = row
  if (kind === 'read') return receipt(row, message, channel, to, deps)
  if (!(await mayHaveLeft(row, message, deps))) return
  if (kind === 'remove') return channel.remove(to, externalId)
  if (message.removed) return // its removal stands behind
  if (kind === 'react') return channel.react(to, externalId, message.reactions.us ?? '')
  const [edit, ...since] = await factsFrom(row, deps)
  const begun = since.some((fact) => fact.type === 'MessageDispatched' && fact.messageId === row.messageId && fact.attempt === 1)
  const words = begun ? null : newestWords(row.messageId, [edit!, ...since])
  if (words !== null) await channel.edit(to, externalId, worded(words, names, true))
}

/** Up to the message that was the last one then; what came since may not have been read. An older receipt gives way to a newer one. */
async function receipt(
  { companyId, ticketId, n }: OutboxRow,
  { revision }: TicketMessage,
  channel: Channel,
  to: Recipient,
  { db, load }: Deps,
): Promise<void> {
  const newer = db.selectFrom('outbox').select('n').where('ticketId', '=', ticketId).where('kind', '=', 'read').where('n', '>', n)
  if (await newer.limit(1).executeTakeFirst()) return
  const ticket = await load(companyId, ticketId, { heardTo: [revision] })
  const theirs = 'since' in ticket ? lastInboundMessages(ticket, revision).filter(({ removed }) => !removed) : []
  const latest = theirs.map(({ externalId }) => externalId) // a provider is not troubled by a receipt it has had
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

const bearing = new Set(['MessageEdited', 'MessageDispatched', 'MessageAccepted'])
/** The fact that asked for it, and what may bear on it since. */
export async function factsFrom(
  { companyId, ticketId, revision }: Pick<OutboxRow, 'companyId' | 'ticketId' | 'revision'>,
  { eventStore, contactKeys }: Pick<Deps, 'eventStore' | 'contactKeys'>,
): Promise<(TicketEvent & EventMetadata)[]> {
  const { events } = await eventStore.read(streamOf(companyId, ticketId), BigInt(revision))
  return decodeEvents<TicketEvent>(
    ticketStream,
    events.filter(({ type }, i) => i === 0 || bearing.has(type)),
    contactKeys,
  )
}

/** The words of a message as it was last edited; null: it was not. */
export function newestWords(messageId: number, events: TicketEvent[]): string | null {
  const edit = events.findLast((fact) => fact.type === 'MessageEdited' && fact.messageId === messageId)
  return edit?.type === 'MessageEdited' ? edit.body : null
}
