import type { Static } from 'typebox'
import * as Type from 'typebox'
import { acting, admin, signedIn } from '#domain/access.ts'
import { WorkRow } from '#domain/bulk-operation/contract.ts'
import { channelNames } from '#domain/channel/channels.ts'
import { del, get, Id, IdList, Moment, Nullable, Page, PageNumber, post, put, Text } from '#domain/contract.ts'
import { closeReasons } from '#domain/ticket/events.ts'

export const Coloured = Type.Object({ id: Id, name: Type.String(), color: Type.String() })
export const Channel = Type.Enum(channelNames)
export const statuses = ['pending', 'open', 'closed', 'group', 'lgpd', 'nps'] as const
export const Status = Type.Enum([...statuses])
export type Status = Static<typeof Status>

/** The contact inside a ticket. `number` is masked for users who must not see it (A-LGPD-04). */
export const TicketContact = Type.Object({
  id: Id,
  name: Type.String(),
  number: Type.String(),
  email: Type.String(),
  urlPicture: Nullable(Type.String()),
  active: Type.Boolean(),
  acceptAudioMessage: Type.Boolean(),
  disableBot: Type.Boolean(),
  extraInfo: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), value: Type.String() })),
})

export const TicketRow = Type.Object({
  id: Id,
  uuid: Type.String(),
  companyId: Id,
  status: Status,
  channel: Channel,
  isGroup: Type.Boolean(),
  isBot: Type.Boolean(),
  contactId: Id,
  contact: TicketContact,
  whatsappId: Id,
  whatsapp: Nullable(Type.Object({ id: Id, name: Type.String(), groupAsTicket: Type.String(), color: Nullable(Type.String()) })),
  queueId: Nullable(Id),
  queue: Nullable(Coloured),
  userId: Nullable(Id),
  user: Nullable(Coloured),
  tags: Type.Array(Coloured),
  /** The kanban lane, a tag with kanban 1; null: none. */
  laneId: Nullable(Id),
  /** The amount of the ticket in reais (A-TICKET-19). */
  amount: Nullable(Type.Number()),
  lastMessage: Type.String(),
  lastMessageFromMe: Type.Boolean(),
  /** When the last message was written, regardless of later events. */
  lastMessageAt: Nullable(Moment),
  lastMessageKind: Nullable(Type.String()),
  lastMessageDeleted: Type.Boolean(),
  /** When the contact last wrote on this connection, in any ticket; the answer window of the channel depends on it (A-CONN-03). */
  heardAt: Nullable(Moment),
  /** The agent who wrote the last message. */
  lastMessageUserId: Nullable(Id),
  /** The name of that agent, or of the group participant. */
  lastMessageSender: Nullable(Type.String()),
  /** The last message is an external message of the company's phone. */
  lastMessageElsewhere: Type.Boolean(),
  lastMessageSeconds: Nullable(Type.Number()),
  /** The file name of the last message. */
  lastMessageFile: Nullable(Type.String()),
  /** Acknowledgement of the last message if it is ours: 0 not accepted yet, 1 sent, 2 delivered, 3 read, 5 played. */
  lastMessageAck: Nullable(Type.Integer()),
  /** The number of our failed or uncertain messages. */
  failedMessages: Type.Integer(),
  unreadMessages: Type.Integer(),
  isTransfered: Type.Boolean(),
  /** The last transfer, until its receiver opens the ticket or a user accepts it. */
  transfer: Nullable(Type.Object({ user: Nullable(Coloured), at: Moment, note: Nullable(Type.String()) })),
  /** The note of that transfer (A-TRANSFER-01). */
  msgTransfer: Nullable(Type.String()),
  useIntegration: Type.Boolean(),
  /**
   * The revision of the newest event that a person caused; delivery receipts do not change it.
   * Clients send it back with a message, for the stale-reply guard.
   */
  revision: Type.Integer(),
  createdAt: Moment,
  updatedAt: Moment,
  /** Since when the ticket waits (A-TICKET-15); null: it does not wait, or it is imported and its contact has not written. */
  waitingSince: Nullable(Moment),
  /** For a ticket in rotation: when it rotates to the next agent (A-ROT-01). */
  turnEndsAt: Nullable(Moment),
  openedAt: Nullable(Moment),
  closedAt: Nullable(Moment),
  /** Why the ticket was closed; `ignored`: an agent closed it without serving it. Null: it is not closed, or was imported. */
  closeReason: Nullable(Type.Enum([...closeReasons])),
  /** The contact's rating from 0 to 10 (A-NPS-01). */
  nps: Nullable(Type.Integer()),
  /** The same rating from 1 to 5 (A-NPS-01). */
  userRating: Nullable(Type.Object({ rate: Type.Integer({ minimum: 1, maximum: 5 }) })),
})
export type TicketRow = Static<typeof TicketRow>

