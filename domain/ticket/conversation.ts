import { can } from '#domain/channel/rules.ts'
import type { Actor, Decide, EventMetadata } from '#domain/decider.ts'
import { refuse } from '#domain/errors.ts'
import type { Interactive } from '#domain/interactive/rules.ts'
import { existing, type Opening, opened } from './attendance.ts'
import type { Consent } from './consent.ts'
import { consentAsked, consentFrom, type Reply } from './consenting.ts'
import type { About, Author, Content, Media, Participant, TemplateSent, TicketEvent } from './events.ts'
import { ours } from './external.ts'
import { type LanesBack, movedBack } from './lane.ts'
import { comesLate, edited, type QuotedMessage, quoting, type TicketMessage } from './message.ts'
import { answersIt, goesOn, ratingFrom } from './rating.ts'
import { editWindow, isOneEmoji, reactor } from './rules.ts'
import { heardBy, type Present, type Ticket } from './ticket.ts'

export type ConversationCommand =
  /** A contact wrote. Where there is no ticket yet, it opens with this message, in one append. */
  | ({
      type: 'Receive'
      externalId: string
      participant: Participant | null
      quotedExternalId: string | null
      /** What it quotes, where that stands in an earlier ticket. */
      earlier?: QuotedMessage
      opening: Opening
      /** Closed no longer ago than that, it goes on in this queue (A-EXP-04). */
      resumes?: { withinMs: number; queueId: number | null }
      /** What the contact is told where this begins a conversation, until they have accepted it (A-LGPD-01). */
      consent?: Consent
      /** How often a rating is asked for (A-NPS-02). */
      mostRatings?: number
      lanesBack?: LanesBack
      /** Said to somebody else before (A-MSG-08). */
      forwarded?: true
      /** Nobody can read it yet; it comes again. */
      undecryptable?: true
      about?: About
    } & Partial<Author> &
      Omit<Content, 'quotedId' | 'quote'>)
  | ({
      type: 'Send'
      externalId: string
      clientId: string
      private: boolean
      forwarded: boolean
      seen: number | null
      /** The agent saw what was answered meanwhile and sends all the same. */
      anyway: boolean
      admin: boolean
      /** The act it belongs to: undone, it is not said (A-TICKET-07). */
      act?: number
      aside?: true
      again?: number
      template?: TemplateSent
      interactive?: Interactive
    } & Content)
  | { type: 'Dispatch'; messageId: number; attempt: number }
  | { type: 'Accepted'; messageId: number; providerId?: string }
  | { type: 'Mark'; mark: 'delivered' | 'read' | 'played'; externalIds: string[] }
  /** `partly`: some of it is there, and was perhaps told of already. */
  | { type: 'Fail'; messageId: number; code: string; partly?: true }
  /** The channel had taken them, and they did not arrive. */
  | { type: 'NotDelivered'; externalIds: string[]; code: string; partly?: true }
  | { type: 'Doubt'; messageId: number }
  | { type: 'Edit'; messageId: number; body: string; admin: boolean }
  | { type: 'Remove'; messageId: number; admin: boolean }
  | { type: 'React'; messageId: number; emoji: string; admin: boolean }
  /** What a contact does to an earlier message, named by the provider's id. */
  | ({ type: 'ContactRemoves'; externalId: string; empties: boolean } & Partial<Author>)
  | ({ type: 'ContactEdits'; externalId: string; body: string; media?: Media } & Partial<Author>)
  | ({ type: 'ContactReacts'; externalId: string; emoji: string; participant?: Participant } & Partial<Author>)
  | { type: 'AddNote'; noteId: number; note: string }
  | { type: 'RemoveNote'; noteId: number; admin: boolean }

const levels = {
  delivered: [2, 'MessagesDelivered'],
  read: [3, 'MessagesRead'],
  played: [5, 'MessagesPlayed'],
} as const

