import { expect, it } from 'vitest'
import { defaultHours, hoursFault, type ServiceDay, weekdays } from '#domain/hours/contract.ts'
import { hoursProblem } from '#web/hours/words.ts'

const day = (over: Partial<ServiceDay> = {}): ServiceDay => ({
  ...{ weekday: 'Segunda-feira', weekdayEn: 'monday', startTimeA: '08:00', endTimeA: '12:00', startTimeB: '13:00', endTimeB: '18:00' },
  ...over,
})

it('a shift that ends before it begins ends on the next day, without overlap (A-HOURS-01)', () => {
  expect(hoursFault([day({ startTimeB: '18:00', endTimeB: '02:00' })])).toBe(null)
  expect(hoursFault([day({ startTimeA: '22:00', endTimeA: '06:00', startTimeB: '', endTimeB: '' })])).toBe(null)
  expect(hoursFault([day({ startTimeA: '17:00', endTimeA: '02:00' })])).toEqual({ at: '0/startTimeB', rule: 'overlap' })
})
it('a shift without start or end, or with both equal, is off (A-HOURS-01)', () => {
  expect(hoursFault([day({ startTimeA: '', endTimeB: '' })])).toBe(null)
  expect(hoursFault([day({ endTimeA: '08:00' })])).toBe(null)
})
it('two shifts of a day may meet but not overlap', () => {
  expect(hoursFault([day(), day({ weekdayEn: 'tuesday', startTimeB: '11:59' })])).toEqual({ at: '1/startTimeB', rule: 'overlap' })
  expect(hoursFault([day({ startTimeA: '09:00', endTimeA: '20:00' })])).toEqual({ at: '0/startTimeB', rule: 'overlap' })
  expect(hoursFault([day({ startTimeB: '12:00' })])).toBe(null)
  expect(hoursFault([day({ startTimeA: '14:00', endTimeA: '14:00' })])).toBe(null) // the first shift is off
})

it('a form refuses incomplete shifts and invalid times, with an explanation', () => {
  expect(hoursProblem([day()])).toBe(null)
  expect(hoursProblem([day({ startTimeA: '', endTimeA: '' })])).toBe(null) // off
  expect(hoursProblem([day(), day({ weekdayEn: 'tuesday', endTimeB: '' })])).toMatch(/^Falta uma das horas/)
  expect(hoursProblem([day({ endTimeB: '25:99' })])).toMatch(/não é uma hora do dia/)
  expect(hoursProblem([day({ startTimeB: '18:00', endTimeB: '02:00' })])).toBe(null)
  expect(hoursProblem([day({ startTimeB: '11:59' })])).toMatch(/se sobrepõem/)
})

it('a weekday occurs once', () => expect(hoursFault([day(), day()])).toEqual({ at: '1/weekdayEn', rule: 'twice' }))

it('the default hours contain all seven days (A-HOURS-04, R-CONN-12, R-QUEUE-06)', () => {
  for (const week of Object.values(defaultHours)) {
    expect(week.map(({ weekdayEn }) => weekdayEn)).toEqual(weekdays)
    expect(hoursFault(week)).toBe(null)
  }
  const open = (week: ServiceDay[]) => week.filter(({ startTimeA }) => startTimeA !== '').length
  expect([open(defaultHours.company), open(defaultHours.connection), open(defaultHours.queue)]).toEqual([5, 7, 7])
  expect(defaultHours.queue[0]).toMatchObject({ startTimeA: '00:00', endTimeA: '12:00', startTimeB: '12:01', endTimeB: '23:59' })
})
