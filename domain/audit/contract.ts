import type { Static } from 'typebox'
import * as Type from 'typebox'
import { auditor } from '#domain/access.ts'
import { Dictionary, get, Id, Moment, Nullable, Page, PageNumber, Text } from '#domain/contract.ts'

/** The lists whose changes are kept, by their tables; `called`: the field that a row is known by; `related`: fields that name one other row. */
export const auditedLists = {
  queue: { called: 'name', related: {} },
  tag: { called: 'name', related: { nextLaneId: 'tag', rollbackLaneId: 'tag', userId: 'user' } },
  quickMessage: { called: 'shortcode', related: { userId: 'user' } },
  fileList: { called: 'name', related: { userId: 'user' } },
  contact: { called: 'name', related: {} },
  user: { called: 'name', related: {} },
  company: { called: 'name', related: {} },
  connection: { called: 'name', related: { sendIdQueue: 'queue', queueIdImportMessages: 'queue' } },
} as const satisfies Record<string, { called: string; related: Record<string, 'tag' | 'user' | 'queue'> }>
export type AuditedList = keyof typeof auditedLists
export const isAudited = (list: string): list is AuditedList => Object.hasOwn(auditedLists, list)

/** What stands for a masked value. */
export const hidden = '•••'

/**
 * One change of a plain list: of what was changed the fields that differ, of what is new or gone all of them; masked ones only as such.
 * Another row that a field names is told as `{ id, name }`.
 */
export const AuditRow = Type.Object({
  id: Id,
  companyId: Id,
  user: Nullable(Type.Object({ id: Id, name: Type.String() })),
  list: Type.String(),
  rowId: Id,
  /** What the row is called: as it is now, or was when it was removed. */
  name: Nullable(Type.String()),
  /** Whether it still stands. */
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
  /** Days in the company's zone. */
  from: Type.Optional(Type.String({ format: 'date' })),
  to: Type.Optional(Type.String({ format: 'date' })),
  pageNumber: Type.Optional(PageNumber),
})
export type AuditFilter = Static<typeof Filter>

export const audits = {
  list: get('/audit', {
    may: auditor,
    says: 'Who changed what in the plain lists, newest first; by list, row, user and days.',
    query: Filter,
    answer: Page('changes', AuditRow),
  }),
}
