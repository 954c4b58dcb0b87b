import type { Static } from 'typebox'
import * as Type from 'typebox'
import { auditor } from '#domain/access.ts'
import { Dictionary, get, Id, Moment, Nullable, Page, PageNumber, Text } from '#domain/contract.ts'

/** The audited lists by table. `called`: the field that contains a row's name; `related`: fields that reference another row. */
export const auditedLists = {
  queue: { called: 'name', related: {} },
  tag: { called: 'name', related: { nextLaneId: 'tag', rollbackLaneId: 'tag', userId: 'user' } },
  quickMessage: { called: 'shortcode', related: { userId: 'user' } },
  fileList: { called: 'name', related: { userId: 'user' } },
  reportFilter: { called: 'name', related: { userId: 'user' } },
  contact: { called: 'name', related: {} },
  user: { called: 'name', related: {} },
  company: { called: 'name', related: {} },
  connection: { called: 'name', related: { sendIdQueue: 'queue', queueIdImportMessages: 'queue' } },
} as const satisfies Record<string, { called: string; related: Record<string, 'tag' | 'user' | 'queue'> }>
export type AuditedList = keyof typeof auditedLists
export const isAudited = (list: string): list is AuditedList => Object.hasOwn(auditedLists, list)

/** Replaces a masked value. */
export const hidden = '•••'

/**
 * One change of a plain list. A changed row has the fields that differ; a created or removed row has all of them.
 * Masked values are replaced. A field that references another row contains `{ id, name }`.
 */
export const AuditRow = Type.Object({
  id: Id,
  companyId: Id,
  user: Nullable(Type.Object({ id: Id, name: Type.String() })),
  list: Type.String(),
  rowId: Id,
  /** The current name of the row, or its last name if it was removed. */
  name: Nullable(Type.String()),
  /** Whether the row still exists. */
  stands: Type.Boolean(),
  act: Type.Enum(['created', 'changed', 'removed']),
  before: Nullable(Dictionary(Type.Unknown())),
  after: Nullable(Dictionary(Type.Unknown())),
  at: Moment,
})
export type AuditRow = Static<typeof AuditRow>

const Filter = Type.Object({
  list: Type.Optional(Text(60)),
  rowId: Type.Optional(Id),
  userId: Type.Optional(Id),
  /** Days in the company's time zone. */
  from: Type.Optional(Type.String({ format: 'date' })),
  to: Type.Optional(Type.String({ format: 'date' })),
  pageNumber: Type.Optional(PageNumber),
})
export type AuditFilter = Static<typeof Filter>

export const audits = {
  list: get('/audit', {
    may: auditor,
    summary: 'Lists the changes of plain lists with their users, newest first; filtered by list, row, user and days.',
    query: Filter,
    answer: Page('changes', AuditRow),
  }),
}
