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
    TicketOpened: (_, event, id) => {
      const { transfer, queueId, note } = event
      const passed = transfer && transferred(event, id, { ...transfer, queueId, note })
      return passed || logRow(event, id, event.imported ? 'imported' : 'create', null, queueId)
    },
    TicketImported: (_, event, id) => logRow(event, id, 'queue', null, event.queueId),
    TicketQueued: (_, event, id) => retired(event, id) ?? logRow(event, id, 'queue', null, event.queueId),
    TicketAssigned: (_, event, id) => ({ ...logRow(event, id, 'queue', event.userId, null), way: event.why }),
    TicketAccepted: (_, event, id) => logRow(event, id, 'open', event.userId, event.queueId),
    TicketReopened: (_, event, id) => logRow(event, id, 'reopen', event.rule === undefined ? event.userId : null, event.queueId),
    TicketResumed: (_, event, id) => logRow(event, id, 'reopen', null, event.queueId),
    TicketRedirected: (_, event, id) => logRow(event, id, 'redirect', null, event.queueId),
    ConsentRequested: (_, event, id) => (event.times === 1 ? logRow(event, id, 'consentAsked', null, null) : null),
    ConsentGiven: (_, event, id) => ({
      ...logRow(event, id, event.answered ? 'consentGiven' : 'consentTold', null, null),
      note: `sha256:${event.text}`,
    }),
    ConsentRefused: (_, event, id) => ({ ...logRow(event, id, 'consentRefused', null, null), note: `sha256:${event.text}` }),
    RatingRequested: (_, event, id) => logRow(event, id, 'ratingAsked', by(event), null),
    TicketRated: (_, event, id) => ({ ...logRow(event, id, 'rated', null, null), nps: event.nps }),
    RatingMissed: (_, event, id) => logRow(event, id, 'unrated', null, null),
    InactivityWarned: (_, event, id) => logRow(event, id, 'warned', null, null),
    TicketReturned: (_, event, id) => logRow(event, id, 'pending', by(event), null),
    TicketTransferred: (_, event, id) => retired(event, id) ?? transferred(event, id, event),
    TicketClosed: (_, event, id) => {
      const { reason, successor, userId: fromUserId, queueId: fromQueueId, note = null } = event
      if (!successor) return { ...logRow(event, id, 'closed', by(event), null), way: reason === 'connectionRemoved' ? reason : null }
      return transferred(event, id, { fromUserId, fromQueueId, userId: successor.userId, queueId: successor.queueId, note })
    },
    BotMoved: (_, event, id) => (event.begins ? logRow(event, id, 'chatBot', null, null) : null),
    ActionUndone: (_, event, id) => ({ ...logRow(event, id, 'undone', by(event), event.queueId), undone: event.what }),
    LaneEntered: (_, event, id) => ({ ...logRow(event, id, 'lane', by(event), null), laneId: event.tagId, way: event.why ?? null }),
    LaneLeft: (_, event, id) => ({ ...logRow(event, id, 'laneLeft', by(event), null), laneId: event.tagId }),
    AmountSet: (_, event, id) => ({ ...logRow(event, id, 'amount', by(event), null), amount: event.amount }),
    TicketAccessed: (_, event, id) => ({ ...logRow(event, id, 'access', event.userId, null), way: event.mode ?? null }),
  },
  deletesWhere: { column: 'ticketId', on: { TicketDeleted: ({ aggregateId }) => aggregateId } },
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
  if (String(id).endsWith('a')) return logRow(event, id, 'queueDeleted', by(event), event.retiredQueueId)
  return logRow(event, id, 'receivedTransfer', null, event.queueId)
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
  if (String(id).endsWith('a')) return { ...logRow(event, id, 'transfered', by(event), of.fromQueueId), fromUserId: of.fromUserId }
  if (String(id).endsWith('b')) return { ...logRow(event, id, 'receivedTransfer', of.userId, of.queueId), note: of.note }
  return null
}
function logRow(
  event: PersistedEvent<TicketEvent>,
  id: string | number,
  type: string,
  userId: number | null,
  queueId: number | null,
): TicketLogTable {
  const { companyId, aggregateId: ticketId, revision, at } = event
  const none = { fromUserId: null, note: null, undone: null, way: null, nps: null, laneId: null, amount: null }
  const rule = 'rule' in event ? (event.rule ?? null) : null
  return { id: String(id), companyId, ticketId, revision, type, userId, queueId, ...none, rule, createdAt: at }
}