export const conversation: Decide<Ticket, ConversationCommand, TicketEvent> = {
  Receive: (ticket, { opening, resumes, consent, mostRatings = 3, lanesBack = {}, quotedExternalId, earlier, at, ...message }) => {
    const { messageId, externalId, participant, author = null, kind, body, media, vCard, forwarded, undecryptable, about } = message
    const fresh = ticket.status === 'absent'
    const now = fresh ? null : existing(ticket)
    if (now?.spent.has(externalId)) {
      const facts = decrypted(now, message, quoting(now.spent, quotedExternalId, earlier))
      const { revision = 0 } = now.messages.get(now.spent.get(externalId)!) ?? {}
      if (facts.length === 0) return []
      const on = answersIt(now, revision) ? goesOn(now, message) : []
      return [...facts, ...(on.length > 0 ? on : answering(now, revision, { ...message, at }, consent, mostRatings))]
    }
    const ended = now?.status === 'closed'
    const resumed = now ? (ended ? resuming(now, resumes, at) : goesOn(now, message)) : []
    const wrote = (now?.revision ?? -1) + resumed.length + 1
    const queueId = resumed[0] ? resumed[0].queueId : now ? now.queueId : opening.queueId
    return [
      ...(fresh ? opened(opening) : resumed),
      {
        type: 'MessageReceived',
        ...{ messageId, externalId, participant, author, kind, body, media, vCard },
        ...quoting(now?.spent, quotedExternalId, earlier),
        queueId,
        ...(forwarded && { forwarded }),
        ...(undecryptable && { undecryptable }),
        ...(about && { about }),
      },
      ...(consent && (fresh || ended) ? consentAsked(consent) : []),
      ...(now && resumed.length === 0 && !undecryptable ? answering(now, wrote, { ...message, at }, consent, mostRatings) : []),
      ...(now ? movedBack(resumed.length > 0 ? { ...now, status: ended ? 'pending' : 'open' } : now, lanesBack, wrote) : []),
    ]
  },

  Send: (ticket, { anyway, admin, by, seen, act, ...message }) => {
    const now = existing(ticket)
    const {
      messageId,
      externalId,
      clientId,
      private: hidden,
      forwarded,
      kind,
      body,
      media,
      vCard,
      quotedId,
      quote,
      aside,
      again,
      template,
      interactive,
    } = message
    if (now.spent.has(clientId)) return []
    if (act !== undefined && now.undone.includes(act)) return []
    if (body.trim() === '' && !media && !vCard) refuse('ERR_INVALID_INPUT')
    if (aside && now.status === 'closed') refuse('ERR_TICKET_NOT_OPEN')
    if (again !== undefined && find(now, again).sentAgain !== null) return [] // once, from however many screens
    if (again !== undefined) undelivered(now, again)
    if (!hidden && !aside && by.kind === 'user') mayAnswer(now, by, admin)
    if (!hidden && !anyway && seen !== null) unanswered(now, by, seen)
    if (quotedId !== null && !quote && find(now, quotedId).private && !hidden) refuse('ERR_FETCH_WAPP_MSG') // what only we read, only we quote
    const serves = by.kind !== 'user' || now.group || now.userId === by.id
    const left =
      hidden || aside || !serves || seen === null || by.kind !== 'user' ? 0 : Math.min(now.unread, now.heard - heardBy(now, seen))
    return [
      {
        type: 'MessageSent',
        ...{ messageId, externalId, clientId, private: hidden, forwarded, seen, kind, body, media, vCard, quotedId },
        ...(quote && { quote }),
        ...(aside && { aside }),
        ...(again !== undefined && { again }),
        ...(template && { template }),
        ...(interactive && { interactive }),
        queueId: now.queueId,
        ...(act !== undefined && { act }),
        ...(left > 0 && { left }),
        ...(!hidden && !aside && !serves && { reads: false as const }),
      },
    ]
  },

  Dispatch: (ticket, { messageId, attempt }) => (waits(ticket, messageId) ? [{ type: 'MessageDispatched', messageId, attempt }] : []),
  Accepted: (ticket, { messageId, providerId }) =>
    waits(ticket, messageId) ? [{ type: 'MessageAccepted', messageId, ...(providerId !== undefined && { providerId }) }] : [],
  Fail: (ticket, { messageId, code, partly }) =>
    waits(ticket, messageId, partly && Number.POSITIVE_INFINITY) ? [{ type: 'MessageFailed', messageId, code }] : [],
  NotDelivered: (ticket, { externalIds, code, partly }) =>
    ours(ticket, externalIds)
      .filter(({ message }) => (partly || message.ack < 2) && !message.failed)
      .map(({ messageId }) => ({ type: 'MessageFailed', messageId, code })),
  Doubt: (ticket, { messageId }) => (waits(ticket, messageId) ? [{ type: 'MessageUncertain', messageId }] : []),

  Mark: (ticket, { mark, externalIds }) => {
    const [level, type] = levels[mark]
    const messageIds = ours(ticket, externalIds)
      .filter(({ message }) => message.ack < level)
      .map(({ messageId }) => messageId)
    return messageIds.length === 0 ? [] : [{ type, messageIds }]
  },

  Edit: (ticket, { messageId, body, admin, by, at }) => {
    const now = existing(ticket)
    const message = own(now, messageId, by, admin)
    if (message.kind !== 'chat' || body.trim() === '') refuse('ERR_INVALID_INPUT')
    if (!message.private && !can[now.channel].edit) refuse('ERR_CHANNEL_CANNOT')
    if (Date.parse(at) - Date.parse(message.at) > editWindow) refuse('ERR_MESSAGE_TOO_OLD')
    return [{ type: 'MessageEdited', messageId, body }]
  },

  Remove: (ticket, { messageId, admin, by }) => {
    const now = existing(ticket)
    const message = find(now, messageId)
    if (message.removed) return []
    own(now, messageId, by, admin)
    if (!message.private && !message.failed && !can[now.channel].remove) refuse('ERR_CHANNEL_CANNOT')
    return [{ type: 'MessageRemoved', messageId, from: 'us' }]
  },

  /** One reaction a side and message; the same emoji again takes it back (A-MSG-06). */
  React: (ticket, { messageId, emoji, admin, by }) => {
    const now = existing(ticket)
    const message = find(now, messageId)
    if (message.removed || message.private) refuse('ERR_FETCH_WAPP_MSG')
    mayAnswer(now, by, admin)
    if (message.reactions.us === emoji) return [{ type: 'ReactionRemoved', messageId, from: 'us' }]
    return isOneEmoji(emoji) ? [{ type: 'MessageReacted', messageId, emoji, from: 'us' }] : refuse('ERR_INVALID_INPUT', { field: 'type' })
  },

  ContactRemoves: (ticket, { externalId, empties, author = null }) => {
    const found = theirs(ticket, externalId, author)
    if (!found || found.message.removed) return []
    return [{ type: 'MessageRemoved', messageId: found.messageId, from: 'contact', ...(empties && { emptied: true }) }]
  },
  ContactEdits: (ticket, { externalId, author = null, ...edit }) => {
    const found = theirs(ticket, externalId, author)
    return found ? edited(found, edit) : []
  },
  ContactReacts: (ticket, { externalId, emoji, participant, author = null, occurredAt }) => {
    if (ticket.status === 'absent' || ticket.status === 'deleted') return []
    const messageId = ticket.spent.get(externalId)
    const message = messageId === undefined ? undefined : ticket.messages.get(messageId)
    if (messageId === undefined || message?.removed) return []
    const who = { from: 'contact' as const, ...(author !== null && { author }) }
    if (comesLate(message?.reactedAt?.[reactor(who)], occurredAt)) return []
    const was = message?.reactions[reactor(who)]
    if (emoji === '') return was === undefined ? [] : [{ type: 'ReactionRemoved', messageId, ...who }]
    if (was === emoji || !isOneEmoji(emoji)) return []
    return [{ type: 'MessageReacted', messageId, emoji, ...who, ...(participant && { participant }) }]
  },

  AddNote: (ticket, { noteId, note }) => {
    const { notes } = existing(ticket)
    return notes.has(noteId) ? [] : [{ type: 'NoteAdded', noteId, note }]
  },
  RemoveNote: (ticket, { noteId, admin, by }) => {
    const note = existing(ticket).notes.get(noteId) ?? refuse('ERR_NO_NOTE_FOUND')
    if (!admin && !(by.kind === 'user' && by.id === note.userId)) refuse('ERR_NO_PERMISSION') // A-NOTE-01
    return [{ type: 'NoteRemoved', noteId }]
  },
}