const Filter = Type.Object({
  searchParam: Type.Optional(Text(200)),
  pageNumber: Type.Optional(PageNumber),
  /** 10, 20, 50 or 100 (A-TICKET-16). */
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  status: Type.Optional(Type.Enum(['pending', 'open', 'closed', 'group', 'search', 'lgpd', 'nps'])),
  statusFilter: Type.Optional(Type.String({ pattern: '^\\[("(pending|open|closed|group|lgpd|nps)"(,(?=")|(?=\\])))*\\]$', list: Status })),
  showAll: Type.Optional(Type.Boolean()),
  tags: Type.Optional(IdList),
  users: Type.Optional(IdList),
  userFilter: Type.Optional(IdList),
  queueIds: Type.Optional(IdList),
  whatsapps: Type.Optional(IdList),
  whatsappIds: Type.Optional(IdList),
  withUnreadMessages: Type.Optional(Type.Boolean()),
  /** Only tickets with failed messages. */
  withFailedMessages: Type.Optional(Type.Boolean()),
  /** Days in the company's time zone: of creation, and of the last change (A-TICKET-17). */
  date: Type.Optional(Type.String({ format: 'date' })),
  updatedAt: Type.Optional(Type.String({ format: 'date' })),
  sortTickets: Type.Optional(Type.Enum(['ASC', 'DESC'])),
  searchOnMessages: Type.Optional(Type.Boolean()),
  /** One contact's tickets: the history in the contact drawer. */
  contactId: Type.Optional(Id),
})
export type TicketFilter = Static<typeof Filter>

/** The published call contains fields to set; `intent` in app/ticket/routes.ts derives the command from them. */
const Change = Type.Object(
  {
    status: Type.Optional(Type.Enum(['pending', 'open', 'closed', 'group'])),
    userId: Type.Optional(Type.Union([Id, Type.Null()])),
    queueId: Type.Optional(Type.Union([Id, Type.Null()])),
    isTransfered: Type.Optional(Type.Boolean()),
    msgTransfer: Type.Optional(Type.Union([Text(2000), Type.Null()])),
    sendFarewellMessage: Type.Optional(Type.Boolean()),
    amountUsedBotQueues: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
    useIntegration: Type.Optional(Type.Boolean()),
    amount: Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum: 999_999_999.99 }), Type.Null()])),
    /** Resolves the ticket with a rating request on this scale. */
    ratingId: Type.Optional(Type.Integer()),
  },
  { additionalProperties: false },
)
export type TicketChange = Static<typeof Change>

const NewTicket = Type.Object(
  {
    contactId: Id,
    queueId: Type.Optional(Type.Union([Id, Type.Null()])),
    whatsappId: Type.Optional(Type.Union([Id, Type.Null()])),
    userId: Type.Optional(Type.Union([Id, Type.Null()])),
    status: Type.Optional(Type.Enum(['open', 'pending'])),
    companyId: Type.Optional(Id),
  },
  { additionalProperties: false },
)

