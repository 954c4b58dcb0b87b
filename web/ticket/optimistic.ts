import type { Viewer } from '#domain/access.ts'
import type { AcceptedResponse } from '#domain/contract.ts'
import type { TicketChange, TicketRow } from '#domain/ticket/contract.ts'
import { canSee, ticketTopic } from '#domain/ticket/topic.ts'
import { addPendingChange } from '#web/pending-changes.ts'
import { nowDate } from '#web/ui/now.ts'

/** The expected ticket after a stored change. */
export function expected(ticket: TicketRow, asked: TicketChange, viewer: Viewer, { ids, revision }: AcceptedResponse): TicketRow {
  const at = nowDate().toISOString()
  const now = { ...ticket, revision, updatedAt: at }
  const closed = { ...now, status: 'closed', unreadMessages: 0, waitingSince: null, closedAt: at } as const
  if (!ids.includes(ticket.id)) return closed // the conversation continues in another ticket
  const { status, isTransfered, useIntegration, amount, userId = null, queueId = ticket.queueId } = asked
  const queue = queueId === ticket.queueId ? ticket.queue : null
  const waiting = { ...now, status: 'pending', userId: null, user: null, waitingSince: at } as const
  if (status === 'closed') return closed
  if (status === 'pending') return waiting
  if (isTransfered && userId === null) return { ...waiting, queueId, queue, isTransfered: true }
  if (isTransfered || status) {
    const id = userId ?? viewer.id
    const user = id === ticket.userId ? ticket.user : id === viewer.id ? { id, name: viewer.name, color: '' } : null
    const open = ticket.isGroup ? 'group' : 'open'
    return { ...now, status: open, userId: id, user, queueId, queue, waitingSince: null, isTransfered: isTransfered ?? ticket.isTransfered }
  }
  if (amount !== undefined) return { ...now, updatedAt: ticket.updatedAt, amount }
  return { ...now, useIntegration: useIntegration ?? ticket.useIntegration }
}

/**
 * Shows the expected ticket in every list until the read models contain it, and in no list if it is no longer
 * visible.
 */
export function awaitTicket(row: TicketRow, viewer: Viewer): TicketRow {
  const { id, revision, status, userId, queueId } = row
  const shows = (received: TicketRow) =>
    received.revision >= revision || (received.status === status && received.userId === userId && received.queueId === queueId)
  addPendingChange(ticketTopic, canSee(viewer, row) ? { op: 'put', row } : { op: 'drop', id }, shows)
  return row
}
