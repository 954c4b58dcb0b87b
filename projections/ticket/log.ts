import type { TicketEvent } from '#domain/ticket/events.ts'
import type { TicketLogTable } from '../database.ts'
import type { Fold, Recorded } from '../projector.ts'

/** The ticket log dialog: a plain projection of the facts, under the specification's words (R-TICKET-21). */
export const log: Fold<TicketEvent, TicketLogTable> = {
  table: 'ticketLog',
  key: 'id',
  begins: [
    ...(['TicketOpened', 'TicketQueued', 'TicketAccepted', 'TicketReopened', 'TicketReturned'] as const),
    ...(['TicketTransferred', 'TicketClosed', 'TicketAccessed'] as const),
  ],
  touches: (event) => {
    const id = `${String(event.ticketId)}-${String(event.revision).padStart(6, '0')}`
    return event.type === 'TicketTransferred' ? [`${id}a`, `${id}b`] : [id]
  },
  on: {
    TicketOpened: (_, event, id) => line(event, id, 'create', null, event.queueId),
    TicketQueued: (_, event, id) => line(event, id, 'queue', null, event.queueId),
    TicketAccepted: (_, event, id) => line(event, id, 'open', event.userId, event.queueId),
    TicketReopened: (_, event, id) => line(event, id, 'reopen', event.userId, event.queueId),
    TicketReturned: (_, event, id) => line(event, id, 'pending', by(event), null),
    TicketTransferred: (_, event, id) =>
      String(id).endsWith('a')
        ? line(event, id, 'transfered', event.fromUserId, event.fromQueueId)
        : line(event, id, 'receivedTransfer', event.userId, event.queueId),
    TicketClosed: (_, event, id) => line(event, id, event.successor ? 'transfered' : 'closed', by(event), null),
    TicketAccessed: (_, event, id) => line(event, id, 'access', event.userId, null),
  },
  clears: { column: 'ticketId', on: { TicketDeleted: ({ ticketId }) => ticketId } },
}

const by = ({ by }: Recorded<TicketEvent>) => (by.kind === 'user' ? by.id : null)
function line(
  event: Recorded<TicketEvent>,
  id: string | number,
  type: string,
  userId: number | null,
  queueId: number | null,
): TicketLogTable {
  const { companyId, ticketId, revision, at } = event
  return { id: String(id), companyId, ticketId, revision, type, userId, queueId, createdAt: at }
}
