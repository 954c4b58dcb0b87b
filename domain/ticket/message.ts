import type { Content, Kind, Media, Quote, Side } from './events.ts'

export type TicketMessage = {
  from: Side
  userId: number | null
  at: string
  kind: Kind
  private: boolean
  removed: boolean
  externalId: string
  /** The revision of the event that created it. */
  revision: number
  /** How many messages the contact had written so far, including this one unless it is imported. */
  inboundCount: number
  /** The pseudonym of the group participant who wrote it. */
  author: string | null
  /** The contact from or to whom it goes, if that is not the ticket's own: one that was merged with it (A-MERGE-01). */
  contactId?: number
  /** 0 waiting, 1 accepted by the channel, 2 delivered, 3 read, 5 played (R-INBOX-20). */
  ack: number
  /** Sending failed. */
  failed?: boolean
  /** It cannot be decrypted yet. */
  undecryptable?: boolean
  /** When it was last edited, by the provider's clock. */
  editedAt?: string
  /** The message that resent this one. */
  sentAgain: number | null
  /** Emoji by reactor: `us`, `contact` or a group participant. */
  reactions: Readonly<Record<string, string>>
  /** When each reactor last set or removed a reaction, by the provider's clock. */
  reactedAt?: Readonly<Record<string, string>>
}

/** Shared by all messages without reactions. */
const none = {}

export function newMessage(
  now: { revision: number; inboundCount: number; writerId: number | null },
  from: Side,
  userId: number | null,
  at: string,
  kind: Kind,
  hidden: boolean,
  externalId: string,
): TicketMessage {
  return {
    revision: now.revision + 1,
    inboundCount: now.inboundCount + (from === 'contact' ? 1 : 0),
    from,
    userId,
    at,
    kind,
    private: hidden,
    removed: false,
    externalId,
    author: null,
    ...(now.writerId !== null && { contactId: now.writerId }),
    ack: 0,
    sentAgain: null,
    reactions: none,
  }
}

/** Providers redeliver unacknowledged events. A change that is older than the newest one is ignored. */
export const comesLate = (newest: string | undefined, occurredAt: string | undefined): boolean =>
  newest !== undefined && occurredAt !== undefined && Date.parse(occurredAt) < Date.parse(newest)

type Edited = { type: 'MessageEdited'; messageId: number; body: string; media?: Media }
/** The events of an edit that a provider reports. */
export function edited(
  { messageId, message: { removed, editedAt } }: { messageId: number; message: TicketMessage },
  { body, media, occurredAt }: { body: string; media?: Media; occurredAt?: string },
): Edited[] {
  return removed || comesLate(editedAt, occurredAt) ? [] : [{ type: 'MessageEdited', messageId, body, ...(media && { media }) }]
}

/** Sets a reaction; `emoji` null: removes it. */
export function reacted(message: TicketMessage, who: string, emoji: string | null, occurredAt?: string): TicketMessage {
  const { [who]: _, ...others } = message.reactions
  const reactions = emoji === null ? others : { ...others, [who]: emoji }
  return { ...message, reactions, ...(occurredAt && { reactedAt: { ...message.reactedAt, [who]: occurredAt } }) }
}

/** A quoted message of an earlier ticket of the same contact. */
export type QuotedMessage = { messageId: number; quote: Quote }
type Quoting = Pick<Content, 'quotedId' | 'quote'>
export const quotingEarlier = ({ messageId, quote }: QuotedMessage): Quoting => ({ quotedId: messageId, quote })
/** Resolves a quote by the provider's id: a message of this ticket, otherwise one of an earlier ticket. */
export function quoting(
  usedIds: ReadonlyMap<string, number> | undefined,
  externalId: string | null,
  earlier: QuotedMessage | undefined,
): Quoting {
  const quotedId = (externalId && usedIds?.get(externalId)) || null
  return quotedId === null && earlier ? quotingEarlier(earlier) : { quotedId }
}
