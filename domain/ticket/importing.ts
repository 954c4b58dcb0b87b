import type { Decide } from '#domain/decider.ts'
import { existing, type Opening, opened } from './attendance.ts'
import type { Author, Content, Participant, Side, TicketEvent } from './events.ts'
import { type QuotedMessage, quoting } from './message.ts'
import type { Ticket } from './ticket.ts'

/** What was said before a number was linked comes into a ticket of its own, which nobody is told of (A-IMP-04). */
export type ImportCommand =
  | ({
      type: 'Import'
      externalId: string
      from: Side
      participant: Participant | null
      quotedExternalId: string | null
      /** What it quotes, where that stands in another ticket. */
      earlier?: QuotedMessage
      opening: Opening
    } & Author &
      Omit<Content, 'quotedId' | 'quote'>)
  /** That was all; whoever asks has seen to it that the contact's place is this ticket's. */
  | { type: 'EndImport'; queueId: number | null }

export const importing: Decide<Ticket, ImportCommand, TicketEvent> = {
  Import: (ticket, { opening, externalId, from, participant, author, quotedExternalId, earlier, messageId, kind, body, media, vCard }) => {
    const now = ticket.status === 'absent' ? null : existing(ticket)
    if (now?.spent.has(externalId)) return []
    const content = { messageId, kind, body, media, vCard, ...quoting(now?.spent, quotedExternalId, earlier), queueId: opening.queueId }
    return [
      ...(now ? [] : opened({ ...opening, imported: true })),
      { type: 'MessageImported', externalId, from, participant, author, ...content },
    ]
  },
  EndImport: (ticket, { queueId }) => (existing(ticket).status === 'closed' ? [{ type: 'TicketImported', queueId }] : []),
}
