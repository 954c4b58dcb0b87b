import type { Static } from 'typebox'
import * as Type from 'typebox'
import { acting, signedIn } from '#domain/access.ts'
import { del, get, Id, IdList, Moment, Nullable, PageNumber, post, put, Text } from '#domain/contract.ts'
import { type Interactive, kinds } from '#domain/interactive/rules.ts'
import { Status } from '#domain/ticket/contract.ts'

const Named = Type.Object({ id: Id, name: Type.String() })
const Coloured = Type.Object({ id: Id, name: Type.String(), color: Type.String() })
const words = { type: 'string' } as const
const option = { type: 'object', additionalProperties: false, properties: { id: words, title: words, description: words } } as const
const section = {
  type: 'object',
  additionalProperties: false,
  properties: { title: words, rows: { type: 'array', items: option } },
} as const
/** Each kind uses some of these fields. Not a union, because serialization would try every variant for each row. */
export const Touched = Type.Unsafe<Interactive>({
  type: 'object',
  additionalProperties: false,
  required: ['kind', 'title', 'description'],
  properties: {
    ...{ kind: { type: 'string', enum: [...kinds] }, title: words, description: words, buttonText: words },
    sections: { type: 'array', items: section },
    ...{ url: words, copies: words, phone: words, keyType: words, key: words, merchant: words, code: words },
    cents: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
  },
})

export const MessageRow = Type.Object({
  id: Id,
  companyId: Id,
  ticketId: Id,
  ticket: Type.Object({
    id: Id,
    uuid: Type.String(),
    status: Status,
    queueId: Nullable(Id),
    queue: Nullable(Coloured),
    whatsappId: Id,
    isGroup: Type.Boolean(),
    userId: Nullable(Id),
    /** When the ticket was created; a conversation shows its tickets in this order. */
    createdAt: Moment,
  }),
  queueId: Nullable(Id),
  body: Type.String(),
  fromMe: Type.Boolean(),
  /** The agent who wrote it; null for messages of the contact and of the system. */
  user: Nullable(Named),
  /** The author on the contact's side; in a group, the participant. */
  contact: Nullable(Type.Object({ name: Type.String() })),
  isDeleted: Type.Boolean(),
  deletedBy: Nullable(Type.Enum(['us', 'contact'])),
  isEdited: Type.Boolean(),
  isForwarded: Type.Boolean(),
  isPrivate: Type.Boolean(),
  /** Whether an agent has seen or answered a contact's message (A-TICKET-06); always true for our own messages. */
  read: Type.Boolean(),
  /** 0 clock, 1 sent, 2 delivered, 3 or 4 read, 5 played (R-INBOX-20). */
  ack: Type.Integer(),
  /** The error code if sending failed; null: no error. */
  failed: Nullable(Type.String()),
  /** The channel did not confirm whether it accepted the message. */
  uncertain: Type.Boolean(),
  /** An external message: written on the company's own phone or in the provider's own inbox. */
  elsewhere: Type.Boolean(),
  /** A contact's message that cannot be decrypted yet; its content replaces it later. */
  undecryptable: Type.Boolean(),
  /** The message that resent this one. */
  sentAgain: Nullable(Id),
  /** The approved template with which it was sent. */
  template: Nullable(Type.Object({ name: Type.String(), category: Type.String() })),
  mediaType: Type.String(),
  /** A signed URL that is valid for at least a day; null: no file. */
  mediaUrl: Nullable(Type.String()),
  media: Nullable(
    Type.Object({
      mime: Type.String(),
      name: Type.String(),
      size: Type.Integer(),
      width: Nullable(Type.Integer()),
      height: Nullable(Type.Integer()),
      seconds: Nullable(Type.Number()),
    }),
  ),
  vCard: Nullable(Type.String()),
  /** The interactive part; the body contains the same as text. */
  interactive: Nullable(Touched),
  /** The origin or subject of a contact's message, if that is not a message. */
  about: Nullable(
    Type.Object({
      of: Type.Enum(['story', 'mention', 'ad', 'link', 'optin', 'kind', 'quote', 'ourQuote', 'contactQuote', 'status']),
      title: Type.String(),
      text: Type.String(),
      url: Nullable(Type.String()),
    }),
  ),
  quotedMsg: Nullable(
    Type.Object({
      id: Id,
      body: Type.String(),
      fromMe: Type.Boolean(),
      isDeleted: Type.Boolean(),
      mediaType: Type.String(),
      mediaUrl: Nullable(Type.String()),
      contact: Nullable(Type.Object({ name: Type.String() })),
    }),
  ),
  /** One reaction per side (A-MSG-06). A change of a reaction is an update of its message. */
  reactions: Type.Array(
    Type.Object({
      mediaType: Type.Enum(['reactionMessage']),
      emoji: Type.String(),
      from: Type.Enum(['us', 'contact']),
      /** The name of the group participant; null outside groups, or if unknown. */
      name: Nullable(Type.String()),
    }),
  ),
  /** The revision in the ticket. Messages are sorted by ticket creation and revision, not by id. */
  revision: Type.Integer(),
  createdAt: Moment,
})
export type MessageRow = Static<typeof MessageRow>

