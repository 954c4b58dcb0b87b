import type { Decide, EventMetadata } from '#domain/decider.ts'
import { refuse } from '#domain/errors.ts'
import type { AccessMode, Attendance, Back, Channel, CloseReason, Successor, TicketEvent, Transfer } from './events.ts'
import { accessPause } from './rules.ts'
import type { Present, Ticket } from './ticket.ts'

/** Commands about who serves a ticket. Settings, tags and permissions arrive inside the command, because they are not in the stream. */
export type AttendanceCommand =
  | ({ type: 'Open'; userId: number | null } & Opening)
  | { type: 'Queue'; queueId: number }
  /** An agent accepts a waiting ticket. */
  | { type: 'Accept'; userId: number; queueId: number | null }
  /** The caller has claimed the active ticket of the contact for this ticket. */
  | { type: 'Reopen'; userId: number; queueId: number | null }
  /** The queue is retired, and the ticket moves to this one (A-QUEUE-01). `suits`: the ticket's user serves that queue too. */
  | { type: 'Move'; queueId: number; suits: boolean }
  | { type: 'Return'; userId: number; admin: boolean }
  /** The ticket's user is retired, and the ticket waits again (A-USER-03). */
  | { type: 'Release'; userId: number }
  /** The user no longer serves that queue. `unavailable`: the rule by which the user is unavailable instead. */
  | { type: 'ReleaseFrom'; userId: number; queueId: number; unavailable?: string }
  | {
      type: 'Transfer'
      userId: number | null
      queueId: number
      /** The receiving user serves that queue, or is an admin (A-TRANSFER-05). */
      suits: boolean
      /** closeTicketOnTransfer: the ids of the new ticket (A-TRANSFER-02). */
      successor: { ticketId: number; uuid: string } | null
      note: string | null
    }
  | {
      type: 'Close'
      reason: CloseReason
      farewell: boolean
      /** Whether this user may close a waiting ticket with this reason (A-TICKET-08). */
      mayCloseWaiting: boolean
      /** `requiredTag` is on and the contact has no tag (A-TICKET-09). */
      tagMissing: boolean
      /** A rating is requested first, if a user serves the ticket (A-NPS-02). */
      rates?: true
      /** The id of the close-all. */
      batch?: string
    }
  /** Undoes the actor's newest action. `seen`: the revision of the row that the action answered. */
  | { type: 'Undo'; seen: number | null }
  /** Undoes the transfer that opened this ticket: the ticket is deleted. */
  | { type: 'Withdraw'; back: Back }
  | { type: 'Delete' }
  | { type: 'Access'; userId: number; mode?: AccessMode }
  /** The user has seen the messages up to this one (A-TICKET-06). */
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
  predecessorId: number | null
  transfer?: Transfer | null
  note?: string | null
  imported?: true
}

/** The first of two accepts wins (A-TICKET-04). */
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
    const waits = opening.group && opening.predecessorId !== null && userId === null // a group that is transferred without a user (A-TRANSFER-03)
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
    if (status !== 'closed') return accepted(ticket, { userId, queueId: chosen }) // another agent reopened it first
    return [{ type: 'TicketReopened', userId, queueId: chosen ?? current ?? refuse('ERR_QUEUE_REQUIRED') }]
  },

  Move: (ticket, { queueId, suits }) => {
    const { status, userId, queueId: fromQueueId } = existing(ticket)
    if (status === 'closed' || fromQueueId === queueId) return []
    const because = fromQueueId === null ? {} : { retiredQueueId: fromQueueId }
    if (userId === null || (status !== 'open' && status !== 'group')) return [{ type: 'TicketQueued', queueId, ...because }]
    return [{ type: 'TicketTransferred', userId: suits ? userId : null, queueId, fromUserId: userId, fromQueueId, note: null, ...because }]
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
    const { undoableAction: action, inboundCount, readCount } = existing(ticket)
    if (!action || action.what === 'opened' || !mine(action.by, by) || (seen !== null && action.revision > seen)) refuse('ERR_UNDO_GONE')
    const unread = Math.min(action.before.unread, inboundCount - readCount) // messages that the receiver has read stay read
    return [{ type: 'ActionUndone', actionRevision: action.revision, what: action.what, ...action.before, unread }]
  },

  Withdraw: (ticket, { by, back }) => {
    if (ticket.status === 'deleted') return []
    const { undoableAction: action } = existing(ticket)
    return action?.what === 'opened' && mine(action.by, by) ? [{ type: 'TicketDeleted', back }] : refuse('ERR_UNDO_GONE')
  },

  Delete: (ticket) => (ticket.status === 'deleted' ? [] : existing(ticket) && [{ type: 'TicketDeleted' }]),

  Access: (ticket, { userId, mode, at }) => {
    const known = existing(ticket).accessed.get(userId) ?? {}
    const lasts = mode === 'peek' ? Object.values(known) : [known[mode ?? 'open']] // a peek after another access is not recorded again
    const lately = lasts.some((last) => last !== undefined && Date.parse(at) - Date.parse(last) < accessPause)
    return lately ? [] : [{ type: 'TicketAccessed', userId, ...(mode && { mode }) }]
  },

  Read: (ticket, { userId, messageId }) => {
    const now = existing(ticket)
    if (now.status !== 'open' && now.status !== 'group') return []
    if (now.userId !== userId && !now.group) return [] // only the owner's reading counts
    const message = now.messages.get(messageId)
    if (!message || message.inboundCount <= now.readCount) return [] // an external message has no reader here
    return [{ type: 'TicketRead', userId, messageId, left: Math.max(0, Math.min(now.unread, now.inboundCount - message.inboundCount)) }]
  },

  SwitchIntegration: (ticket, { on }) => existing(ticket) && [{ type: 'IntegrationSwitched', on }],
  SetAmount: (ticket, { amount }) => (existing(ticket).amount === amount ? [] : [{ type: 'AmountSet', amount }]), // A-TICKET-19
}

const mine = (whose: EventMetadata['by'], by: EventMetadata['by']) => whose.kind === 'user' && by.kind === 'user' && whose.id === by.id

/** Refuses a ticket that is deleted, unknown or of another company with the same error. */
export function existing(ticket: Ticket): Present {
  return ticket.status === 'absent' || ticket.status === 'deleted' ? refuse('ERR_NO_TICKET_FOUND') : ticket
}
/** Copies field by field, because the command has more fields than the event may have. */
export function opened({
  ticketId,
  uuid,
  contactId,
  connectionId,
  channel,
  group,
  queueId,
  predecessorId,
  ...opening
}: Opening): Attendance[] {
  const { transfer = null, note = null, imported } = opening
  const place = { ticketId, uuid, contactId, connectionId, channel, group, queueId, predecessorId }
  return [{ type: 'TicketOpened', ...place, transfer, note, ...(imported && { imported }) }]
}
function servedBy(userId: number | null, queueId: number | null): Attendance[] {
  return userId === null ? [] : [{ type: 'TicketAccepted', userId, queueId: queueId ?? refuse('ERR_QUEUE_REQUIRED'), waited: false }]
}
/** If the ticket waited for a rating, it counts as closed since the agent resolved it (A-NPS-02). */
export function closed(reason: CloseReason, farewell: boolean, { status, userId, queueId, rating }: Present, successor: Successor | null) {
  const waited = status === 'pending' || status === 'lgpd'
  const since = rating && { resolvedAt: rating.resolvedAt }
  return { type: 'TicketClosed' as const, reason, farewell, waited, userId, successor, queueId, ...since }
}
