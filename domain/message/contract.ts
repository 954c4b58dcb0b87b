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
/** By its kind some of these; a union would be tried kind by kind for every row that is written. */
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
    /** When it began: a conversation shows its tickets in this order. */
    createdAt: Moment,
  }),
  queueId: Nullable(Id),
  body: Type.String(),
  fromMe: Type.Boolean(),
  /** Who of us wrote it; null for the contact's own and for what the system sent. */
  user: Nullable(Named),
  /** Who wrote it on the other side: in a group, the participant. */
  contact: Nullable(Type.Object({ name: Type.String() })),
  isDeleted: Type.Boolean(),
  deletedBy: Nullable(Type.Enum(['us', 'contact'])),
  isEdited: Type.Boolean(),
  isForwarded: Type.Boolean(),
  isPrivate: Type.Boolean(),
  /** Of a contact's: somebody of ours has seen it, or answered behind it (A-TICKET-06); what is ours is always read. */
  read: Type.Boolean(),
  /** 0 clock, 1 sent, 2 delivered, 3 or 4 read, 5 played (R-INBOX-20). */
  ack: Type.Integer(),
  /** Why it did not leave; null while nothing is wrong. */
  failed: Nullable(Type.String()),
  /** The channel did not say whether it took it. */
  uncertain: Type.Boolean(),
  /** Ours, and written on the company’s own phone or in the provider’s own inbox. */
  elsewhere: Type.Boolean(),
  /** A contact’s, and nobody can read it yet; what it says comes in its place. */
  undecryptable: Type.Boolean(),
  /** The message as which it was sent once more. */
  sentAgain: Nullable(Id),
  /** It went as a template that its provider approved. */
  template: Nullable(Type.Object({ name: Type.String(), category: Type.String() })),
  mediaType: Type.String(),
  /** Signed and good for a day or more; null where there is no file. */
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
  /** What its reader chooses or touches; the body says the same in words alone. */
  interactive: Nullable(Touched),
  /** Of a contact’s: what it came by, or is about, where that is no message. */
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
  /** One a side (A-MSG-06); a reaction that comes, changes or goes is an update of its message. */
  reactions: Type.Array(
    Type.Object({
      mediaType: Type.Enum(['reactionMessage']),
      emoji: Type.String(),
      from: Type.Enum(['us', 'contact']),
      /** Of whoever it was in a group, as they call themselves; null outside, or where nobody said. */
      name: Nullable(Type.String()),
    }),
  ),
  /** Its place in the ticket: messages stand in the order of tickets as these began, and of revision, not of id. */
  revision: Type.Integer(),
  createdAt: Moment,
})
export type MessageRow = Static<typeof MessageRow>

const flag = Type.Optional(Type.Boolean())
const NewMessage = Type.Object(
  {
    /** Published clients send it empty; files go as multipart. */
    mediaUrl: Type.Optional(Type.Union([Type.Literal(''), Type.Null()])),
    body: Type.Optional(Text(10_000)),
    quotedMsg: Type.Optional(Type.Union([Type.Object({ id: Id }, { additionalProperties: true }), Type.Null()])),
    isPrivate: flag,
    vCard: Type.Optional(Type.Union([Text(10_000), Type.Null()])),
    /** The ticket's revision on screen; absent: no guard. */
    seen: Type.Optional(Type.Integer({ minimum: 0, maximum: 2147483647 })),
    /** The agent saw what was answered meanwhile and sends all the same. */
    anyway: flag,
    signMessage: flag,
  },
  { additionalProperties: false },
)
const Edit = Type.Object({ body: Text(10_000, 1) }, { additionalProperties: false })

/** A message found by its words, with the few around them. */
const Found = Type.Object({
  messageId: Id,
  ticketId: Id,
  revision: Type.Integer(),
  fromMe: Type.Boolean(),
  isPrivate: Type.Boolean(),
  createdAt: Moment,
  /** Where the text was found, as it was written, and what stands around it. */
  before: Type.String(),
  hit: Type.String(),
  after: Type.String(),
  /** The page of `GET /messages/:ticketId` that holds it now. */
  pageNumber: PageNumber,
})
export type FoundMessage = Static<typeof Found>

/** A message that did not leave, or of which nobody knows whether it did, and the ticket it is in. */
const Failed = Type.Object({
  id: Id,
  ticketId: Id,
  uuid: Type.String(),
  /** The ticket may have gone where who sent it does not look. */
  inSight: Type.Boolean(),
  contact: Type.Object({ name: Type.String() }),
  mediaType: Type.String(),
  /** How it begins. */
  body: Type.String(),
  failed: Nullable(Type.String()),
  uncertain: Type.Boolean(),
  createdAt: Moment,
})
export type FailedMessage = Static<typeof Failed>