const flag = Type.Optional(Type.Boolean())
const NewMessage = Type.Object(
  {
    /** Published clients send it empty; files are sent as multipart. */
    mediaUrl: Type.Optional(Type.Union([Type.Literal(''), Type.Null()])),
    body: Type.Optional(Text(10_000)),
    quotedMsg: Type.Optional(Type.Union([Type.Object({ id: Id }, { additionalProperties: true }), Type.Null()])),
    isPrivate: flag,
    vCard: Type.Optional(Type.Union([Text(10_000), Type.Null()])),
    /** The ticket's revision on screen; absent: no guard. */
    seen: Type.Optional(Type.Integer({ minimum: 0, maximum: 2147483647 })),
    /** The agent saw the newer answer and sends anyway. */
    anyway: flag,
    signMessage: flag,
  },
  { additionalProperties: false },
)
const Edit = Type.Object({ body: Text(10_000, 1) }, { additionalProperties: false })

/** A found message, with some text around the match. */
const Found = Type.Object({
  messageId: Id,
  ticketId: Id,
  revision: Type.Integer(),
  fromMe: Type.Boolean(),
  isPrivate: Type.Boolean(),
  createdAt: Moment,
  /** The match as written, with the text before and after it. */
  before: Type.String(),
  hit: Type.String(),
  after: Type.String(),
  /** The page of `GET /messages/:ticketId` that contains it now. */
  pageNumber: PageNumber,
})
export type FoundMessage = Static<typeof Found>

/** A message that failed or whose delivery is uncertain, with its ticket. */
const Failed = Type.Object({
  id: Id,
  ticketId: Id,
  uuid: Type.String(),
  /** Whether the sender still sees the ticket. */
  inSight: Type.Boolean(),
  contact: Type.Object({ name: Type.String() }),
  mediaType: Type.String(),
  /** The beginning of the text. */
  body: Type.String(),
  failed: Nullable(Type.String()),
  uncertain: Type.Boolean(),
  createdAt: Moment,
})
export type FailedMessage = Static<typeof Failed>

