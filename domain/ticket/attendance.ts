import type { Decide, EventMetadata } from '#domain/decider.ts'
import { refuse } from '#domain/errors.ts'
import type { Attendance, Back, Channel, CloseReason, Successor, TicketEvent, Way } from './events.ts'
import { accessPause } from './rules.ts'
import type { Present, Ticket } from './ticket.ts'

/** What one may ask about who serves a ticket. Facts from outside its stream (settings, tags, rights) arrive inside the command. */
export type AttendanceCommand =
  | ({ type: 'Open'; userId: number | null } & Opening)
  | { type: 'Queue'; queueId: number }
  /** An agent takes the ticket: accepts it when it waits, reopens it when it is closed. */
  | { type: 'Accept'; userId: number; queueId: number | null }
  /** Whoever asks has seen to it that the contact's place is this ticket's. */
  | { type: 'Reopen'; userId: number; queueId: number | null }
  /** Its queue is retired, and it goes on in this one (A-QUEUE-01). `suits`: whoever serves it serves that one too. */
  | { type: 'Move'; queueId: number; suits: boolean }
  | { type: 'Return'; userId: number; admin: boolean }
  /** Who serves it is retired, and it waits for somebody else (A-USER-03). */
  | { type: 'Release'; userId: number }
  /** They may not serve that queue any more; `unavailable`: or by that rule they are not there to serve it. */
  | { type: 'ReleaseFrom'; userId: number; queueId: number; unavailable?: string }
  | {
      type: 'Transfer'
      userId: number | null
      queueId: number
      /** The receiving user serves that queue, or is an admin (A-TRANSFER-05). */
      suits: boolean
      /** closeTicketOnTransfer: the ids of the ticket that goes on (A-TRANSFER-02). */
      successor: { ticketId: number; uuid: string } | null
      note: string | null
    }
  | {
      type: 'Close'
      reason: CloseReason
      farewell: boolean
      /** Whether this user may close a ticket that waits, in this way (A-TICKET-08). */
      mayCloseWaiting: boolean
      /** requiredTag is on and the contact has no tag (A-TICKET-09). */
      tagMissing: boolean
      /** The contact is asked for a rating first, where somebody serves it (A-NPS-02). */
      rates?: true
      /** The close-all it is part of. */
      batch?: string
    }
  /** Takes back the asker's own newest act; `seen`: the revision of the row that answered it. */
  | { type: 'Undo'; seen: number | null }
  /** The same of a ticket that a transfer opened: it goes, as if it had never been. */
  | { type: 'Withdraw'; back: Back }
  | { type: 'Delete' }
  | { type: 'Access'; userId: number; way?: Way }
  /** What a user's screen has shown, up to this message (A-TICKET-06). */
  | { type: 'Read'; userId: number; messageId: number }
  | { type: 'SwitchIntegration'; on: boolean }
  | { type: 'SetAmount'; amount: number | null }

export type Opening = {
  ticketId: number
  uuid: string
  contactId: number
  connectionId: number
  channel: Channel
  group: boolean
  queueId: number | null
  follows: number | null
  transfer?: { userId: number | null; fromUserId: number | null; fromQueueId: number | null } | null
  note?: string | null
  imported?: true
}

/** The first of two has it (A-TICKET-04). */
function accepted(ticket: Ticket, { userId, queueId: chosen }: { userId: number; queueId: number | null }): TicketEvent[] {
  const { status, userId: owner, queueId: current } = existing(ticket)
  if (status === 'closed') refuse('ERR_TICKET_NOT_OPEN')
  if (status === 'nps') return [{ type: 'TicketReopened', userId, queueId: current ?? chosen ?? refuse('ERR_QUEUE_REQUIRED') }]
  if (status !== 'pending' && owner !== null) return owner === userId ? [] : refuse('ERR_OTHER_OPEN_TICKET')
  return [{ type: 'TicketAccepted', userId, queueId: current ?? chosen ?? refuse('ERR_QUEUE_REQUIRED'), waited: status === 'pending' }]
}