export const messages = {
  failed: get('/messages/failed', {
    may: signedIn,
    says: 'What did not leave, newest first, at most 100: all that the caller sent, in whatever ticket and state, and all in the tickets they serve; without what they dismissed.',
    answer: Type.Object({ messages: Type.Array(Failed), count: Type.Integer() }),
  }),
  dismiss: post('/messages/:id/dismiss', {
    may: acting,
    says: 'Takes a message out of the caller’s GET /messages/failed; nothing else changes.',
  }),
  list: get('/messages/:ticketId', {
    may: signedIn,
    says: 'Newest page, oldest message first; marks nothing as read, and notes the access of who does not serve the ticket (A-TICKET-06). Earlier tickets of the contact follow (A-VIS-02).',
    query: Type.Object({ pageNumber: Type.Optional(PageNumber), selectedQueues: Type.Optional(IdList) }),
    answer: Type.Object({ messages: Type.Array(MessageRow), hasMore: Type.Boolean() }),
  }),
  search: get('/messages/:ticketId/search', {
    may: signedIn,
    says: 'Messages of one conversation that hold a text, accents ignored, newest first: those that GET /messages/:ticketId shows, and no others.',
    query: Type.Object({ searchParam: Text(200, 1), pageNumber: Type.Optional(PageNumber) }),
    answer: Type.Object({ messages: Type.Array(Found), hasMore: Type.Boolean(), count: Type.Integer() }),
  }),
  print: post('/messages/:ticketId/print', {
    may: signedIn,
    says: 'Notes that the conversation is taken out as a document, and says how long it is; its words are read by GET /messages/:ticketId.',
    answer: Type.Object({
      messages: Type.Integer(),
      /** Of the contact's earlier tickets that the viewer reads with this one. */
      earlier: Type.Integer(),
    }),
  }),
  send: post('/messages/:ticketId', {
    follows: true,
    may: acting,
    says: 'Sends text, a contact card, or files (multipart: medias, behind the other fields). Answers with what now stands in the thread.',
    upload: true,
    ignores: ['read', 'fromMe'],
    refuses: ['ERR_UPLOAD_QUOTA', 'ERR_COMMAND_REUSED'],
    body: NewMessage,
    answer: Type.Object({ messages: Type.Array(MessageRow) }),
  }),
  edit: post('/messages/edit/:id', {
    follows: true,
    may: acting,
    says: 'Changes the words of a message of ours, for the customer too.',
    body: Edit,
    answer: MessageRow,
  }),
  change: put('/messages/:id', {
    follows: true,
    may: acting,
    says: 'The same as POST /messages/edit/:id.',
    body: Edit,
    answer: MessageRow,
  }),
  remove: del('/messages/:id', {
    follows: true,
    may: acting,
    says: 'Deletes a message of ours, for the customer too.',
    answer: MessageRow,
  }),
  react: post('/messages/:id/reactions', {
    follows: true,
    may: acting,
    says: 'Our reaction to a message: one emoji.',
    body: Type.Object({ type: Text(16, 1) }, { additionalProperties: false }),
    answer: MessageRow,
  }),
  again: post('/messages/:id/again', {
    follows: true,
    may: acting,
    says: 'Sends what did not leave once more, its file and its quote with it; asked twice, answers what it became.',
    answer: MessageRow,
  }),
  check: post('/messages/:id/check', {
    may: acting,
    says: 'Asks the channel whether it has what we sent, where it did not say so; a message that it has is sent from then on. `silent`: it would have said so by now; `unknown`: it does not say.',
    answer: Type.Object({ outcome: Type.Enum(['arrived', 'missing', 'silent', 'unknown']) }),
  }),
  forward: post('/message/forward', {
    may: acting,
    says: 'Into the contact’s active ticket on that connection, whoever serves it, else a new one in `queueId` or the source’s queue.',
    body: Type.Object(
      { messageId: Id, contactId: Id, queueId: Type.Optional(Type.Union([Id, Type.Null()])), signMessage: flag },
      { additionalProperties: false },
    ),
    answer: Type.Object({ sent: Type.Literal(true) }),
  }),
}

/** Only ever says `refresh`: what GET /messages/failed answers has changed. */