export const messages = {
  failed: get('/messages/failed', {
    may: signedIn,
    summary:
      'Lists failed and uncertain messages, newest first, at most 100: those that the caller sent, and those in tickets that the caller serves, without dismissed ones.',
    answer: Type.Object({ messages: Type.Array(Failed), count: Type.Integer() }),
  }),
  dismiss: post('/messages/:id/dismiss', {
    may: acting,
    summary: 'Removes a message from the caller’s GET /messages/failed; nothing else changes.',
  }),
  list: get('/messages/:ticketId', {
    may: signedIn,
    summary:
      'Lists messages, newest page first, oldest message first within a page. Marks nothing as read, and records the access of a caller who does not serve the ticket (A-TICKET-06). Earlier tickets of the contact follow (A-VIS-02). beforeId lists the messages before this one, sinceId this one and those after it; hasMore then tells of further messages in that direction. They exclude each other and pageNumber.',
    query: Type.Object({
      pageNumber: Type.Optional(PageNumber),
      beforeId: Type.Optional(Id),
      sinceId: Type.Optional(Id),
      selectedQueues: Type.Optional(IdList),
    }),
    answer: Type.Object({ messages: Type.Array(MessageRow), hasMore: Type.Boolean() }),
  }),
  search: get('/messages/:ticketId/search', {
    may: signedIn,
    summary: 'Searches the messages that GET /messages/:ticketId shows for a text, ignoring accents, newest first.',
    query: Type.Object({ searchParam: Text(200, 1), pageNumber: Type.Optional(PageNumber) }),
    answer: Type.Object({ messages: Type.Array(Found), hasMore: Type.Boolean(), count: Type.Integer() }),
  }),
  print: post('/messages/:ticketId/print', {
    may: signedIn,
    summary:
      'Records that the conversation is exported as a document, and returns its length; the messages are read with GET /messages/:ticketId.',
    answer: Type.Object({
      messages: Type.Integer(),
      /** The number of messages in earlier tickets of the contact that the viewer may read. */
      earlier: Type.Integer(),
    }),
  }),
  send: post('/messages/:ticketId', {
    eventuallyConsistent: true,
    may: acting,
    summary: 'Sends text, a contact card or files (multipart: medias, after the other fields). Answers the new messages.',
    upload: true,
    ignores: ['read', 'fromMe'],
    errors: ['ERR_UPLOAD_QUOTA', 'ERR_COMMAND_REUSED'],
    body: NewMessage,
    answer: Type.Object({ messages: Type.Array(MessageRow) }),
  }),
  edit: post('/messages/edit/:id', {
    eventuallyConsistent: true,
    may: acting,
    summary: 'Edits the text of a sent message, also for the customer.',
    body: Edit,
    answer: MessageRow,
  }),
  change: put('/messages/:id', {
    eventuallyConsistent: true,
    may: acting,
    summary: 'Does the same as POST /messages/edit/:id.',
    body: Edit,
    answer: MessageRow,
  }),
  remove: del('/messages/:id', {
    eventuallyConsistent: true,
    may: acting,
    summary: 'Deletes a sent message, also for the customer.',
    answer: MessageRow,
  }),
  react: post('/messages/:id/reactions', {
    eventuallyConsistent: true,
    may: acting,
    summary: 'Sets or removes our reaction to a message: one emoji.',
    body: Type.Object({ type: Text(16, 1) }, { additionalProperties: false }),
    answer: MessageRow,
  }),
  again: post('/messages/:id/again', {
    eventuallyConsistent: true,
    may: acting,
    summary: 'Resends a failed message with its file and its quote; a repeated call answers the resent message.',
    answer: MessageRow,
  }),
  check: post('/messages/:id/check', {
    may: acting,
    summary:
      'Checks with the channel whether an uncertain message arrived; an arrived message counts as sent. `silent`: the channel should have confirmed by now; `unknown`: the channel cannot tell.',
    answer: Type.Object({ outcome: Type.Enum(['arrived', 'missing', 'silent', 'unknown']) }),
  }),
  forward: post('/message/forward', {
    may: acting,
    summary: 'Forwards a message to the contact’s active ticket on that connection, or to a new ticket in `queueId` or the source’s queue.',
    body: Type.Object(
      { messageId: Id, contactId: Id, queueId: Type.Optional(Type.Union([Id, Type.Null()])), signMessage: flag },
      { additionalProperties: false },
    ),
    answer: Type.Object({ sent: Type.Literal(true) }),
  }),
}
