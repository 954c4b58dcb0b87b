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
import { inboundCountAt, type Present, type Ticket } from './ticket.ts'

export type ConversationCommand =
  /** A contact wrote. Without a ticket, this message opens one in the same append. */
  | ({
      type: 'Receive'
      externalId: string
      participant: Participant | null
      quotedExternalId: string | null
      /** The quoted message, if it belongs to an earlier ticket. */
      earlier?: QuotedMessage
      opening: Opening
      /** A ticket closed within this time is resumed in this queue (A-EXP-04). */
      resumes?: { withinMs: number; queueId: number | null }
      /** The privacy text, if this message begins a conversation and consent is missing (A-LGPD-01). */
      consent?: Consent
      /** How often a rating is requested at most (A-NPS-02). */
      mostRatings?: number
      lanesBack?: LanesBack
      /** The contact forwarded the message (A-MSG-08). */
      forwarded?: true
      /** The message cannot be decrypted yet; it will be sent again. */
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
      /** The agent saw the newer answer and sends anyway. */
      anyway: boolean
      admin: boolean
      /** The action that the message belongs to; an undone action sends nothing (A-TICKET-07). */
      actionRevision?: number
      aside?: true
      again?: number
      template?: TemplateSent
      interactive?: Interactive
    } & Content)
  | { type: 'Dispatch'; messageId: number; attempt: number }
  | { type: 'Accepted'; messageId: number; providerId?: string }
  | { type: 'Mark'; mark: 'delivered' | 'read' | 'played'; externalIds: string[] }
  /** `partly`: a part of the message arrived and may be acknowledged already. */
  | { type: 'Fail'; messageId: number; code: string; partly?: true }
  /** The channel accepted the messages but could not deliver them. */
  | { type: 'NotDelivered'; externalIds: string[]; code: string; partly?: true }
  | { type: 'Doubt'; messageId: number }
  | { type: 'Edit'; messageId: number; body: string; admin: boolean }
  | { type: 'Remove'; messageId: number; admin: boolean }
  | { type: 'React'; messageId: number; emoji: string; admin: boolean }
  /** A contact changes an earlier message, identified by the provider's id. */
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
    if (now?.usedIds.has(externalId)) {
      const events = decrypted(now, message, quoting(now.usedIds, quotedExternalId, earlier))
      const { revision = 0 } = now.messages.get(now.usedIds.get(externalId)!) ?? {}
      if (events.length === 0) return []
      const on = answersIt(now, revision) ? goesOn(now, message) : []
      return [...events, ...(on.length > 0 ? on : answering(now, revision, { ...message, at }, consent, mostRatings))]
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
        ...quoting(now?.usedIds, quotedExternalId, earlier),
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

  Send: (ticket, { anyway, admin, by, seen, actionRevision, ...message }) => {
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
    if (now.usedIds.has(clientId)) return []
    if (actionRevision !== undefined && now.undone.includes(actionRevision)) return []
    if (body.trim() === '' && !media && !vCard) refuse('ERR_INVALID_INPUT')
    if (aside && now.status === 'closed') refuse('ERR_TICKET_NOT_OPEN')
    if (again !== undefined && find(now, again).sentAgain !== null) return [] // resent once, even from several screens
    if (again !== undefined) undelivered(now, again)
    if (!hidden && !aside && by.kind === 'user') mayAnswer(now, by, admin)
    if (!hidden && !anyway && seen !== null) unanswered(now, by, seen)
    // a private message is quoted in private messages only
    if (quotedId !== null && !quote && find(now, quotedId).private && !hidden) refuse('ERR_FETCH_WAPP_MSG')
    const serves = by.kind !== 'user' || now.group || now.userId === by.id
    const left =
      hidden || aside || !serves || seen === null || by.kind !== 'user'
        ? 0
        : Math.min(now.unread, now.inboundCount - inboundCountAt(now, seen))
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
        ...(actionRevision !== undefined && { actionRevision }),
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

  /** One reaction per side and message; the same emoji again removes it (A-MSG-06). */
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
    const messageId = ticket.usedIds.get(externalId)
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

/** Handles a contact's message as an answer to a consent or rating request. A call is no answer. */
function answering(now: Present, wrote: number, reply: Reply, consent: Consent | undefined, mostRatings: number): TicketEvent[] {
  if (reply.kind === 'call_log') return []
  if (now.status === 'lgpd') return consentFrom(now, wrote, reply, consent)
  return now.status === 'nps' && answersIt(now, wrote) ? ratingFrom(now, reply.kind, reply.body, mostRatings) : []
}
/** A-EXP-04. A ticket that a transfer closed is not resumed, because it has a successor. */
function resuming({ closedAt, successor }: Present, resumes: { withinMs: number; queueId: number | null } | undefined, at: string) {
  const soon = resumes && closedAt !== null && !successor && Date.parse(at) - Date.parse(closedAt) <= resumes.withinMs
  return soon ? [{ type: 'TicketResumed' as const, queueId: resumes.queueId, rule: 'A-EXP-04' }] : refuse('ERR_TICKET_NOT_OPEN')
}

/** A-TICKET-21: the owner or an admin answers an open ticket; everyone who sees a group may answer it. */
export function mayAnswer({ status, userId }: Pick<Present, 'status' | 'userId'>, by: EventMetadata['by'], admin: boolean): void {
  if (status === 'group') return
  if (status !== 'open') refuse('ERR_SENDING_WAPP_MSG')
  if (!admin && !(by.kind === 'user' && by.id === userId)) refuse('ERR_NO_PERMISSION')
}
/** The stale-reply guard: refuses if another answer is newer than the agent's screen. */
function unanswered({ answered }: Present, by: Actor, seen: number): void {
  const mine = by.kind === 'user' && answered?.userId === by.id
  if (answered && answered.revision > seen && !mine) refuse('ERR_TICKET_CHANGED', { userId: answered.userId, revision: answered.revision })
}
const find = ({ messages }: Present, messageId: number): TicketMessage => messages.get(messageId) ?? refuse('ERR_FETCH_WAPP_MSG')
/** R-MSG-05, A-MSG-04: the agent's own message, or any of ours for an admin; never a deleted one. */
function own(ticket: Present, messageId: number, by: Actor, admin: boolean): TicketMessage {
  const message = find(ticket, messageId)
  if (message.from !== 'us' || !(admin || (by.kind === 'user' && by.id === message.userId))) refuse('ERR_NO_PERMISSION')
  return message.removed ? refuse('ERR_FETCH_WAPP_MSG') : message
}
/** Only our own messages without an acknowledgement can be resent. */
function undelivered(ticket: Present, messageId: number): void {
  const { from, ack, removed } = find(ticket, messageId)
  if (from !== 'us' || ack > 0 || removed) refuse('ERR_FETCH_WAPP_MSG')
}
function waits(ticket: Ticket, messageId: number, mostAck = 0): boolean {
  const message = ticket.status === 'absent' || ticket.status === 'deleted' ? undefined : ticket.messages.get(messageId)
  return message !== undefined && message.ack <= mostAck && !message.failed
}
type Incoming = Omit<Content, 'quotedId'> & { externalId: string; forwarded?: true; undecryptable?: true }
/** A repeated id is a duplicate, or brings the content of an undecryptable message. */
function decrypted(
  { usedIds, messages }: Present,
  { externalId, kind, body, media, vCard, forwarded, undecryptable }: Incoming,
  quoted: Pick<Content, 'quotedId' | 'quote'>,
): TicketEvent[] {
  const messageId = usedIds.get(externalId)!
  if (undecryptable || !messages.get(messageId)?.undecryptable) return []
  return [{ type: 'MessageDecrypted', messageId, kind, body, media, vCard, ...quoted, ...(forwarded && { forwarded }) }]
}
/** Finds a message of the contact. In a group it must be of the same participant, because nobody edits another's message. */
function theirs(ticket: Ticket, externalId: string, author: string | null): { messageId: number; message: TicketMessage } | null {
  if (ticket.status === 'absent' || ticket.status === 'deleted') return null
  const messageId = ticket.usedIds.get(externalId)
  const message = messageId === undefined ? undefined : ticket.messages.get(messageId)
  return messageId !== undefined && message?.from === 'contact' && message.author === author ? { messageId, message } : null
}
