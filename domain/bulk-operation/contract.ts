import type { Static } from 'typebox'
import * as Type from 'typebox'
import { acting, signedIn } from '#domain/access.ts'
import { del, get, Id, Moment, Nullable, post } from '#domain/contract.ts'

/** Operations that run longer than a call. */
export const workKinds = ['closeTickets', 'importContacts'] as const
export type WorkKind = (typeof workKinds)[number]

/** The progress of a bulk operation. `changed`: items that it changed; `failed`: items that were refused, listed by `errors`. */
export const WorkRow = Type.Object({
  id: Id,
  companyId: Id,
  userId: Id,
  kind: Type.Enum([...workKinds]),
  state: Type.Enum(['running', 'done', 'cancelled']),
  total: Type.Integer(),
  done: Type.Integer(),
  changed: Type.Integer(),
  failed: Type.Integer(),
  /** The id that undoes all changes of the operation together; null: it cannot be undone. */
  batch: Nullable(Type.String()),
  startedAt: Moment,
  endedAt: Nullable(Moment),
})
export type WorkRow = Static<typeof WorkRow>

const none = ['ERR_NOT_FOUND'] as ['ERR_NOT_FOUND']
export const works = {
  list: get('/works', {
    may: signedIn,
    summary: 'Lists the caller’s bulk operations: running ones, and finished ones that were not dismissed, newest first.',
    answer: Type.Array(WorkRow),
  }),
  cancel: post('/works/:id/cancel', {
    may: acting,
    summary: 'Cancels one of the caller’s bulk operations; finished items stay changed.',
    answer: WorkRow,
    errors: none,
  }),
  errors: get('/works/:id/errors', {
    may: signedIn,
    summary: 'Lists the refused items with their error codes.',
    answer: Type.Array(Type.Object({ item: Type.Integer(), code: Type.String() })),
    errors: none,
  }),
  dismiss: del('/works/:id', { may: acting, summary: 'Removes a finished bulk operation from the list.', errors: none }),
}
