import type { Static } from 'typebox'
import * as Type from 'typebox'
import { admin } from '#domain/access.ts'
import { get, Id, Moment, Nullable, PageNumber, post, Text } from '#domain/contract.ts'

/** How many days the file of an export is kept. */
export const exportDays = 7

/** What an erasure removes. `elsewhere`: messages and notes in the tickets of other people; `extraFields`: other contacts. */
const counts = {
  tickets: Type.Integer(),
  messages: Type.Integer(),
  notes: Type.Integer(),
  files: Type.Integer(),
  cardsElsewhere: Type.Integer(),
  messagesElsewhere: Type.Integer(),
  importRows: Type.Integer(),
  phoneBook: Type.Integer(),
  journal: Type.Integer(),
  outbox: Type.Integer(),
  savedTexts: Type.Integer(),
  extraFields: Type.Integer(),
  exports: Type.Integer(),
}
export const ErasureCounts = Type.Object(counts)
export type ErasureCounts = Static<typeof ErasureCounts>
export const erasureCounts = Object.keys(counts) as (keyof ErasureCounts)[]

export const DataRequestRow = Type.Object({
  id: Id,
  companyId: Id,
  contactId: Id,
  /** Null: the person was erased. */
  contactName: Nullable(Type.String()),
  kind: Type.Enum(['erasure', 'export']),
  state: Type.Enum(['running', 'done', 'failed', 'expired']),
  done: Type.Integer(),
  total: Type.Integer(),
  user: Nullable(Type.Object({ id: Id, name: Type.String() })),
  requestedAt: Moment,
  finishedAt: Nullable(Moment),
  /** When the file of an export is removed. */
  expiresAt: Nullable(Moment),
  /** Bytes of that file. */
  size: Nullable(Type.Integer()),
})
export type DataRequestRow = Static<typeof DataRequestRow>

const missing = ['ERR_NO_CONTACT_FOUND', 'ERR_DATA_REQUEST_GROUP'] as const
const file = ['ERR_NO_DATA_REQUEST_FOUND'] as ['ERR_NO_DATA_REQUEST_FOUND']

export const dataRequests = {
  list: get('/data-requests', {
    may: admin,
    summary: 'Lists the erasures and exports of people’s data, newest first.',
    query: Type.Object({ contactId: Type.Optional(Id), pageNumber: Type.Optional(PageNumber) }),
    answer: Type.Object({ requests: Type.Array(DataRequestRow), hasMore: Type.Boolean() }),
  }),
  preview: get('/contacts/:id/erasure', {
    may: admin,
    summary: 'Counts what the erasure of a person would remove, by place (A-ERASE-01). `ticket`: the active ticket that prevents it.',
    answer: Type.Object({ counts: ErasureCounts, ticket: Nullable(Type.Object({ id: Id, uuid: Type.String() })) }),
    errors: [...missing],
  }),
  erase: post('/contacts/:id/erasure', {
    may: admin,
    summary:
      'Erases a person: name, number, texts and files, everywhere. It cannot be undone. `name` must be the name of the contact. Refused while the person has an active ticket. Erasing again answers the first request.',
    body: Type.Object({ name: Text(250) }, { additionalProperties: false }),
    answer: DataRequestRow,
    status: 202,
    errors: [...missing, 'ERR_OTHER_OPEN_TICKET', 'ERR_ERASURE_NAME'],
  }),
  receipt: get('/data-requests/:id/receipt', {
    may: admin,
    summary: 'The signed receipt of a finished erasure. It names the person by id only.',
    answer: Type.Unknown(),
    file: { name: 'recibo.json', mediaType: 'application/json; charset=utf-8' },
    errors: file,
  }),
  export: post('/contacts/:id/export', {
    may: admin,
    summary: 'Collects everything about a person in a zip archive: an overview to read, the data as JSON, and the files.',
    answer: DataRequestRow,
    status: 202,
    errors: [...missing],
  }),
  download: get('/data-requests/:id/file', {
    may: admin,
    summary: 'The archive of a finished export, for seven days or until the person is erased.',
    answer: Type.Unknown(),
    file: { name: 'dados.zip', mediaType: 'application/zip' },
    errors: file,
  }),
}