/** What follows from what a contact says where something was asked of them; a call says nothing. */
function answering(now: Present, wrote: number, reply: Reply, consent: Consent | undefined, mostRatings: number): TicketEvent[] {
  if (reply.kind === 'call_log') return []
  if (now.status === 'lgpd') return consentFrom(now, wrote, reply, consent)
  return now.status === 'nps' && answersIt(now, wrote) ? ratingFrom(now, reply.kind, reply.body, mostRatings) : []
}
/** A-EXP-04. Where a transfer closed it, it goes on in its successor. */
function resuming({ closedAt, successor }: Present, resumes: { withinMs: number; queueId: number | null } | undefined, at: string) {
  const soon = resumes && closedAt !== null && !successor && Date.parse(at) - Date.parse(closedAt) <= resumes.withinMs
  return soon ? [{ type: 'TicketResumed' as const, queueId: resumes.queueId, rule: 'A-EXP-04' }] : refuse('ERR_TICKET_NOT_OPEN')
}

/** A-TICKET-21: the owner or an admin in an open ticket, anyone who sees it in a group. */
export function mayAnswer({ status, userId }: Pick<Present, 'status' | 'userId'>, by: EventMetadata['by'], admin: boolean): void {
  if (status === 'group') return
  if (status !== 'open') refuse('ERR_SENDING_WAPP_MSG')
  if (!admin && !(by.kind === 'user' && by.id === userId)) refuse('ERR_NO_PERMISSION')
}
/** The stale-reply guard: another answer went out after what this agent had on screen. */
function unanswered({ answered }: Present, by: Actor, seen: number): void {
  const mine = by.kind === 'user' && answered?.userId === by.id
  if (answered && answered.revision > seen && !mine) refuse('ERR_TICKET_CHANGED', { userId: answered.userId, revision: answered.revision })
}
const find = ({ messages }: Present, messageId: number): TicketMessage => messages.get(messageId) ?? refuse('ERR_FETCH_WAPP_MSG')
/** R-MSG-05, A-MSG-04: the sender's own, or any of ours for an admin; never one that is gone. */
function own(ticket: Present, messageId: number, by: Actor, admin: boolean): TicketMessage {
  const message = find(ticket, messageId)
  if (message.from !== 'us' || !(admin || (by.kind === 'user' && by.id === message.userId))) refuse('ERR_NO_PERMISSION')
  return message.removed ? refuse('ERR_FETCH_WAPP_MSG') : message
}
/** What is sent once more is ours, and nobody knows that it arrived. */
function undelivered(ticket: Present, messageId: number): void {
  const { from, ack, removed } = find(ticket, messageId)
  if (from !== 'us' || ack > 0 || removed) refuse('ERR_FETCH_WAPP_MSG')
}
function waits(ticket: Ticket, messageId: number, mostAck = 0): boolean {
  const message = ticket.status === 'absent' || ticket.status === 'deleted' ? undefined : ticket.messages.get(messageId)
  return message !== undefined && message.ack <= mostAck && !message.failed
}
type Incoming = Omit<Content, 'quotedId'> & { externalId: string; forwarded?: true; undecryptable?: true }
/** What is told under an id that is spent is told twice, or is what a message says that nobody could read. */
function decrypted(
  { spent, messages }: Present,
  { externalId, kind, body, media, vCard, forwarded, undecryptable }: Incoming,
  quoted: Pick<Content, 'quotedId' | 'quote'>,
): TicketEvent[] {
  const messageId = spent.get(externalId)!
  if (undecryptable || !messages.get(messageId)?.undecryptable) return []
  return [{ type: 'MessageDecrypted', messageId, kind, body, media, vCard, ...quoted, ...(forwarded && { forwarded }) }]
}
/** A message of the contact; in a group of the same participant, for nobody edits or deletes another's. */
function theirs(ticket: Ticket, externalId: string, author: string | null): { messageId: number; message: TicketMessage } | null {
  if (ticket.status === 'absent' || ticket.status === 'deleted') return null
  const messageId = ticket.spent.get(externalId)
  const message = messageId === undefined ? undefined : ticket.messages.get(messageId)
  return messageId !== undefined && message?.from === 'contact' && message.author === author ? { messageId, message } : null
}
