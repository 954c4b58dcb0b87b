import { type MergeSpan, wereOnePerson } from '#domain/contact/merge.ts'
import type { Actor } from '../decider.ts'
import type { TicketEvent } from './events.ts'

type Fact = { type: TicketEvent['type']; by: Actor; at: string; stream: string; messageId?: number; private?: boolean }

/**
 * Follows to which contact each message of a ticket belongs: the one who wrote it, or who had written last before it was sent. That is another
 * contact than the ticket's own if the two were merged at that time (A-MERGE-01). Internal notes belong to the ticket's contact. `merges`: of all
 * contacts of the tickets.
 */
export function createMessageParties(merges: readonly MergeSpan[]) {
  /** By stream: who wrote last, if that is another contact. */
  const writers = new Map<string, number>()
  /** By message. */
  const parties = new Map<number, number>()
  return {
    parties,
    /** Takes the next event of a ticket of this contact. Returns the other contact to whom its message belongs, or null. */
    take({ type, by, at, stream, messageId, private: hidden }: Fact, contactId: number): number | null {
      if (messageId === undefined) return null
      if (type === 'MessageReceived') {
        if (by.kind === 'contact' && by.id !== contactId) writers.set(stream, by.id)
        else writers.delete(stream)
      }
      const isSent = (type === 'MessageSent' && hidden !== true) || type === 'MessageSentExternally'
      const writer = writers.get(stream)
      const isWriters = type === 'MessageReceived' || (isSent && writer !== undefined && wereOnePerson(merges, writer, contactId, at))
      if (writer !== undefined && isWriters) parties.set(messageId, writer)
      return parties.get(messageId) ?? null
    },
  }
}
