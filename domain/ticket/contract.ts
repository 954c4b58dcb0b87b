import type { Static } from 'typebox'
import * as Type from 'typebox'
import { acting, admin, signedIn } from '#domain/access.ts'
import { WorkRow } from '#domain/bulk-operation/contract.ts'
import { del, get, Id, IdList, Moment, Nullable, PageNumber, post, put, Text } from '#domain/contract.ts'

export const Coloured = Type.Object({ id: Id, name: Type.String(), color: Type.String() })
export const Channel = Type.Enum(['whatsapp', 'whatsappapi', 'facebook', 'instagram'])
export const Status = Type.Enum(['pending', 'open', 'closed', 'group', 'lgpd', 'nps'])
export type Status = Static<typeof Status>

/** The contact inside a ticket. `number` comes masked to those who must not see it whole (A-LGPD-04). */
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
  /** The lane of the board that it stands in, a tag with kanban 1; null: in none. */
  laneId: Nullable(Id),
  /** What it may be worth, in reais (A-TICKET-19). */
  amount: Nullable(Type.Number()),
  lastMessage: Type.String(),
  lastMessageFromMe: Type.Boolean(),
  /** When it was said, whatever happened to the ticket since. */
  lastMessageAt: Nullable(Moment),
  lastMessageKind: Nullable(Type.String()),
  lastMessageDeleted: Type.Boolean(),
  /** Where the channel takes answers for some time only (A-CONN-03): when the contact last wrote by this connection, in whatever ticket. */
  heardAt: Nullable(Moment),
  /** The colleague who wrote it. */
  lastMessageUserId: Nullable(Id),
  /** That colleague's name, or the participant's in a group. */
  lastMessageSender: Nullable(Type.String()),
  /** Of ours, and written on the phone of the company. */
  lastMessageElsewhere: Type.Boolean(),
  lastMessageSeconds: Nullable(Type.Number()),
  /** The name of its file. */
  lastMessageFile: Nullable(Type.String()),
  /** Messages of ours that did not leave, or of which nobody knows whether they did. */
  failedMessages: Type.Integer(),
  unreadMessages: Type.Integer(),
  isTransfered: Type.Boolean(),
  /** Who handed it over, until its receiver opened it or somebody accepted it. */
  transfer: Nullable(Type.Object({ user: Nullable(Coloured), at: Moment, note: Nullable(Type.String()) })),
  useIntegration: Type.Boolean(),
  /** The revision of the newest fact that people caused (what a channel reports does not move it): sent back with a message, so that nobody answers over another's answer. */
  revision: Type.Integer(),
  createdAt: Moment,
  updatedAt: Moment,
  /** Since when it waits (A-TICKET-15); null while it does not, as one that was imported, until its contact writes. */
  waitingSince: Nullable(Moment),
  /** Of one that waits for an agent of a rotation: when it becomes the next one's turn (A-ROT-01). */
  turnEndsAt: Nullable(Moment),
  openedAt: Nullable(Moment),
  closedAt: Nullable(Moment),
  /** What the contact said of how they were served, from 0 to 10 (A-NPS-01). */
  nps: Nullable(Type.Integer()),
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
  /** Only those with messages that never left. */
  withFailedMessages: Type.Optional(Type.Boolean()),
  /** Days in the company's zone, on creation and on the last change (A-TICKET-17). */
  date: Type.Optional(Type.String({ format: 'date' })),
  updatedAt: Type.Optional(Type.String({ format: 'date' })),
  sortTickets: Type.Optional(Type.Enum(['ASC', 'DESC'])),
  searchOnMessages: Type.Optional(Type.Boolean()),
  /** One contact's tickets: the history in the contact drawer. */
  contactId: Type.Optional(Id),
})
export type TicketFilter = Static<typeof Filter>

