import type { Kysely, SelectQueryBuilder } from 'kysely'
import { streamName } from '#domain/stream.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Database } from '#projections/database.ts'
import type { ContactKeys } from '../crypto/contact-keys.ts'
import { decodeEvents } from '../event-store/event-codec.ts'
import type { EventStore } from '../event-store/event-store.ts'
import type { Deadlines } from '../scheduler/deadlines.ts'
import { infiniteRetryAttempts, job } from '../scheduler/jobs.ts'
import type { MediaStore } from '../storage/media.ts'
import type { ActiveTicketRegistry } from './active-ticket-registry.ts'
import { type Deps as SayDeps, sendFarewell, sendRatingRequest, sendTransferText } from './system-messages.ts'
import { fireTimeout, type Deps as WaitDeps } from './timeouts.ts'

/**
 * Deadlines of a ticket: texts that are sent once the action can no longer be undone, and the inactivity
 * rules.
 */
export const ticketDeadlines: Deadlines<SayDeps & WaitDeps & { activeTickets: ActiveTicketRegistry }> = {
  farewell: sendFarewell,
  transferText: sendTransferText,
  rating: sendRatingRequest,
  inactivity: fireTimeout,
}

export type MediaDeps = { db: Kysely<Database>; eventStore: EventStore; contactKeys: ContactKeys; media: MediaStore }

/**
 * Removes the files of a deleted ticket, unless another message or a list row of the company uses them
 * (A-TICKET-12).
 */
export const forgetMedia = job<MediaDeps>()<{ companyId: number; ticketId: number }>('forget-media', {
  attempts: infiniteRetryAttempts,
  queue: 'quick',
  async run({ companyId, ticketId }, { db, eventStore, contactKeys, media }) {
    const events = await decodeEvents<TicketEvent>(
      ticketStream,
      (await eventStore.read(streamName(ticketStream, companyId, ticketId))).events,
      contactKeys,
    )
    for (const key of new Set(events.flatMap((event) => ('media' in event && event.media ? [event.media.key] : []))))
      if (!(await isUsedBy(db, companyId, key, (message) => message.where('ticketId', '!=', ticketId)))) await media.forget(companyId, key)
  },
})

/**
 * Withdraws the file of a deleted message, so that only auditors can open it. A file that another message or
 * a list row uses stays (A-LGPD-03).
 */
export const withdrawMedia = job<MediaDeps>()<{ companyId: number; ticketId: number; messageId: number }>('withdraw-media', {
  attempts: infiniteRetryAttempts,
  queue: 'quick',
  async run({ companyId, ticketId, messageId }, { db, eventStore, contactKeys, media }) {
    const events = await decodeEvents<TicketEvent>(
      ticketStream,
      (await eventStore.read(streamName(ticketStream, companyId, ticketId))).events,
      contactKeys,
    )
    // attached at once, later, or by an edit
    const files = events.flatMap((event) => ('media' in event && event.messageId === messageId ? (event.media ?? []) : []))
    for (const key of new Set(files.map((file) => file.key)))
      if (!(await isUsedBy(db, companyId, key, (message) => message.where('id', '!=', messageId)))) await media.withdraw(companyId, key)
  },
})

type Messages = SelectQueryBuilder<Database, 'message', { id: number }>
/** Whether a message, of those that `among` leaves, or a list row shows the file. */
export async function isUsedBy(
  db: Kysely<Database>,
  companyId: number,
  key: string,
  among: (message: Messages) => Messages = (message) => message,
): Promise<boolean> {
  const message = db
    .selectFrom('message')
    .select('id')
    .where('companyId', '=', companyId)
    .where('media', 'is not', null)
    .where((eb) => eb(eb.ref('media', '->>').key('key' as never), '=', key as never))
  const ofRow = db.selectFrom('rowFile').select('rowId').where('companyId', '=', companyId).where('key', '=', key)
  return ((await among(message).limit(1).executeTakeFirst()) ?? (await ofRow.executeTakeFirst())) !== undefined
}
