import type { Decide } from '#domain/decider.ts'
import { existing, type Opening, opened } from './attendance.ts'
import type { Author, Content, Participant, Side, TicketEvent } from './events.ts'
import { type QuotedMessage, quoting } from './message.ts'
import type { Ticket } from './ticket.ts'

/** Messages from before a number was linked go to a ticket of their own, without notifications (A-IMP-04). */
export type ImportCommand =
  | ({
      type: 'Import'
      externalId: string
      from: Side
      participant: Participant | null
      quotedExternalId: string | null
      /** The quoted message, if it belongs to another ticket. */
      earlier?: QuotedMessage
      opening: Opening
    } & Author &
      Omit<Content, 'quotedId' | 'quote'>)
  /** The import is complete. The caller has claimed the active ticket of the contact for this ticket. */
  | { type: 'EndImport'; queueId: number | null }

export const importing: Decide<Ticket, ImportCommand, TicketEvent> = {
  Import: (ticket, { opening, externalId, from, participant, author, quotedExternalId, earlier, messageId, kind, body, media, vCard }) => {
    const now = ticket.status === 'absent' ? null : existing(ticket)
    if (now?.usedIds.has(externalId)) return []
    const content = { messageId, kind, body, media, vCard, ...quoting(now?.usedIds, quotedExternalId, earlier), queueId: opening.queueId }
    return [
      ...(now ? [] : opened({ ...opening, imported: true })),
      { type: 'MessageImported', externalId, from, participant, author, ...content },
    ]
  },
  EndImport: (ticket, { queueId }) => (existing(ticket).status === 'closed' ? [{ type: 'TicketImported', queueId }] : []),
}
