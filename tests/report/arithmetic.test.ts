import { describe, expect, it } from 'vitest'
import { roundHalfAway, sharesOf } from '#domain/report/arithmetic.ts'
import { barsIn, dayRange, periodBefore, reportRange } from '#domain/report/days.ts'
import { rangeProblem } from '#domain/report/rules.ts'

const zone = 'America/Sao_Paulo'
const lisbon = 'Europe/Lisbon'
const now = Date.parse('2026-11-03T17:31:20.000Z') // 14:31 in São Paulo

describe('percentages (A-COUNT-12)', () => {
  it.each([
    [
      [1, 1, 1],
      [34, 33, 33],
    ],
    [
      [3, 2, 2],
      [43, 29, 28],
    ],
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
    [
      [0, 0, 5],
      [0, 0, 100],
    ],
    [
      [1, 199, 0],
      [1, 99, 0],
    ],
  ])('of %j are %j, and add up to 100', (parts, shares) => expect(sharesOf(parts)).toEqual(shares))

  it.each([
    [0.5, 1],
    [-0.5, -1],
    [-12.5, -13],
    [2.4999, 2],
    [-0.2, 0],
  ])('%d is rounded to %d', (n, rounded) => expect(roundHalfAway(n)).toBe(rounded))
})

describe('a range of days (A-COUNT-01)', () => {
  it('contains both days, with the rules of the zone on that date', () => {
    expect(dayRange(zone, now, '2026-11-10', '2026-11-10')).toMatchObject({
      ...{ from: '2026-11-10T03:00:00.000Z', to: '2026-11-11T03:00:00.000Z', days: 1 },
    })
    expect(dayRange(lisbon, now, '2026-10-25', '2026-10-26')).toMatchObject({
      ...{ from: '2026-10-24T23:00:00.000Z', to: '2026-10-27T00:00:00.000Z', days: 2 },
    })
  })
  it.each([
    { screen: 'dashboard', range: dayRange },
    { screen: 'report', range: reportRange },
  ])('without a last day ends today, or with a first day that is still to come: $screen', ({ range }) => {
    expect(range(zone, now, '2026-10-20', undefined)).toMatchObject({ first: '2026-10-20', last: '2026-11-03' })
    expect(range(zone, now, '2026-11-09', undefined)).toMatchObject({ first: '2026-11-09', last: '2026-11-09' })
  })
  it('is today without dates, and one day with a last day only', () => {
    expect(dayRange(zone, now, undefined, undefined)).toMatchObject({ first: '2026-11-03', last: '2026-11-03' })
    expect(dayRange(zone, now, undefined, '2026-10-01')).toMatchObject({ first: '2026-10-01', last: '2026-10-01' })
  })
  it.each([
    ['2026-11-02', '2026-11-01'],
    ['2010-01-01', '2026-11-01'],
  ])('from %s to %s is refused', (first, last) => expect(() => dayRange(zone, now, first, last)).toThrow('ERR_INVALID_RANGE'))
})

it.each([
  ['2026-11-01', '2026-11-01', null],
  ['2016-11-01', '2026-10-31', null],
  ['2016-10-01', '2026-10-31', 'tooLong'],
  ['2026-11-02', '2026-11-01', 'turned'],
] as const)('the problem of a range from %s to %s is known before it is sent: %s', (first, last, problem) => {
  expect(rangeProblem(first, last)).toBe(problem)
})

describe('the period before (A-COUNT-13)', () => {
  it('has the same number of days', () => {
    const october = dayRange(zone, now, '2026-10-08', '2026-10-14')
    expect(periodBefore(zone, now, october)).toEqual({ from: '2026-10-01T03:00:00.000Z', to: '2026-10-08T03:00:00.000Z' })
  })
  it('of today is yesterday up to the same minute', () => {
    const today = dayRange(zone, now, undefined, undefined)
    expect(periodBefore(zone, now, today)).toEqual({ from: '2026-11-02T03:00:00.000Z', to: '2026-11-02T17:31:20.000Z' })
  })
})

describe('the bars of a range', () => {
  it('are its days, of which those to come are marked', () => {
    const { unit, names } = barsIn(zone, now, dayRange(zone, now, '2026-11-01', '2026-11-07'))
    expect([unit, names.length, names.filter(({ future }) => future).map(({ name }) => name)]).toEqual([
      ...['day', 7, ['2026-11-04', '2026-11-05', '2026-11-06', '2026-11-07']],
    ])
  })
  it('are 24 hours if it is one day, also on a day with a clock change', () => {
    const { unit, names } = barsIn(zone, now, dayRange(zone, now, undefined, undefined))
    expect([unit, names.length, names.find(({ future }) => future)?.name]).toEqual(['hour', 24, '15'])
    expect(barsIn(lisbon, now, dayRange(lisbon, now, '2026-03-29', '2026-03-29')).names).toHaveLength(24)
  })
})