export const attendance: Decide<Ticket, AttendanceCommand, TicketEvent> = {
  Open(ticket, { userId, ...opening }) {
    if (ticket.status !== 'absent') return []
    const waits = opening.group && opening.follows !== null && userId === null // a group that is transferred to no user (A-TRANSFER-03)
    return [
      ...opened(opening),
      ...servedBy(userId, opening.queueId),
      ...(waits ? [{ type: 'TicketReturned' as const, rule: 'A-TRANSFER-03' }] : []),
    ]
  },

  Queue: (ticket, { queueId }) => {
    const { status, queueId: current } = existing(ticket)
    return status !== 'pending' || current === queueId ? [] : [{ type: 'TicketQueued', queueId }]
  },

  Accept: accepted,
  Reopen: (ticket, { userId, queueId: chosen }) => {
    const { status, queueId: current } = existing(ticket)
    if (status !== 'closed') return accepted(ticket, { userId, queueId: chosen }) // somebody was faster
    return [{ type: 'TicketReopened', userId, queueId: chosen ?? current ?? refuse('ERR_QUEUE_REQUIRED') }]
  },

  Move: (ticket, { queueId, suits }) => {
    const { status, userId, queueId: fromQueueId } = existing(ticket)
    if (status === 'closed' || fromQueueId === queueId) return []
    const because = fromQueueId === null ? {} : { retiredQueueId: fromQueueId }
    if (userId === null || (status !== 'open' && status !== 'group')) return [{ type: 'TicketQueued', queueId, ...because }]
    return [{ type: 'TicketTransferred', userId: suits ? userId : null, queueId, fromUserId: userId, fromQueueId, ...because }]
  },

  Return: (ticket, { userId, admin }) => {
    const { status, userId: owner } = existing(ticket)
    if (status !== 'open' && status !== 'group') return []
    if (owner !== userId && !admin) refuse('ERR_NO_PERMISSION')
    return [{ type: 'TicketReturned' }]
  },

  Release: (ticket, { userId }) => {
    const { status, userId: owner } = existing(ticket)
    return status !== 'closed' && status !== 'nps' && owner === userId ? [{ type: 'TicketReturned', retiredUserId: userId }] : []
  },

  ReleaseFrom: (ticket, { userId, queueId, unavailable }) => {
    const { status, userId: owner, queueId: now } = existing(ticket)
    const isTheirs = status !== 'closed' && status !== 'nps' && owner === userId && now === queueId
    return isTheirs ? [{ type: 'TicketReturned', ...(unavailable && { rule: unavailable, why: 'unavailable' as const }) }] : []
  },

  Transfer: (ticket, { userId, queueId, suits, successor, note }) => {
    const { status, userId: fromUserId, queueId: fromQueueId } = existing(ticket)
    if (status === 'closed' || status === 'nps' || status === 'lgpd') refuse('ERR_TICKET_NOT_OPEN')
    if (userId === fromUserId && queueId === fromQueueId) return []
    if (!suits) refuse('ERR_NO_PERMISSION/queue')
    if (successor) return [{ ...closed('transfer', false, existing(ticket), { ...successor, userId, queueId }), note }]
    return [{ type: 'TicketTransferred', userId, queueId, fromUserId, fromQueueId, note }]
  },

  Close: (ticket, { reason, farewell, mayCloseWaiting, tagMissing, rates, batch }) => {
    const { status, group, userId } = existing(ticket)
    if (status === 'closed') return []
    if ((status === 'pending' || status === 'lgpd') && !mayCloseWaiting) refuse('ERR_NO_PERMISSION')
    if (reason === 'agent' && tagMissing && !group) refuse('ERR_TAG_REQUIRED')
    if (rates && status === 'open' && !group && userId !== null) return [{ type: 'RatingRequested', times: 1, rule: 'A-NPS-02' }]
    return [{ ...closed(reason, farewell, existing(ticket), null), ...(batch !== undefined && { batch }) }]
  },

  Undo: (ticket, { by, seen }) => {
    const { act, heard, read } = existing(ticket)
    if (!act || act.what === 'opened' || !mine(act.by, by) || (seen !== null && act.revision > seen)) refuse('ERR_UNDO_GONE')
    const unread = Math.min(act.before.unread, heard - read) // what its receiver has read meanwhile stays read
    return [{ type: 'ActUndone', act: act.revision, what: act.what, ...act.before, unread }]
  },

  Withdraw: (ticket, { by, back }) => {
    if (ticket.status === 'deleted') return []
    const { act } = existing(ticket)
    return act?.what === 'opened' && mine(act.by, by) ? [{ type: 'TicketDeleted', back }] : refuse('ERR_UNDO_GONE')
  },

  Delete: (ticket) => (ticket.status === 'deleted' ? [] : existing(ticket) && [{ type: 'TicketDeleted' }]),

  Access: (ticket, { userId, way, at }) => {
    const known = existing(ticket).accessed.get(userId) ?? {}
    const lasts = way === 'peek' ? Object.values(known) : [known[way ?? 'open']] // who has it open only reads on
    const lately = lasts.some((last) => last !== undefined && Date.parse(at) - Date.parse(last) < accessPause)
    return lately ? [] : [{ type: 'TicketAccessed', userId, ...(way && { way }) }]
  },

  Read: (ticket, { userId, messageId }) => {
    const now = existing(ticket)
    if (now.status !== 'open' && now.status !== 'group') return []
    if (now.userId !== userId && !now.group) return [] // a colleague's eyes are not its owner's
    const message = now.messages.get(messageId)
    if (!message || message.heard <= now.read) return [] // a message of elsewhere has read nothing
    return [{ type: 'TicketRead', userId, messageId, left: Math.max(0, Math.min(now.unread, now.heard - message.heard)) }]
  },

  SwitchIntegration: (ticket, { on }) => existing(ticket) && [{ type: 'IntegrationSwitched', on }],
  SetAmount: (ticket, { amount }) => (existing(ticket).amount === amount ? [] : [{ type: 'AmountSet', amount }]), // A-TICKET-19
}

