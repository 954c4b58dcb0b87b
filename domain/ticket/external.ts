import type { Decide } from '#domain/decider.ts'
import { refuse } from '#domain/errors.ts'
import { existing, type Opening, opened } from './attendance.ts'
import type { About, Content, Media, TicketEvent } from './events.ts'
import { comesLate, edited, type QuotedMessage, quoting, type TicketMessage } from './message.ts'
import { isOneEmoji } from './rules.ts'
import type { Ticket } from './ticket.ts'

/** Actions on the company's own phone or in the provider's own inbox. They are done there already, so nothing is sent. */
export type ExternalCommand =
  /** Without a ticket, this message opens one. */
  | ({
      type: 'SendExternally'
      externalId: string
      quotedExternalId: string | null
      earlier?: QuotedMessage
      opening: Opening
      forwarded?: true
      about?: About
    } & Omit<Content, 'quotedId' | 'quote'>)
  | { type: 'RemoveExternally'; externalId: string }
  | { type: 'EditExternally'; externalId: string; body: string; media?: Media }
  | { type: 'ReactExternally'; externalId: string; emoji: string }

export const external: Decide<Ticket, ExternalCommand, TicketEvent> = {
  SendExternally: (ticket, { opening, externalId, quotedExternalId, earlier, messageId, kind, body, media, vCard, forwarded, about }) => {
    const now = ticket.status === 'absent' ? null : existing(ticket)
    if (now?.usedIds.has(externalId)) return []
    if (now?.status === 'closed') refuse('ERR_TICKET_NOT_OPEN')
    const quoted = quoting(now?.usedIds, quotedExternalId, earlier)
    const queueId = now ? now.queueId : opening.queueId
    return [
      ...(now ? [] : opened(opening)),
      {
        type: 'MessageSentExternally',
        externalId,
        messageId,
        kind,
        body,
        media,
        vCard,
        ...quoted,
        queueId,
        ...(forwarded && { forwarded }),
        ...(about && { about }),
      },
    ]
  },

  RemoveExternally: (ticket, { externalId }) => {
    const [found] = ours(ticket, [externalId])
    return found && !found.message.removed ? [{ type: 'MessageRemoved', messageId: found.messageId, from: 'us' }] : []
  },
  EditExternally: (ticket, { externalId, ...edit }) => ours(ticket, [externalId]).flatMap((found) => edited(found, edit)),
  ReactExternally: (ticket, { externalId, emoji, occurredAt }) => {
    if (ticket.status === 'absent' || ticket.status === 'deleted') return []
    const messageId = ticket.usedIds.get(externalId)
    const message = messageId === undefined ? undefined : ticket.messages.get(messageId)
    if (messageId === undefined || !message || message.removed || comesLate(message.reactedAt?.us, occurredAt)) return []
    const was = message.reactions.us
    if (emoji === '') return was === undefined ? [] : [{ type: 'ReactionRemoved', messageId, from: 'us' }]
    return was === emoji || !isOneEmoji(emoji) ? [] : [{ type: 'MessageReacted', messageId, emoji, from: 'us' }]
  },
}

/** Finds our messages by provider ids, each once. */
export function ours(ticket: Ticket, externalIds: string[]): { messageId: number; message: TicketMessage }[] {
  if (ticket.status === 'absent' || ticket.status === 'deleted') return []
  const list = new Set(externalIds.flatMap((id) => ticket.usedIds.get(id) ?? []))
  return [...list].flatMap((messageId) => {
    const message = ticket.messages.get(messageId)
    return message?.from === 'us' ? [{ messageId, message }] : []
  })
}
