import { type Kysely, sql } from 'kysely'
import { streamName } from '#domain/stream.ts'
import { createMessageParties } from '#domain/ticket/message-parties.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
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
  const { rows } = await sql<{ id: number; contactId: number }>`
    with recursive known as (
      select unnest(${contacts}::int[]) as id
      union select case when m.source_id = k.id then m.target_id else m.source_id end
        from contact_merge m join known k on k.id in (m.source_id, m.target_id) where m.company_id = ${companyId}
    ) select t.id, t.contact_id from ticket t where t.company_id = ${companyId} and t.contact_id in (select id from known)
      and exists (select from contact_merge m where m.source_id = any(${contacts}::int[]) or m.target_id = any(${contacts}::int[]))
      order by t.id`.execute(db)
  const found = new Map<number, ReadonlyMap<number, number>>()
  for (const { id, contactId } of rows) {
    const { take, parties } = createMessageParties()
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