/** The published call says which fields to set; app/ticket/routes.ts `intent` turns it into what the agent meant. */
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
    /** Resolves it by asking the contact for a rating on this scale. */
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
    says: 'Tickets in sight of the caller, newest change first; those in waiting as long as they have waited.',
    query: Filter,
    answer: Type.Object({
      tickets: Type.Array(TicketRow),
      hasMore: Type.Boolean(),
      /** How many there are in all; for a word that is in thousands of messages, how many are known so far. */
      count: Type.Integer(),
      /** With searchOnMessages: of each ticket the newest message that holds the text, where one does. */
      hits: Type.Array(Type.Object({ ticketId: Id, messageId: Id, before: Type.String(), hit: Type.String(), after: Type.String() })),
    }),
  }),
  unread: get('/tickets/unread', {
    may: signedIn,
    says: 'The tickets that title and menu count (A-RT-06): the caller’s own at work with unread messages and, with showNotificationPending, those in waiting that are no colleague’s.',
    answer: Type.Object({ ids: Type.Array(Id) }),
  }),
  byUuid: get('/tickets/u/:uuid', { may: signedIn, says: 'One ticket, opened: leaves an access entry.', answer: TicketRow }),
  seen: post('/tickets/:id/seen', {
    may: acting,
    says: 'Its messages were on screen up to this one: read, where the caller is its owner or it is a group.',
    body: Type.Object({ messageId: Id }, { additionalProperties: false }),
    answer: Type.Object({ unreadMessages: Type.Integer() }),
  }),
  open: post('/tickets', {
    follows: true,
    may: acting,
    says: 'Opens a ticket with a contact; refused where the contact has one that is active. One that only asks them for consent or a rating ends.',
    body: NewTicket,
    answer: TicketRow,
  }),
  change: put('/tickets/:id', {
    follows: true,
    may: acting,
    says: 'Accept, return, transfer, close or reopen, by the fields given; an amount is given alone. May answer with another ticket that has its place.',
    body: Change,
    answer: TicketRow,
  }),
  undo: post('/tickets/:id/undo', {
    follows: true,
    may: acting,
    says: 'Takes back the own last close, return or transfer, until somebody else acts or the contact writes. `seen`: revision of the row that answered it.',
    body: Type.Object({ seen: Type.Optional(Type.Integer({ minimum: 0 })) }, { additionalProperties: false }),
    answer: TicketRow,
  }),
  remove: del('/tickets/:id', { follows: true, may: admin, says: 'Deletes a ticket with its messages.' }),
  closeAll: post('/tickets/closeAll', {
    may: admin,
    says: 'Closes every ticket of these queues with this status; `batch` takes it back.',
    body: Type.Object(
      { status: Type.Enum(['pending', 'open', 'group', 'closed']), selectedQueueIds: Type.Array(Id, { maxItems: 200 }) },
      { additionalProperties: false },
    ),
    answer: Type.Object({ count: Type.Integer(), batch: Type.String() }),
  }),
  countAll: get('/tickets/closeAll', {
    may: admin,
    says: 'How many close-all would close.',
    query: Type.Object({ status: Type.Enum(['pending', 'open', 'group']), selectedQueueIds: IdList }),
    answer: Type.Object({ count: Type.Integer() }),
  }),
  undoAll: post('/tickets/closeAll/undo', {
    may: admin,
    says: 'Takes back a close-all, but for the tickets that somebody has acted on or whose contact has written since.',
    body: Type.Object({ batch: Type.String({ format: 'uuid' }) }, { additionalProperties: false }),
    answer: Type.Object({ count: Type.Integer() }),
  }),
}

const { searchOnMessages: _, ...filters } = tickets.list.query.properties // a list that is worked in is not searched by words
const Listed = Type.Object({ ...filters, status: Type.Enum(['pending', 'open', 'group']) }, { additionalProperties: false })

/** Closing what a list shows: the same filters, and nothing that they leave out. */
export const closing = {
  asked: get('/tickets/listed/close', {
    may: admin,
    says: 'How many tickets a list holds with these filters, and who serves them.',
    query: Listed,
    answer: Type.Object({
      count: Type.Integer(),
      holders: Type.Array(Type.Object({ user: Nullable(Type.Object({ id: Id, name: Type.String() })), count: Type.Integer() })),
    }),
  }),
  close: post('/tickets/listed/close', {
    may: admin,
    says: 'Closes every ticket that a list holds with these filters; `batch` takes it back.',
    body: Listed,
    answer: Type.Object({ count: Type.Integer(), batch: Type.String() }),
  }),
  begin: post('/tickets/listed/close-work', {
    may: admin,
    says: 'Begins to close every ticket that a list holds with these filters, as long work; `batch` takes it back.',
    body: Listed,
    answer: WorkRow,
    status: 202,
  }),
}
