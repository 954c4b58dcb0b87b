import type { Static } from 'typebox'
import * as Type from 'typebox'
import { admin, mayConnect, superAdmin } from '#domain/access.ts'
import { get, Moment, Name, Nullable, post, Text } from '#domain/contract.ts'
import { dayMs, hourMs, minuteMs } from '#domain/duration/rules.ts'
import { Touched } from '#domain/message/contract.ts'

/** The provider's message id, which the simulated phone creates. */
const ExternalId = Type.String({ minLength: 1, maxLength: 128, pattern: '^[\\x21-\\x7e]+$' })
/** A number in a provider's format, or as the screens show it: "+55 (11) 91111-2222". */
const Number_ = Type.String({ minLength: 5, maxLength: 60, pattern: '^[\\w@.+() -]+$' })

export const Inbound = Type.Object(
  {
    id: ExternalId,
    from: Number_,
    name: Name(250),
    body: Type.Optional(Text(10_000)),
    mediaType: Type.Optional(Type.Enum(['image', 'audio', 'video', 'application', 'locationMessage', 'contactMessage'])),
    /** An uploaded file of this server (`/api/media/…`) or a data: URL. Nothing is fetched from other hosts. */
    mediaUrl: Type.Optional(Type.String({ maxLength: 2_000_000 })),
    quotedId: Type.Optional(ExternalId),
    /** Reacts to `quotedId` with this emoji; empty removes the reaction. */
    reaction: Type.Optional(Text(16)),
    /** The id of the message that is deleted for everyone. */
    deletes: Type.Optional(ExternalId),
    /** The id of the message whose text `body` replaces. */
    edits: Type.Optional(ExternalId),
    /** The company's own phone did it, in the chat with `from`. */
    fromMe: Type.Optional(Type.Literal(true)),
    /** The message cannot be decrypted yet; it is sent again with the same id. */
    undecryptable: Type.Optional(Type.Literal(true)),
    /** The customer calls. */
    call: Type.Optional(Type.Enum(['voice', 'video'])),
    at: Type.Optional(Type.String({ format: 'date-time' })),
    /** The id and name of the group in which it was written. */
    group: Type.Optional(Type.Object({ id: Number_, name: Name(250) })),
  },
  { additionalProperties: false },
)
export type Inbound = Static<typeof Inbound>

/** A message that the simulated phones received, in order of arrival. */
export const PhoneRow = Type.Object({
  n: Type.Integer(),
  id: Type.String(),
  to: Type.String(),
  kind: Type.String(),
  body: Type.String(),
  at: Moment,
  mediaUrl: Nullable(Type.String()),
  mime: Nullable(Type.String()),
  quotedId: Nullable(Type.String()),
  interactive: Nullable(Touched),
})
export type PhoneRow = Static<typeof PhoneRow>

/** One message on a phone's screen, sent or received. */
export const PhoneLine = Type.Object({
  id: Type.String(),
  mine: Type.Boolean(),
  kind: Type.String(),
  body: Type.String(),
  mediaUrl: Nullable(Type.String()),
  mime: Nullable(Type.String()),
  quotedId: Nullable(Type.String()),
  interactive: Nullable(Touched),
  mark: Type.String(),
  reactions: Type.Array(Type.Object({ emoji: Type.String(), mine: Type.Boolean() })),
  removed: Type.Boolean(),
  edited: Type.Boolean(),
  at: Moment,
})
export type PhoneLine = Static<typeof PhoneLine>

const Customer = Type.Object({ number: Type.String(), name: Type.String(), lastAt: Nullable(Moment) })

