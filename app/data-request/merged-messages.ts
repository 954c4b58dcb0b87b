import type { Kysely } from 'kysely'
import { streamName } from '#domain/stream.ts'
import { createMessageParties } from '#domain/ticket/message-parties.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { mergesAround } from '#projections/contact/person.ts'
import type { Database } from '#projections/database.ts'
import type { AppContext } from '../context.ts'
import { decodeEvent, type Meta } from '../event-store/event-codec.ts'

/** By ticket: the messages that belong to another contact than the ticket's own, with that contact. */
export type MergedMessages = ReadonlyMap<number, ReadonlyMap<number, number>>

/**
 * Finds the messages that were written or sent while contacts were merged, in the tickets of the person and of everyone with whom the person was
 * ever merged. The events name the writer; a ticket keeps its contact after the undo (A-MERGE-01).
 */
export async function mergedMessages(
  db: Kysely<Database>,
  eventStore: AppContext['eventStore'],
  companyId: number,
  contacts: readonly number[],
): Promise<MergedMessages> {
  const merges = await mergesAround(db, contacts)
  const known = [...new Set(merges.flatMap(({ sourceId, targetId }) => [sourceId, targetId]))]
  const tickets = db.selectFrom('ticket').select(['id', 'contactId']).where('companyId', '=', companyId)
  const found = new Map<number, ReadonlyMap<number, number>>()
  for (const { id, contactId } of await tickets
    .where('contactId', 'in', [0, ...known])
    .orderBy('id')
    .execute()) {
    const { take, parties } = createMessageParties(merges)
    const { events } = await eventStore.read(streamName(ticketStream, companyId, id))
    for (const event of events) take(decodeEvent(ticketStream, event, null), (event.meta as unknown as Meta).contactId ?? contactId)
    if (parties.size > 0) found.set(id, parties)
  }
  return found
}

/** The ids of the messages that belong to one of the contacts. */
export const messagesOf = (messages: ReadonlyMap<number, number> | undefined, contacts: readonly number[]): number[] =>
  [...(messages ?? [])].filter(([, contactId]) => contacts.includes(contactId)).map(([id]) => id)
/** The ids of the messages that belong to other contacts. */
export const messagesOfOthers = (messages: ReadonlyMap<number, number> | undefined, contacts: readonly number[]): number[] =>
  [...(messages ?? [])].filter(([, contactId]) => !contacts.includes(contactId)).map(([id]) => id)
