import { ticketEventTypes } from '#domain/ticket/event-catalogue.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import type { Fold, PersistedEvent } from '../projector.ts'
import type { TicketHistoryTable } from '../ticket/tables.ts'

type Change = Partial<TicketHistoryTable>

type On = Fold<TicketEvent, TicketHistoryTable>['on']
const everyEvent = Object.fromEntries(ticketEventTypes.map((type) => [type, nextRow])) as On

/** The auditor's list of every ticket, including deleted ones (A-AUDIT-01). */
export const histories: Fold<TicketEvent, TicketHistoryTable> = {
  table: 'ticketHistory',
  key: 'id',
  topic: 'ticketHistory',
  affectedKeys: ({ aggregateId }) => [aggregateId],
  on: {
    ...everyEvent,
    TicketOpened: (_, event) => ({
      id: event.aggregateId,
      uuid: event.uuid,
      companyId: event.companyId,
      contactId: event.contactId,
      connectionId: event.connectionId,
      isGroup: event.group,
      status: event.imported ? 'closed' : event.group ? 'group' : 'pending',
      queueId: event.queueId,
      userId: null,
      userIds: actingUsers(event),
      revision: event.revision,
      createdAt: event.at,
      updatedAt: event.at,
      deletedAt: null,
    }),
    TicketImported: (row, event) => nextRow(row, event, { status: row?.isGroup ? 'group' : 'pending', queueId: event.queueId }),
    TicketQueued: (row, event) => nextRow(row, event, { queueId: event.queueId }),
    TicketAssigned: (row, event) => nextRow(row, event, { userId: event.userId }),
    TicketAccepted: (row, event) => served(row, event),
    TicketReopened: (row, event) => served(row, event),
    ConsentRequested: (row, event) => nextRow(row, event, { status: 'lgpd' }),
    ConsentGiven: (row, event) => nextRow(row, event, row?.status === 'lgpd' ? { status: 'pending' } : {}),
    RatingRequested: (row, event) => nextRow(row, event, { status: 'nps' }),
    TicketResumed: (row, event) =>
      nextRow(row, event, { status: row?.isGroup ? 'group' : 'pending', userId: null, queueId: event.queueId }),
    TicketRedirected: (row, event) => nextRow(row, event, { queueId: event.queueId }),
    TicketReturned: (row, event) => nextRow(row, event, { status: 'pending', userId: null }),
    TicketTransferred: (row, event) =>
      event.userId === null
        ? nextRow(row, event, { status: 'pending', userId: null, queueId: event.queueId })
        : served(row, { ...event, userId: event.userId }),
    TicketClosed: (row, event) => nextRow(row, event, { status: 'closed' }),
    ActionUndone: (row, event) => nextRow(row, event, { status: event.status, userId: event.userId, queueId: event.queueId }),
    // an access does not move the ticket in the list
    TicketAccessed: (row, event) => row && nextRow(row, event, { updatedAt: row.updatedAt }),
    TicketDeleted: (row, event) => nextRow(row, event, { status: 'deleted', deletedAt: event.at }),
  },
}

const actingUsers = ({ by }: PersistedEvent<TicketEvent>): number[] => (by.kind === 'user' ? [by.id] : [])

/** Applies one more event and adds its actor to the searchable users. */
function nextRow(
  row: TicketHistoryTable | null,
  event: PersistedEvent<TicketEvent>,
  to?: Change | string | number,
): TicketHistoryTable | null {
  if (!row) return null
  const change = typeof to === 'object' ? to : {}
  const userIds = [...new Set([...row.userIds, ...actingUsers(event), ...(change.userId ? [change.userId] : [])])]
  return { ...row, updatedAt: event.at, ...change, userIds, revision: event.revision }
}
function served(row: TicketHistoryTable | null, event: PersistedEvent<TicketEvent> & { userId: number; queueId: number }) {
  return nextRow(row, event, { status: row?.isGroup ? 'group' : 'open', userId: event.userId, queueId: event.queueId })
}
