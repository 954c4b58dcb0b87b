import type { TicketEvent } from '#domain/ticket/events.ts'
import { preview } from '#domain/ticket/rules.ts'
import type { TicketTable } from '../database.ts'
import type { Fold, Recorded } from '../projector.ts'

/** The row of a ticket as lists show it. */
export const inbox: Fold<TicketEvent, TicketTable> = {
  table: 'ticket',
  key: 'id',
  topic: 'ticket',
  touches: ({ ticketId }) => [ticketId],
  on: {
    TicketOpened: (_, { uuid, companyId, channel, group, contactId, connectionId, queueId, follows, ticketId, revision, at }) => ({
      id: ticketId,
      uuid,
      companyId,
      status: group ? 'group' : 'pending',
      channel,
      isGroup: group,
      isBot: false,
      contactId,
      whatsappId: connectionId,
      queueId,
      userId: null,
      lastMessage: '',
      lastMessageId: null,
      lastMessageFromMe: false,
      unreadMessages: 0,
      isTransfered: follows !== null,
      useIntegration: false,
      revision,
      createdAt: at,
      updatedAt: at,
      openedAt: null,
      closedAt: null,
    }),
    TicketQueued: (row, event) => moved(row, event, { queueId: event.queueId }),
    TicketAccepted: (row, event) => serve(row, event, { openedAt: row?.openedAt ?? event.at }),
    TicketReopened: (row, event) => serve(row, event, { openedAt: row?.openedAt ?? event.at, closedAt: null }),
    TicketReturned: (row, event) => moved(row, event, { status: 'pending', userId: null }),
    TicketTransferred: (row, event) => {
      const to = { queueId: event.queueId, userId: event.userId, isTransfered: true, isBot: false }
      return moved(row, event, { ...to, status: event.userId === null ? 'pending' : row?.isGroup ? 'group' : 'open' })
    },
    TicketClosed: (row, event) => moved(row, event, { status: 'closed', unreadMessages: 0, closedAt: event.at, isBot: false }),
    TicketDeleted: () => null,
    TicketAccessed: (row, event) => seen(row, event),
    TicketRead: (row, event) => seen(row, event, { unreadMessages: 0 }),
    IntegrationSwitched: (row, event) => seen(row, event, { useIntegration: event.on }),

    MessageReceived: (row, event) =>
      moved(row, event, {
        lastMessage: preview(event.kind, event.body),
        lastMessageId: event.messageId,
        lastMessageFromMe: false,
        unreadMessages: (row?.unreadMessages ?? 0) + 1,
      }),
    MessageSent: (row, event) =>
      event.private
        ? seen(row, event)
        : moved(row, event, {
            lastMessage: preview(event.kind, event.body),
            lastMessageId: event.messageId,
            lastMessageFromMe: true,
            unreadMessages: 0,
          }),
    MessageEdited: (row, event) => last(row, event, preview('chat', event.body)),
    MessageRemoved: (row, event) => last(row, event, '🚫'),
    MessageReacted: seen,
    ReactionRemoved: seen,
    NoteAdded: seen,
    NoteRemoved: seen,
  },
  tally: {
    table: 'ticketCounter',
    of: ({ companyId, status, isGroup, queueId, userId, unreadMessages }) => ({
      key: { companyId, status, isGroup, queueId: queueId ?? 0, userId: userId ?? 0 },
      adds: { tickets: 1, unread: unreadMessages },
    }),
  },
}

type Change = Partial<TicketTable>
/** What makes a ticket come up in the list. */
function moved(row: TicketTable | null, event: Recorded<TicketEvent>, to: Change): TicketTable | null {
  return row && { ...row, ...to, updatedAt: event.at, revision: event.revision }
}
/** What leaves it where it stands. */
function seen(row: TicketTable | null, event: Recorded<TicketEvent>, to?: Change | string | number): TicketTable | null {
  return row && { ...row, ...(typeof to === 'object' ? to : null), revision: event.revision }
}
function serve(
  row: TicketTable | null,
  event: Recorded<TicketEvent> & { userId: number; queueId: number },
  to: Change,
): TicketTable | null {
  return moved(row, event, { ...to, status: row?.isGroup ? 'group' : 'open', userId: event.userId, queueId: event.queueId })
}
/** What the list says of the last message, when it is that one. */
function last(row: TicketTable | null, event: Recorded<TicketEvent> & { messageId: number }, words: string): TicketTable | null {
  return seen(row, event, row?.lastMessageId === event.messageId ? { lastMessage: words } : undefined)
}
