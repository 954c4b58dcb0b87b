import type { Actor, EventMetadata, WithMetadata } from '#domain/decider.ts'
import { traitsOf } from './event-catalogue.ts'
import type { StateBefore, TicketEvent, UndoableKind } from './events.ts'

/** An action that its agent can still undo, and the ticket state before it (A-TICKET-07). */
export type UndoableAction = { revision: number; what: UndoableKind | 'opened'; by: Actor; before: StateBefore }
type UndoableState = StateBefore & { undoableAction: UndoableAction | null; revision: number }

/** An action can be undone until another user acts, the contact writes, or its message is sent. */
export function nextUndoableAction(was: UndoableState | null, now: UndoableState, event: WithMetadata<TicketEvent>): UndoableAction | null {
  const { undoableAction: action, revision } = now
  if (event.type === 'TicketTransferred' && event.retiredQueueId !== undefined) return null // the old queue no longer exists
  if (event.type === 'TicketReturned' && event.retiredUserId !== undefined) return null // the old user no longer exists
  const what = undoableKind(event)
  if (what && was) return { revision, what, by: event.by, before: stateBefore(was) }
  if (event.type === 'TicketOpened' && event.transfer) return { revision, what: 'opened', by: event.by, before: stateBefore(now) }
  return action && !ends(action, event) ? action : null
}
/** The first rating request is the closing of its agent. */
function undoableKind(event: TicketEvent): UndoableKind | null {
  if (event.type === 'RatingRequested') return event.times === 1 ? 'closed' : null
  const { undo } = traitsOf(event.type)
  return undo === undefined || undo === 'ends' ? null : undo
}
function ends(action: UndoableAction, event: WithMetadata<TicketEvent>): boolean {
  switch (event.type) {
    case 'TicketAccepted':
      return action.what !== 'opened' || event.waited || !same(event.by, action.by) // a transfer to a user opens and accepts the ticket at once
    case 'MessageSent':
      return event.actionRevision === action.revision || (event.by.kind !== 'system' && !same(event.by, action.by))
    case 'MessageEdited':
      return event.by.kind === 'contact'
    default:
      return traitsOf(event.type).undo === 'ends'
  }
}
const same = (one: Actor, other: EventMetadata['by']) => one.kind === 'user' && other.kind === 'user' && one.id === other.id
function stateBefore({ status, userId, queueId, unread, waitingSince, transferred }: UndoableState): StateBefore {
  return { status, userId, queueId, unread, waitingSince, transferred }
}
