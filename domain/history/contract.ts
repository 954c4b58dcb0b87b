import type { Static } from 'typebox'
import * as Type from 'typebox'
import { auditor } from '#domain/access.ts'
import { Dictionary, get, Id, Moment, Nullable, Page, Search } from '#domain/contract.ts'
import { topic } from '#domain/topic.ts'

const Coloured = Type.Object({ id: Id, name: Type.String(), color: Type.String() })
const HistoryStatus = Type.Enum(['pending', 'open', 'group', 'closed', 'lgpd', 'nps', 'deleted'])

/** A ticket as an auditor finds it, whoever serves it and also after its deletion. */
export const HistoryRow = Type.Object({
  id: Id,
  uuid: Type.String(),
  companyId: Id,
  isGroup: Type.Boolean(),
  contact: Type.Object({ id: Id, name: Type.String(), number: Type.String() }),
  whatsapp: Type.String(),
  status: HistoryStatus,
  queue: Nullable(Coloured),
  user: Nullable(Coloured),
  revision: Type.Integer(),
  createdAt: Moment,
  updatedAt: Moment,
  deletedAt: Nullable(Moment),
  /** What was found when its chain was last walked through; null until then. */
  chain: Nullable(Type.Object({ holds: Type.Boolean(), checkedAt: Moment })),
})
export type HistoryRow = Static<typeof HistoryRow>

const Filter = Type.Object({
  ...Search.properties,
  /** Served it, or acted in it. */
  userId: Type.Optional(Id),
  queueId: Type.Optional(Id),
  status: Type.Optional(HistoryStatus),
  contactId: Type.Optional(Id),
  /** As it was found when it was last walked through. */
  chain: Type.Optional(Type.Enum(['intact', 'broken', 'unchecked'])),
  /** Days in the company's zone between which something happened in it. */
  from: Type.Optional(Type.String({ format: 'date' })),
  to: Type.Optional(Type.String({ format: 'date' })),
})
export type HistoryFilter = Static<typeof Filter>

/** What of a record is not as it was written: altered `words`, words without their `key`, or `plain` where they should be sealed. */
const faults = ['at', 'by', 'data', 'words', 'key', 'plain'] as const
const Fault = Type.Enum([...faults])
/**
 * What breaks a chain; `empty` and `cut`: records are missing at its end, as far as the index of histories or an anchor knows; `anchor`: what
 * the newest anchor knows is not what stands there, or none knows what it must; `head`: these are the records of another ticket, or of another contact.
 */
const Reason = Type.Enum(['gap', 'hash', 'mac', 'unsigned', 'empty', 'cut', 'anchor', 'head', ...faults])
const Finding = Type.Object({ holds: Type.Boolean(), brokenAt: Nullable(Type.Integer()), reason: Nullable(Reason) })
export type Finding = Static<typeof Finding>

/** The newest signed anchor, and up to which record it names the ticket. */
const Anchored = Type.Object({ number: Type.Integer(), at: Moment, revision: Type.Integer() })
/** By what anchors and exports are checked, and compared between people. */
const PublicKey = Type.Object({ publicKey: Type.String(), fingerprint: Type.String() })

/** So many facts of a ticket come at once, at a few hundred bytes each. */
export const historyPage = 5000

/** One fact of a ticket as an auditor reads it: unsealed, with its place and its hash. */
export const HistoryEvent = Type.Object({
  revision: Type.Integer(),
  id: Type.String(),
  type: Type.String(),
  at: Moment,
  /** When it happened by the provider's time, where it was told (A-TIME-01). */
  occurredAt: Nullable(Moment),
  by: Type.Object({ kind: Type.String(), id: Nullable(Id), name: Type.String() }),
  hash: Type.String(),
  fault: Nullable(Fault),
  /** Its words are gone by right: the key of its person was destroyed. */
  erased: Type.Boolean(),
  data: Dictionary(Type.Unknown()),
})
export type HistoryEvent = Static<typeof HistoryEvent>

