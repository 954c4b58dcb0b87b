import type { Static } from 'typebox'
import * as Type from 'typebox'
import { acting, signedIn } from '#domain/access.ts'
import { del, get, Id, Moment, Nullable, post } from '#domain/contract.ts'

/** What there is that takes longer than a call. */
export const workKinds = ['closeTickets'] as const
export type WorkKind = (typeof workKinds)[number]

/** How far a piece of work is. `changed`: items to which it did something; `failed`: those it was refused for, listed by `errors`. */
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
  /** Takes back together what can be taken back. */
  batch: Nullable(Type.String()),
  startedAt: Moment,
  endedAt: Nullable(Moment),
})
export type WorkRow = Static<typeof WorkRow>

const none = ['ERR_NOT_FOUND'] as ['ERR_NOT_FOUND']
export const works = {
  list: get('/works', {
    may: signedIn,
    says: 'One’s own long work: what runs, and what ended and was not put away, newest first.',
    answer: Type.Array(WorkRow),
  }),
  cancel: post('/works/:id/cancel', {
    may: acting,
    says: 'Stops one’s own work; what is done of it stays done.',
    answer: WorkRow,
    refuses: none,
  }),
  errors: get('/works/:id/errors', {
    may: signedIn,
    says: 'Which items were refused, and by which code.',
    answer: Type.Array(Type.Object({ item: Type.Integer(), code: Type.String() })),
    refuses: none,
  }),
  dismiss: del('/works/:id', { may: acting, says: 'Puts work away that has ended.', refuses: none }),
}
