import type { Content, Kind, Media, Quote, Side } from './events.ts'

export type TicketMessage = {
  from: Side
  userId: number | null
  at: string
  kind: Kind
  private: boolean
  removed: boolean
  externalId: string
  /** The revision of the fact that brought it. */
  revision: number
  /** How many messages the contact had written when it was said, with this one where it is theirs and came since the number was linked. */
  heard: number
  /** Which participant of a group wrote it. */
  author: string | null
  /** 0 waits, 1 taken by the channel, 2 delivered, 3 read, 5 played (R-INBOX-20). */
  ack: number
  /** It did not arrive, as far as anybody knows. */
  failed?: boolean
  /** Nobody can read it yet. */
  undecryptable?: boolean
  /** When its newest words were written, as its provider tells. */
  editedAt?: string
  /** The message as which it was sent once more. */
  sentAgain: number | null
  /** By who reacted: `us`, `contact`, or a participant of a group. */
  reactions: Readonly<Record<string, string>>
  /** When each of them did so last, or took it back, as the provider tells. */
  reactedAt?: Readonly<Record<string, string>>
}

/** Most messages have none. */
const none = {}

export function newMessage(
  now: { revision: number; heard: number },
  from: Side,
  userId: number | null,
  at: string,
  kind: Kind,
  hidden: boolean,
  externalId: string,
): TicketMessage {
  return {
    revision: now.revision + 1,
    heard: now.heard + (from === 'contact' ? 1 : 0),
    from,
    userId,
    at,
    kind,
    private: hidden,
    removed: false,
    externalId,
    author: null,
    ack: 0,
    sentAgain: null,
    reactions: none,
  }
}

/** Providers tell again what was not taken: what was done before the newest comes late then, and changes nothing. */
export const comesLate = (newest: string | undefined, occurredAt: string | undefined): boolean =>
  newest !== undefined && occurredAt !== undefined && Date.parse(occurredAt) < Date.parse(newest)

type Edited = { type: 'MessageEdited'; messageId: number; body: string; media?: Media }
/** What a provider tells of an edit. */
export function edited(
  { messageId, message: { removed, editedAt } }: { messageId: number; message: TicketMessage },
  { body, media, occurredAt }: { body: string; media?: Media; occurredAt?: string },
): Edited[] {
  return removed || comesLate(editedAt, occurredAt) ? [] : [{ type: 'MessageEdited', messageId, body, ...(media && { media }) }]
}

/** `emoji`: null where it was taken back. */
export function reacted(message: TicketMessage, who: string, emoji: string | null, occurredAt?: string): TicketMessage {
  const { [who]: _, ...others } = message.reactions
  const reactions = emoji === null ? others : { ...others, [who]: emoji }
  return { ...message, reactions, ...(occurredAt && { reactedAt: { ...message.reactedAt, [who]: occurredAt } }) }
}

/** A message of an earlier ticket of the same contact, which somebody quotes. */
export type QuotedMessage = { messageId: number; quote: Quote }
type Quoting = Pick<Content, 'quotedId' | 'quote'>
export const quotingEarlier = ({ messageId, quote }: QuotedMessage): Quoting => ({ quotedId: messageId, quote })
/** What is quoted by the provider's id: a message of this ticket before one of an earlier. */
export function quoting(
  spent: ReadonlyMap<string, number> | undefined,
  externalId: string | null,
  earlier: QuotedMessage | undefined,
): Quoting {
  const quotedId = (externalId && spent?.get(externalId)) || null
  return quotedId === null && earlier ? quotingEarlier(earlier) : { quotedId }
}
