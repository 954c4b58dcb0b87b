import type { Static } from 'typebox'
import * as Type from 'typebox'
import { signedIn } from '#domain/access.ts'
import { get, Id, Moment, Nullable } from '#domain/contract.ts'
import { Coloured } from '#domain/ticket/contract.ts'
import { comingRules } from './rules.ts'

const Revision = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })
/** `deletedBy`: who took it back; its words are gone then. */
const Words = Type.Object({ messageId: Id, kind: Type.String(), body: Type.String(), deletedBy: Nullable(Type.Enum(['us', 'contact'])) })

/** Something that a ticket's rules did by themselves, and why. */
export const AutomationStep = Type.Object({
  revision: Revision,
  at: Moment,
  /** The rule of the house that acted, and its reason in one word. */
  rule: Type.String(),
  reason: Type.String(),
  /** What the contact had written. */
  answers: Nullable(Words),
  /** What that was taken for. */
  choice: Nullable(Type.Object({ number: Type.Integer(), name: Type.String() })),
  /** What was said for it. */
  said: Type.Array(Words),
  /** Of consent: the sha256 of the text that it is about. */
  text: Nullable(Type.String()),
  /** The queue that it came to, and whom it waits for. */
  queue: Nullable(Coloured),
  user: Nullable(Coloured),
  /** The lane of the board that it came to. */
  lane: Nullable(Coloured),
})
export type AutomationStep = Static<typeof AutomationStep>

/** So many facts behind a step what was said for it is still looked for, where only what is new is asked for. */
export const stepsEdge = 50

export const automation = {
  show: get('/tickets/:id/automation', {
    may: signedIn,
    says: 'What happened to a ticket by itself, oldest first, each step with its rule and reason; and what will happen next, unless somebody does something before. The newest, from revision `from` on; `before` that which an answer began with, the ones before it.',
    query: Type.Object({ from: Type.Optional(Revision), before: Type.Optional(Revision) }),
    answer: Type.Object({
      steps: Type.Array(AutomationStep),
      /** The revisions that these are all steps of, the first and the one behind the last. */
      from: Revision,
      to: Revision,
      next: Type.Array(Type.Object({ rule: Type.Enum([...comingRules]), dueAt: Moment })),
    }),
  }),
}