export const sandbox = {
  scan: post('/sandbox/:connectionId/scan', {
    may: mayConnect,
    summary: 'Simulates that the company’s phone scans the QR code and links the connection.',
    status: 202,
  }),
  session: post('/sandbox/:connectionId/session', {
    may: mayConnect,
    summary: 'Simulates a state of the connection with its reason, or a silent network.',
    body: Type.Object(
      {
        status: Type.Enum(['CONNECTED', 'DISCONNECTED', 'TIMEOUT']),
        reason: Type.Optional(Type.String({ minLength: 1, maxLength: 60, pattern: '^\\w+$' })),
        silent: Type.Optional(Type.Boolean()),
      },
      { additionalProperties: false },
    ),
    status: 202,
  }),
  people: post('/sandbox/:connectionId/people', {
    may: admin,
    summary: 'Simulates that the company’s phone sends its address book, or the people of its chats.',
    body: Type.Object(
      {
        source: Type.Enum(['book', 'chats']),
        people: Type.Array(Type.Object({ number: Number_, name: Text(250) }, { additionalProperties: false }), { maxItems: 1000 }),
      },
      { additionalProperties: false },
    ),
    status: 202,
  }),
  customers: get('/sandbox/:connectionId/customers', {
    may: admin,
    summary: 'Lists the simulated customers.',
    answer: Type.Array(Customer),
  }),
  phone: get('/sandbox/:connectionId/phone/:number', {
    may: admin,
    summary: 'Lists the messages on a customer’s phone, in order.',
    answer: Type.Array(PhoneLine),
  }),
  inbound: post('/sandbox/:connectionId/inbound', {
    may: admin,
    summary:
      'Simulates a customer or the company’s own phone that writes, reacts, edits, deletes or calls. Answers 202 once it is stored; a repeated id is a duplicate.',
    upload: true,
    bodyLimitKb: 3072, // a file may be a data: URL
    body: Inbound,
    status: 202,
    answer: Type.Object({ duplicate: Type.Boolean() }),
  }),
  outbox: get('/sandbox/:connectionId/outbox', {
    may: admin,
    summary: 'Lists the messages that the phones received, in order.',
    query: Type.Object({
      after: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
      to: Type.Optional(Number_),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    }),
    answer: Type.Array(PhoneRow),
  }),
  marks: post('/sandbox/:connectionId/marks', {
    may: admin,
    summary: 'Simulates a delivery receipt: delivered, read or played.',
    body: Type.Object({ id: ExternalId, mark: Type.Enum(['delivered', 'read', 'played']) }, { additionalProperties: false }),
    status: 202,
  }),
  faults: post('/sandbox/:connectionId/faults', {
    may: admin,
    summary:
      'Simulates faults of the next `count` sends: a lost answer, a delay, a deferral, a failure (at once or after acceptance), or duplicate receipts.',
    body: Type.Object(
      {
        loseAnswers: Type.Optional(Type.Boolean()),
        delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: minuteMs })),
        laterMs: Type.Optional(Type.Integer({ minimum: 0, maximum: hourMs })),
        failCode: Type.Optional(Type.String({ minLength: 1, maxLength: 60, pattern: '^\\w+$' })),
        afterwards: Type.Optional(Type.Boolean()),
        duplicate: Type.Optional(Type.Boolean()),
        count: Type.Integer({ minimum: 0, maximum: 10_000 }),
      },
      { additionalProperties: false },
    ),
    status: 202,
  }),
}

/** The largest advance in one call. */
const mostMs = 366 * dayMs
const SimulatedClock = Type.Object({ now: Moment, aheadMs: Type.Integer() })
export const sandboxClock = {
  now: get('/sandbox/clock', {
    may: admin,
    summary: 'Shows the simulated time, and its offset from the system clock.',
    answer: SimulatedClock,
  }),
  advance: post('/sandbox/clock', {
    may: superAdmin,
    summary: 'Moves the simulated clock forward in every process; due actions run then. The clock never goes back.',
    body: Type.Object({ advanceMs: Type.Integer({ minimum: 1, maximum: mostMs }) }, { additionalProperties: false }),
    answer: SimulatedClock,
    errors: ['ERR_REAL_CONNECTION', 'ERR_BUSY'],
  }),
}
