import type { Static } from 'typebox'
import * as Type from 'typebox'
import { anyAdmin, signedIn } from '#domain/access.ts'
import { get, Id, Name, put, version } from '#domain/contract.ts'
import { Schedules } from '#domain/hours/contract.ts'
import { languages } from '#domain/user/rules.ts'

/** A day on which a company is closed all day (A-HOURS-HOLIDAY). */
export const Holiday = Type.Object({ date: Type.String({ format: 'date' }), name: Name(100) }, { additionalProperties: false })
export type Holiday = Static<typeof Holiday>

const Country = Type.String({ pattern: '^[A-Z]{2}$' })
const Year = Type.Integer({ minimum: 2000, maximum: 2100 })
/** The holidays of a country and a state in a year. `official`: a public holiday by law; others are bank or customary holidays. */
export const ProposedHolidays = Type.Object({
  country: Country,
  countries: Type.Array(Country),
  states: Type.Array(Type.Object({ code: Type.String(), name: Type.String() })),
  days: Type.Array(Type.Object({ ...Holiday.properties, official: Type.Boolean() })),
})
export type ProposedHolidays = Static<typeof ProposedHolidays>

/** The opening hours of a company; `version`: the edit number of the week. */
export const CompanyHours = Type.Object({ id: Id, schedules: Schedules, holidays: Type.Array(Holiday), version })
export type CompanyHours = Static<typeof CompanyHours>

export const companyHours = {
  find: get('/companies/:id/schedules', {
    may: signedIn,
    summary: 'Shows the service hours and holidays of the caller’s company, or for a super user of any company.',
    answer: CompanyHours,
    errors: ['ERR_NOT_FOUND'],
  }),
  setSchedules: put('/companies/:id/schedules', {
    may: anyAdmin,
    summary: 'Sets the service hours of a company (R-HOURS-03).',
    body: Type.Object({ schedules: Schedules, version: Type.Optional(version) }, { additionalProperties: false }),
    answer: CompanyHours,
    idempotent: true,
    errors: ['ERR_NOT_FOUND', 'ERR_ROW_CHANGED'],
  }),
  proposeHolidays: get('/companies/:id/holidays/proposed', {
    may: anyAdmin,
    summary: 'Proposes the holidays of a country and a state; without a country, those of the country of the company’s time zone.',
    query: Type.Object({
      year: Year,
      language: Type.Enum([...languages]),
      country: Type.Optional(Country),
      state: Type.Optional(Type.String({ pattern: '^[A-Z0-9-]{1,10}$' })),
    }),
    answer: ProposedHolidays,
    errors: ['ERR_NOT_FOUND'],
  }),
  changeHolidays: put('/companies/:id/holidays', {
    may: anyAdmin,
    summary: 'Adds and removes holidays of a company; a day that is added again gets the new name.',
    body: Type.Object(
      {
        added: Type.Array(Holiday, { maxItems: 500 }),
        taken: Type.Array(Type.String({ format: 'date' }), { maxItems: 500 }),
      },
      { additionalProperties: false },
    ),
    answer: CompanyHours,
    idempotent: true,
    errors: ['ERR_NOT_FOUND'],
  }),
}
