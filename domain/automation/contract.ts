import type { Static } from 'typebox'
import * as Type from 'typebox'
import { signedIn } from '#domain/access.ts'
import { get, Id, Moment, Nullable } from '#domain/contract.ts'
import { Coloured } from '#domain/ticket/contract.ts'
import { scheduledRuleIds } from './rules.ts'

const Revision = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })
/** `deletedBy`: who deleted the message; its text is gone then. */
const Words = Type.Object({ messageId: Id, kind: Type.String(), body: Type.String(), deletedBy: Nullable(Type.Enum(['us', 'contact'])) })

/** One automatic action on a ticket, with its reason. */
export const AutomationStep = Type.Object({
  revision: Revision,
  at: Moment,
  /** The id of the rule that acted, and its reason in one word. */
  rule: Type.String(),
  reason: Type.String(),
  /** The contact's message that the rule reacted to. */
  answers: Nullable(Words),
  /** The menu choice that the message was understood as. */
  choice: Nullable(Type.Object({ number: Type.Integer(), name: Type.String() })),
  /** The messages that the rule sent. */
  said: Type.Array(Words),
  /** For a consent rule: the SHA-256 of the privacy text. */
  text: Nullable(Type.String()),
  /** The queue that the ticket entered, and the user that it was assigned to. */
  queue: Nullable(Coloured),
  user: Nullable(Coloured),
  /** The kanban lane that the ticket entered. */
  lane: Nullable(Coloured),
})
export type AutomationStep = Static<typeof AutomationStep>

/** How many events after a step are searched for its messages when only new steps are requested. */
export const stepsEdge = 50

export const automation = {
  show: get('/tickets/:id/automation', {
    may: signedIn,
    summary:
      'Lists the automatic actions on a ticket, oldest first, each with its rule and reason, and the actions that are due next. Returns the newest page, from revision `from` on. `before`, the first revision of an answer, returns the page before it.',
    query: Type.Object({ from: Type.Optional(Revision), before: Type.Optional(Revision) }),
    answer: Type.Object({
      steps: Type.Array(AutomationStep),
      /** The range of revisions that the steps cover: `from` included, `to` excluded. */
      from: Revision,
      to: Revision,
      next: Type.Array(Type.Object({ rule: Type.Enum([...scheduledRuleIds]), dueAt: Moment })),
    }),
  }),
}