export const tickets = {
  list: get('/tickets', {
    may: signedIn,
    summary: 'Lists the tickets that the caller sees, newest change first; waiting tickets by waiting time, longest first.',
    query: Filter,
    answer: Type.Object({
      tickets: Type.Array(TicketRow),
      hasMore: Type.Boolean(),
      /** The total number; for a search with thousands of matches, the number found so far. */
      count: Type.Integer(),
      /** With searchOnMessages: the newest matching message of each ticket. */
      hits: Type.Array(Type.Object({ ticketId: Id, messageId: Id, before: Type.String(), hit: Type.String(), after: Type.String() })),
      /** With contactId: whether the contact has tickets that the caller may not see. */
      elsewhere: Type.Boolean(),
    }),
  }),
  unread: get('/tickets/unread', {
    may: signedIn,
    summary:
      'Lists the tickets that title and menu count (A-RT-06): the caller’s tickets that are unread, or handed over and not opened, and, with showNotificationPending, unread waiting tickets that are not assigned.',
    answer: Type.Object({ ids: Type.Array(Id) }),
  }),
  notifications: get('/tickets/notifications', {
    may: signedIn,
    summary: 'Shows the tickets that title and menu count, newest change first.',
    query: Type.Object({ pageNumber: Type.Optional(PageNumber) }),
    answer: Page('tickets', TicketRow),
  }),
  waitingElsewhere: get('/tickets/waiting-elsewhere', {
    may: signedIn,
    summary: 'Counts the tickets that wait for anybody and that the caller does not see: without a queue, and in queues of others.',
    answer: Type.Object({ withoutQueue: Type.Integer(), inOtherQueues: Type.Integer() }),
  }),
  byUuid: get('/tickets/u/:uuid', { may: signedIn, summary: 'Opens one ticket, which records an access.', answer: TicketRow }),
  seen: post('/tickets/:id/seen', {
    may: acting,
    summary: 'Reports that the messages up to this one were on screen; they become read if the caller owns the ticket or it is a group.',
    body: Type.Object({ messageId: Id }, { additionalProperties: false }),
    answer: Type.Object({ unreadMessages: Type.Integer() }),
  }),
  open: post('/tickets', {
    eventuallyConsistent: true,
    may: acting,
    summary:
      'Opens a ticket with a contact; refused if the contact has an active one. A ticket that only waits for consent or a rating is closed.',
    body: NewTicket,
    answer: TicketRow,
  }),
  change: put('/tickets/:id', {
    eventuallyConsistent: true,
    may: acting,
    summary:
      'Accepts, returns, transfers, closes or reopens a ticket, by the given fields; an amount is changed alone. May answer another ticket that is active instead.',
    body: Change,
    answer: TicketRow,
  }),
  undo: post('/tickets/:id/undo', {
    eventuallyConsistent: true,
    may: acting,
    summary:
      'Undoes the caller’s last close, return or transfer, until another user acts or the contact writes. `seen`: the revision of the row that the action answered.',
    body: Type.Object({ seen: Type.Optional(Type.Integer({ minimum: 0 })) }, { additionalProperties: false }),
    answer: TicketRow,
  }),
  remove: del('/tickets/:id', { eventuallyConsistent: true, may: admin, summary: 'Deletes a ticket with its messages.' }),
  closeAll: post('/tickets/closeAll', {
    may: admin,
    summary:
      'Closes every ticket of these queues with this status, and those without a queue if the caller sees all tickets; `batch` undoes it.',
    body: Type.Object(
      { status: Type.Enum(['pending', 'open', 'group', 'closed']), selectedQueueIds: Type.Array(Id, { maxItems: 200 }) },
      { additionalProperties: false },
    ),
    answer: Type.Object({ count: Type.Integer(), batch: Type.String() }),
  }),
  countAll: get('/tickets/closeAll', {
    may: admin,
    summary: 'Counts the tickets that close-all would close.',
    query: Type.Object({ status: Type.Enum(['pending', 'open', 'group']), selectedQueueIds: IdList }),
    answer: Type.Object({ count: Type.Integer() }),
  }),
  undoAll: post('/tickets/closeAll/undo', {
    may: admin,
    summary: 'Undoes a close-all, except for tickets on which a user has acted or whose contact has written since.',
    body: Type.Object({ batch: Type.String({ format: 'uuid' }) }, { additionalProperties: false }),
    answer: Type.Object({ count: Type.Integer() }),
  }),
}

const { searchOnMessages: _, ...filters } = tickets.list.query.properties // these lists have no search in messages
const Listed = Type.Object({ ...filters, status: Type.Enum(['pending', 'open', 'group']) }, { additionalProperties: false })

/** Closes exactly the tickets that a list shows, with the same filters. */
export const closing = {
  asked: get('/tickets/listed/close', {
    may: admin,
    summary: 'Counts the tickets of a list with these filters, by the users who serve them.',
    query: Listed,
    answer: Type.Object({
      count: Type.Integer(),
      holders: Type.Array(Type.Object({ user: Nullable(Type.Object({ id: Id, name: Type.String() })), count: Type.Integer() })),
    }),
  }),
  close: post('/tickets/listed/close', {
    may: admin,
    summary: 'Closes every ticket of a list with these filters; `batch` undoes it.',
    body: Listed,
    answer: Type.Object({ count: Type.Integer(), batch: Type.String() }),
  }),
  begin: post('/tickets/listed/close-work', {
    may: admin,
    summary: 'Starts a bulk operation that closes every ticket of a list with these filters; `batch` undoes it.',
    body: Listed,
    answer: WorkRow,
    status: 202,
  }),
}
