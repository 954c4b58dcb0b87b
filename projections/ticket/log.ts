import { ticketEventTypes, traitsOf } from '#domain/ticket/event-catalogue.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import type { Fold, PersistedEvent } from '../projector.ts'
import type { TicketLogTable } from './tables.ts'

/** The ticket log dialog: the events under the specification's words (R-TICKET-21). */
export const log: Fold<TicketEvent, TicketLogTable> = {
  table: 'ticketLog',
  key: 'id',
  upsertsWithoutRead: rowKeys,
  affectedKeys: rowKeys,
  on: {
    ...Object.fromEntries(ticketEventTypes.filter((type) => traitsOf(type).log).map((type) => [type, plainRow])),
    TicketOpened: (_, event, id) => {
      const { transfer, queueId, note } = event
      const passed = transfer && transferred(event, id, { ...transfer, queueId, note })
      return passed ?? logRow(event, id, { userId: null, ...(event.imported && { type: 'imported' }) })
    },
    TicketQueued: (_, event, id) => retired(event, id) ?? logRow(event, id, { userId: null }),
    TicketAssigned: (_, event, id) => logRow(event, id, { userId: event.userId, way: event.why }),
    TicketAccepted: (_, event, id) => logRow(event, id, { userId: event.userId }),
    TicketReopened: (_, event, id) => logRow(event, id, { userId: event.rule === undefined ? event.userId : null }),
    ConsentRequested: (_, event, id) => (event.times === 1 ? logRow(event, id) : null),
    ConsentGiven: (_, event, id) => logRow(event, id, { note: `sha256:${event.text}`, ...(!event.answered && { type: 'consentTold' }) }),
    ConsentRefused: (_, event, id) => logRow(event, id, { note: `sha256:${event.text}` }),
    TicketRated: (_, event, id) => logRow(event, id, { nps: event.rating }),
    TicketTransferred: (_, event, id) => retired(event, id) ?? transferred(event, id, event),
    TicketClosed: (_, event, id) => {
      const { reason, successor, userId: fromUserId, queueId: fromQueueId, note = null } = event
      if (!successor)
        return logRow(event, id, { queueId: null, way: reason === 'connectionRemoved' || reason === 'ignored' ? reason : null })
      return transferred(event, id, { fromUserId, fromQueueId, userId: successor.userId, queueId: successor.queueId, note })
    },
    BotMoved: (_, event, id) => (event.begins ? logRow(event, id) : null),
    ActionUndone: (_, event, id) => logRow(event, id, { undone: event.what }),
    LaneEntered: (_, event, id) => logRow(event, id, { laneId: event.tagId, way: event.why ?? null }),
    LaneLeft: (_, event, id) => logRow(event, id, { laneId: event.tagId }),
    AmountSet: (_, event, id) => logRow(event, id, { amount: event.amount }),
    TicketAccessed: (_, event, id) => logRow(event, id, { userId: event.userId, way: event.mode ?? null }),
  },
  deletesWhere: { column: 'ticketId', on: { TicketDeleted: ({ aggregateId }) => aggregateId } },
}

function plainRow(_: TicketLogTable | null, event: PersistedEvent<TicketEvent>, id: string | number): TicketLogTable {
  return logRow(event, id)
}

/** The row keys of an event: two rows for a transfer, or for a ticket whose queue was deleted. */
function rowKeys(event: PersistedEvent<TicketEvent>): string[] {
  const id = `${String(event.aggregateId)}-${String(event.revision).padStart(6, '0')}`
  if (event.type === 'TicketOpened' && event.transfer) return [id, `${id}a`, `${id}b`]
  if (event.type === 'TicketQueued') return event.retiredQueueId === undefined ? [id] : [`${id}a`, `${id}b`]
  return event.type === 'TicketTransferred' || (event.type === 'TicketClosed' && event.successor) ? [`${id}a`, `${id}b`] : [id]
}
const by = ({ by }: PersistedEvent<TicketEvent>) => (by.kind === 'user' ? by.id : null)

/** Who deleted which queue, and the ticket's new queue. Its agent stays. */
function retired(
  event: PersistedEvent<TicketEvent> & { queueId: number; retiredQueueId?: number },
  id: string | number,
): TicketLogTable | null {
  if (event.retiredQueueId === undefined) return null
  if (String(id).endsWith('a')) return logRow(event, id, { type: 'queueDeleted', queueId: event.retiredQueueId })
  return logRow(event, id, { type: 'receivedTransfer', userId: null })
}

type Transfer = {
  userId: number | null
  queueId: number | null
  fromUserId: number | null
  fromQueueId: number | null
  note: string | null
}
/**
 * Two rows of a transfer: who transferred it, from whom and which queue; then to whom and which queue
 * (A-TRANSFER-04). null: another row.
 */
function transferred(event: PersistedEvent<TicketEvent>, id: string | number, of: Transfer): TicketLogTable | null {
  if (String(id).endsWith('a')) return logRow(event, id, { type: 'transfered', queueId: of.fromQueueId, fromUserId: of.fromUserId })
  if (String(id).endsWith('b'))
    return logRow(event, id, { type: 'receivedTransfer', userId: of.userId, queueId: of.queueId, fromUserId: by(event), note: of.note })
  return null
}
/** The entry of an event: its actor, its queue and its rule, with these values instead. */
function logRow(event: PersistedEvent<TicketEvent>, id: string | number, to: Partial<TicketLogTable> = {}): TicketLogTable {
  const { companyId, aggregateId: ticketId, revision, at } = event
  const queueId = 'queueId' in event ? event.queueId : null
  const rule = 'rule' in event ? (event.rule ?? null) : null
  return {
    ...{ id: String(id), companyId, ticketId, revision, type: traitsOf(event.type).log!, userId: by(event), queueId, rule, createdAt: at },
    ...{ fromUserId: null, note: null, undone: null, way: null, nps: null, laneId: null, amount: null },
    ...to,
  }
}
