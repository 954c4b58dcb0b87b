import type { Static } from 'typebox'
import * as Type from 'typebox'
import { auditor } from '#domain/access.ts'
import { Dictionary, get, Id, Moment, Nullable, Page, Search } from '#domain/contract.ts'
import { topic } from '#domain/topic.ts'

const Coloured = Type.Object({ id: Id, name: Type.String(), color: Type.String() })
const HistoryStatus = Type.Enum(['pending', 'open', 'group', 'closed', 'lgpd', 'nps', 'deleted'])

/** A ticket in the auditor's list, regardless of its owner and also after its deletion. */
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
  /** The result of the last chain verification; null: not verified yet. */
  chain: Nullable(Type.Object({ holds: Type.Boolean(), checkedAt: Moment })),
})
export type HistoryRow = Static<typeof HistoryRow>

const Filter = Type.Object({
  ...Search.properties,
  /** A user who served the ticket or acted on it. */
  userId: Type.Optional(Id),
  queueId: Type.Optional(Id),
  status: Type.Optional(HistoryStatus),
  contactId: Type.Optional(Id),
  /** The result of the last chain verification. */
  chain: Type.Optional(Type.Enum(['intact', 'broken', 'unchecked'])),
  /** Days in the company's time zone; the ticket has an event between them. */
  from: Type.Optional(Type.String({ format: 'date' })),
  to: Type.Optional(Type.String({ format: 'date' })),
})
export type HistoryFilter = Static<typeof Filter>

/** Faults of a record: altered `words`, words whose `key` is missing, or `plain` text that should be sealed. */
const faults = ['at', 'by', 'data', 'words', 'key', 'plain'] as const
const Fault = Type.Enum([...faults])
/**
 * What breaks a chain. `empty` and `cut`: records are missing at the end, according to the history index or an anchor.
 * `anchor`: the newest anchor does not match the records, or a required anchor is missing.
 * `head`: the records belong to another ticket or contact.
 */
const Reason = Type.Enum(['gap', 'hash', 'mac', 'unsigned', 'empty', 'cut', 'anchor', 'head', ...faults])
const Finding = Type.Object({ holds: Type.Boolean(), brokenAt: Nullable(Type.Integer()), reason: Nullable(Reason) })
export type Finding = Static<typeof Finding>

/** The newest signed anchor, and the last revision of the ticket that it covers. */
const Anchored = Type.Object({ number: Type.Integer(), at: Moment, revision: Type.Integer() })
/** The public key that verifies anchors and exports, and its fingerprint for people to compare. */
const PublicKey = Type.Object({ publicKey: Type.String(), fingerprint: Type.String() })

/** Maximum number of events per page, at a few hundred bytes each. */
export const historyPage = 5000

/** A ticket event as an auditor reads it: unsealed, with its revision and its hash. */
export const HistoryEvent = Type.Object({
  revision: Type.Integer(),
  id: Type.String(),
  type: Type.String(),
  at: Moment,
  /** When it happened by the provider's clock, if reported (A-TIME-01). */
  occurredAt: Nullable(Moment),
  by: Type.Object({ kind: Type.String(), id: Nullable(Id), name: Type.String() }),
  hash: Type.String(),
  fault: Nullable(Fault),
  /** Its personal fields were erased legitimately: the contact's key was destroyed. */
  erased: Type.Boolean(),
  data: Dictionary(Type.Unknown()),
})
export type HistoryEvent = Static<typeof HistoryEvent>

export const history = {
  list: get('/ticket-history', {
    may: auditor,
    summary:
      'Lists every ticket of the company, also deleted ones, newest change first; filtered by contact, number, id, user, queue, status, chain and days.',
    query: Filter,
    answer: Page('tickets', HistoryRow),
  }),
  queues: get('/ticket-history/queues', {
    may: auditor,
    summary: 'Lists every queue in the company’s order, also retired ones.',
    answer: Type.Array(Type.Object({ id: Id, name: Type.String(), color: Type.String(), retired: Type.Boolean() })),
  }),
  people: get('/ticket-history/people', {
    may: auditor,
    summary: 'Lists every user by name, also retired ones.',
    answer: Type.Array(Type.Object({ id: Id, name: Type.String(), retired: Type.Boolean() })),
  }),
  key: get('/ticket-history/key', {
    may: auditor,
    summary: 'Shows the public key that verifies the anchors and exports of this server, and the newest anchor of the company.',
    answer: Type.Object({ ...PublicKey.properties, newest: Nullable(Type.Object({ number: Type.Integer(), at: Moment })) }),
  }),
  show: get('/ticket-history/:uuid', {
    may: auditor,
    summary:
      'Lists the events of a ticket in order, from revision `from` on, at most `most` (5,000 by default and at most), with the names of the ids in them. `next`: the first revision of the next page; null at the end. `chain`: the chain verification, for a ticket that fits one page; for a longer one use /chain.',
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
      /** The last revision in the history index. */
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
    summary: 'Verifies the whole chain and every record of a ticket, and shows how far it is anchored.',
    answer: Type.Object({
      chain: Finding,
      anchored: Nullable(Anchored),
      /** The number of verified records. */
      length: Type.Integer(),
    }),
  }),
  files: get('/ticket-history/:uuid/files', {
    may: auditor,
    summary: 'Verifies the files of a ticket against their records: counts them and lists altered or missing ones.',
    answer: Type.Object({
      files: Type.Integer(),
      bad: Type.Array(Type.Object({ key: Type.String(), name: Type.String(), revision: Type.Integer(), gone: Type.Boolean() })),
    }),
  }),
  record: get('/ticket-history/:uuid/records/:revision', {
    may: auditor,
    summary: 'Shows an event as it is stored: sealed, with its hash.',
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
    summary: 'Exports the ticket as a file that `npm run verify -- FILE` checks offline.',
    answer: Type.Unknown(),
  }),
}

type Grown = Pick<HistoryRow, 'id' | 'companyId' | 'uuid' | 'revision'>
/** Notifies viewers of a replay about new events of the ticket. */
export const historyTopic = topic<Grown>('ticketHistory', 'history', (viewer) => auditor(viewer) === null)