export const history = {
  list: get('/ticket-history', {
    may: auditor,
    says: 'Every ticket of the company, deleted ones too, newest change first; by contact, number, id, user, queue, status, chain and days.',
    query: Filter,
    answer: Page('tickets', HistoryRow),
  }),
  queues: get('/ticket-history/queues', {
    may: auditor,
    says: 'Every queue that a ticket may have been in, retired ones too, by name.',
    answer: Type.Array(Type.Object({ id: Id, name: Type.String(), color: Type.String(), retired: Type.Boolean() })),
  }),
  people: get('/ticket-history/people', {
    may: auditor,
    says: 'Everybody who may have acted in a ticket or changed a list, those who left too, by name.',
    answer: Type.Array(Type.Object({ id: Id, name: Type.String(), retired: Type.Boolean() })),
  }),
  key: get('/ticket-history/key', {
    may: auditor,
    says: 'The public key that signs the anchors and exports of this server, and the newest anchor of the company.',
    answer: Type.Object({ ...PublicKey.properties, newest: Nullable(Type.Object({ number: Type.Integer(), at: Moment })) }),
  }),
  show: get('/ticket-history/:uuid', {
    may: auditor,
    says: 'The facts of a ticket in order from record `from` on, up to `most` (5,000 where it is not said, and no more), names beside the ids in them. `next`: where the following page begins, null at the end. `chain`, for a ticket that one page holds: whether the chain holds and every record is as it was written, and how far it is anchored; of a longer one /chain tells it.',
    query: Type.Object({
      from: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
      most: Type.Optional(Type.Integer({ minimum: 1, maximum: historyPage })),
    }),
    answer: Type.Object({
      ticket: Type.Object({
        id: Id,
        uuid: Type.String(),
        status: HistoryStatus,
        contact: Type.String(),
        number: Type.String(),
        whatsapp: Type.String(),
      }),
      events: Type.Array(HistoryEvent),
      next: Nullable(Type.Integer()),
      /** The last record that the index of histories has heard of. */
      revision: Type.Integer(),
      chain: Nullable(Finding),
      anchored: Nullable(Anchored),
      key: PublicKey,
      users: Dictionary(Type.String()),
      queues: Dictionary(Type.Object({ name: Type.String(), color: Type.String() })),
      lanes: Dictionary(Type.String()),
      mediaUrls: Dictionary(Type.String()),
    }),
  }),
  chain: get('/ticket-history/:uuid/chain', {
    may: auditor,
    says: 'Whether the whole chain of a ticket holds and every record is as it was written, and how far it is anchored.',
    answer: Type.Object({
      chain: Finding,
      anchored: Nullable(Anchored),
      /** How many records were walked through. */
      length: Type.Integer(),
    }),
  }),
  files: get('/ticket-history/:uuid/files', {
    may: auditor,
    says: 'Whether each file of a ticket has the bytes that its record names: how many there are, and which do not.',
    answer: Type.Object({
      files: Type.Integer(),
      bad: Type.Array(Type.Object({ key: Type.String(), name: Type.String(), revision: Type.Integer(), gone: Type.Boolean() })),
    }),
  }),
  record: get('/ticket-history/:uuid/records/:revision', {
    may: auditor,
    says: 'One fact as it is stored: sealed, with its hash.',
    answer: Type.Object({
      stream: Type.String(),
      revision: Type.Integer(),
      id: Type.String(),
      type: Type.String(),
      data: Type.Unknown(),
      meta: Type.Unknown(),
    }),
  }),
  export: get('/ticket-history/:uuid/export', {
    may: auditor,
    says: 'The ticket as one file that `npm run verify -- FILE` checks offline.',
    answer: Type.Unknown(),
  }),
}

type Grown = Pick<HistoryRow, 'id' | 'companyId' | 'uuid' | 'revision'>
/** Tells whoever replays a ticket that it has grown. */
export const historyTopic = topic<Grown>('ticketHistory', 'history', (viewer) => auditor(viewer) === null)
