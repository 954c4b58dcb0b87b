import { describe, expect, it } from 'vitest'
import { askedIn } from '#web/dashboard/address.ts'
import { created, reportBehind } from '#web/dashboard/drill.ts'
import { viewOf } from '#web/report/filter.ts'
import { daysAgo, today } from '#web/ui/moment.ts'

const behind = (address: string) => viewOf(new URLSearchParams(reportBehind(askedIn(new URLSearchParams(address)), created).split('?')[1]))
const tomorrow = daysAgo(-1)

describe('a number of the dashboard leads to the report of the same days', () => {
  it.each([
    ['', today(), today()],
    [`date_from=${daysAgo(40)}`, daysAgo(40), today()],
    [`date_to=${daysAgo(40)}`, daysAgo(40), daysAgo(40)],
    [`date_from=${tomorrow}`, tomorrow, tomorrow],
  ])('%s', (address, dateFrom, dateTo) => expect(behind(address)).toMatchObject({ dateFrom, dateTo }))
})

it('an empty last day means until today in the report too', () => {
  expect(viewOf(new URLSearchParams(`dateFrom=${daysAgo(40)}`))).toMatchObject({ dateFrom: daysAgo(40), dateTo: today() })
  expect(viewOf(new URLSearchParams(`dateFrom=${tomorrow}`))).toMatchObject({ dateFrom: tomorrow, dateTo: tomorrow })
})
