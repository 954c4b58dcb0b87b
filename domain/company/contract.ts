import type { Static } from 'typebox'
import * as Type from 'typebox'
import { admin, either, signedIn, superAdmin } from '#domain/access.ts'
import { get, Id, Name, put } from '#domain/contract.ts'
import { Schedules } from '#domain/hours/contract.ts'

/** A day on which a company is closed all day (A-HOURS-HOLIDAY). */
export const Holiday = Type.Object({ date: Type.String({ format: 'date' }), name: Name(100) }, { additionalProperties: false })
export type Holiday = Static<typeof Holiday>

/** When a company is open. */
export const CompanyHours = Type.Object({ id: Id, schedules: Schedules, holidays: Type.Array(Holiday) })
export type CompanyHours = Static<typeof CompanyHours>

const may = either(admin, superAdmin)
export const companyHours = {
  find: get('/companies/:id/schedules', {
    may: signedIn,
    says: 'The service hours and the holidays of a company: one’s own, or for a super user any.',
    answer: CompanyHours,
    refuses: ['ERR_NOT_FOUND'],
  }),
  setSchedules: put('/companies/:id/schedules', {
    may,
    says: 'Sets the service hours of a company (R-HOURS-03).',
    body: Type.Object({ schedules: Schedules }, { additionalProperties: false }),
    answer: CompanyHours,
    once: true,
    refuses: ['ERR_NOT_FOUND'],
  }),
  setHolidays: put('/companies/:id/holidays', {
    may,
    says: 'Sets the days on which a company is closed; these take the place of those that stood.',
    body: Type.Object({ holidays: Type.Array(Holiday, { maxItems: 500 }) }, { additionalProperties: false }),
    answer: CompanyHours,
    once: true,
    refuses: ['ERR_NOT_FOUND'],
  }),
}
