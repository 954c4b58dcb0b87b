import type { Static } from 'typebox'
import * as Type from 'typebox'
import { admin, mayConnect, superAdmin } from '#domain/access.ts'
import { get, Moment, Name, Nullable, post, Text } from '#domain/contract.ts'
import { Touched } from '#domain/message/contract.ts'

/** A provider's id of a message: what the phone made up. */
const ExternalId = Type.String({ minLength: 1, maxLength: 128, pattern: '^[\\x21-\\x7e]+$' })
/** As a provider writes it, or as this product shows it: "+55 (11) 91111-2222". */
const Number_ = Type.String({ minLength: 5, maxLength: 60, pattern: '^[\\w@.+() -]+$' })

export const Inbound = Type.Object(
  {
    id: ExternalId,
    from: Number_,
    name: Name(250),
    body: Type.Optional(Text(10_000)),
    mediaType: Type.Optional(Type.Enum(['image', 'audio', 'video', 'application', 'locationMessage', 'contactMessage'])),
    /** A file of ours that was uploaded before (`/api/media/…`), or a data: URL. Nothing is fetched from elsewhere. */
    mediaUrl: Type.Optional(Type.String({ maxLength: 2_000_000 })),
    quotedId: Type.Optional(ExternalId),
    /** Reacts to `quotedId` with this emoji; empty takes the reaction back. */
    reaction: Type.Optional(Text(16)),
    /** Deletes this message for everyone. */
    deletes: Type.Optional(ExternalId),
    /** Replaces the text of this message by `body`. */
    edits: Type.Optional(ExternalId),
    /** It was written, edited, deleted or reacted to on the company’s own phone, to `from`. */
    fromMe: Type.Optional(Type.Literal(true)),
    /** Nobody can read it yet; it comes again under the same id. */
    undecryptable: Type.Optional(Type.Literal(true)),
    /** The customer calls. */
    call: Type.Optional(Type.Enum(['voice', 'video'])),
    at: Type.Optional(Type.String({ format: 'date-time' })),
    /** The group it was written in: its id and name. */
    group: Type.Optional(Type.Object({ id: Number_, name: Name(250) })),
  },
  { additionalProperties: false },
)
export type Inbound = Static<typeof Inbound>

/** What lies on the phones' side of the sandbox, in the order in which it got there. */
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

/** One line of a phone's own screen, both directions. */
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
    says: 'The company’s own phone reads the code of the connection, which is linked by it.',
    status: 202,
  }),
  session: post('/sandbox/:connectionId/session', {
    may: mayConnect,
    says: 'The network says how the connection stands, and why; or nothing comes back from it any more.',
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
  customers: get('/sandbox/:connectionId/customers', {
    may: admin,
    says: 'Who has written or been written to.',
    answer: Type.Array(Customer),
  }),
  phone: get('/sandbox/:connectionId/phone/:number', {
    may: admin,
    says: 'One customer’s phone: what it shows, in order.',
    answer: Type.Array(PhoneLine),
  }),
  inbound: post('/sandbox/:connectionId/inbound', {
    may: admin,
    says: 'A customer writes, reacts, edits, deletes or calls, or the company does on its own phone. 202 only once it is durable; a repeated id is a duplicate.',
    upload: true,
    kilobytes: 3072, // a file may come as a data: URL
    body: Inbound,
    status: 202,
    answer: Type.Object({ duplicate: Type.Boolean() }),
  }),
  outbox: get('/sandbox/:connectionId/outbox', {
    may: admin,
    says: 'What the phones received, in order.',
    query: Type.Object({
      after: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
      to: Type.Optional(Number_),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    }),
    answer: Type.Array(PhoneRow),
  }),
  marks: post('/sandbox/:connectionId/marks', {
    may: admin,
    says: 'The phone reports a message as delivered, read or played.',
    body: Type.Object({ id: ExternalId, mark: Type.Enum(['delivered', 'read', 'played']) }, { additionalProperties: false }),
    status: 202,
  }),
  faults: post('/sandbox/:connectionId/faults', {
    may: admin,
    says: 'The next `count` sends lose their answer, come late, are put off, fail with a code (at once, or after they were taken), or report their marks twice.',
    body: Type.Object(
      {
        loseAnswers: Type.Optional(Type.Boolean()),
        delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000 })),
        laterMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600_000 })),
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

/** No test waits longer at once. */
const mostMs = 366 * 86_400_000
const HouseClock = Type.Object({ now: Moment, aheadMs: Type.Integer() })
export const sandboxClock = {
  now: get('/sandbox/clock', {
    may: admin,
    says: 'What time it is in the house, and how far that is ahead of the machine.',
    answer: HouseClock,
  }),
  advance: post('/sandbox/clock', {
    may: superAdmin,
    says: 'Moves the clock of the house forward, in every process once it is answered; what is due by then happens. It never goes back.',
    body: Type.Object({ advanceMs: Type.Integer({ minimum: 1, maximum: mostMs }) }, { additionalProperties: false }),
    answer: HouseClock,
    refuses: ['ERR_REAL_CONNECTION', 'ERR_BUSY'],
  }),
}