const mine = (whose: EventMetadata['by'], by: EventMetadata['by']) => whose.kind === 'user' && by.kind === 'user' && whose.id === by.id

/** A ticket that was deleted, or never was, or is another company's: not to be told apart. */
export function existing(ticket: Ticket): Present {
  return ticket.status === 'absent' || ticket.status === 'deleted' ? refuse('ERR_NO_TICKET_FOUND') : ticket
}
/** Field by field: a command that carries an opening carries more than the fact may. */
export function opened({ ticketId, uuid, contactId, connectionId, channel, group, queueId, follows, ...opening }: Opening): Attendance[] {
  const { transfer = null, note = null, imported } = opening
  const place = { ticketId, uuid, contactId, connectionId, channel, group, queueId, follows }
  return [{ type: 'TicketOpened', ...place, ...(transfer && { transfer, note }), ...(imported && { imported }) }]
}
function servedBy(userId: number | null, queueId: number | null): Attendance[] {
  return userId === null ? [] : [{ type: 'TicketAccepted', userId, queueId: queueId ?? refuse('ERR_QUEUE_REQUIRED'), waited: false }]
}
/** Whoever ends the wait for a rating: it is over since the agent resolved it (A-NPS-02). */
export function closed(reason: CloseReason, farewell: boolean, { status, userId, queueId, rating }: Present, successor: Successor | null) {
  const waited = status === 'pending' || status === 'lgpd'
  const since = rating && { resolvedAt: rating.resolvedAt }
  return { type: 'TicketClosed' as const, reason, farewell, waited, userId, successor, queueId, ...since }
}
