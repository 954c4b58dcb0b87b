import type { Static } from 'typebox'
import * as Type from 'typebox'
import { admin } from '#domain/access.ts'
import { get } from '#domain/contract.ts'

/** The steps to set up a new company, in this order. */
export const steps = ['team', 'queue', 'connection', 'greeting', 'hours', 'test'] as const
export type StepName = (typeof steps)[number]
const Step = Type.Object({ step: Type.Enum([...steps]), done: Type.Boolean() })
export type Step = Static<typeof Step>

export const checklist = {
  show: get('/checklist', {
    may: admin,
    summary: 'Lists the setup steps of the caller’s company; empty once all are done, the list is hidden or the company is no longer new.',
    answer: Type.Array(Step),
  }),
}
