import type { Static } from 'typebox'
import * as Type from 'typebox'
import { admin } from '#domain/access.ts'
import { get } from '#domain/contract.ts'

/** What a new company sets up, in this order. */
export const steps = ['team', 'queue', 'connection', 'greeting', 'hours', 'test'] as const
export type StepName = (typeof steps)[number]
const Step = Type.Object({ step: Type.Enum([...steps]), done: Type.Boolean() })
export type Step = Static<typeof Step>

export const checklist = {
  show: get('/checklist', {
    may: admin,
    says: 'What the caller’s company has set up of what a new one needs; empty once all is done, it is hidden, or the company is new no more.',
    answer: Type.Array(Step),
  }),
}
