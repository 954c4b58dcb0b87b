import type { Static } from 'typebox'
import * as Type from 'typebox'
import { auditor } from '#domain/access.ts'
import { Dictionary, get, Id, Moment, Nullable, Page, PageNumber, Text } from '#domain/contract.ts'

/** One change of a plain list: of what was changed the fields that differ, of what is new or gone all of them; masked ones only as such. */
export const AuditRow = Type.Object({
  id: Id,
  companyId: Id,
  user: Nullable(Type.Object({ id: Id, name: Type.String() })),
  list: Type.String(),
  rowId: Id,
  act: Type.Enum(['created', 'changed', 'removed']),
  before: Nullable(Dictionary(Type.Unknown())),
  after: Nullable(Dictionary(Type.Unknown())),
  at: Moment,
})
export type AuditRow = Static<typeof AuditRow>

export const audits = {
  list: get('/audit', {
    may: auditor,
    says: 'Who changed what in the plain lists, newest first; of one list, or of one row.',
    query: Type.Object({ list: Type.Optional(Text(60)), rowId: Type.Optional(Id), pageNumber: Type.Optional(PageNumber) }),
    answer: Page('changes', AuditRow),
  }),
}
