import { describe, expect, it } from 'vitest'
import { defaultHours } from '#domain/hours/contract.ts'
import { closesEveryWeek, nextChange, openAt } from '#domain/hours/rules.ts'

type Day = [weekdayEn: string, startTimeA: string, endTimeA: string, startTimeB: string, endTimeB: string]
const hours = (...days: Day[]) =>
  days.map(([weekdayEn, startTimeA, endTimeA, startTimeB, endTimeB]) => ({ weekdayEn, startTimeA, endTimeA, startTimeB, endTimeB }))
const names = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const office = hours(...names.slice(0, 5).map((name): Day => [name, '08:00', '12:00', '13:00', '18:00']), ['saturday', '', '', '', ''])
const always = hours(...names.map((name): Day => [name, '00:00', '12:00', '12:01', '23:59']))
const zone = 'America/Sao_Paulo'
const at = (text: string) => new Date(text)
const next = (schedules: typeof office, text: string, where = zone, holidays: string[] = []) =>
  nextChange(schedules, where, holidays, at(text))?.toISOString()

describe('business hours (A-HOURS-01)', () => {
  it.each([
    ['2026-11-23T10:59:59Z', false],
    ['2026-11-23T11:00:00Z', true],
    ['2026-11-23T15:00:59Z', true], // 12:00 to the end of its minute
    ['2026-11-23T15:01:00Z', false],
    ['2026-11-23T16:00:00Z', true],
    ['2026-11-23T21:00:59Z', true],
    ['2026-11-23T21:01:00Z', false],
    ['2026-11-21T14:00:00Z', false], // a Saturday without shifts
    ['2026-11-22T14:00:00Z', false], // a Sunday that is missing
    ['2026-11-24T02:30:00Z', false], // Monday night there, Tuesday in UTC
  ])('at %s are open: %s', (moment, open) => expect(openAt(office, zone, [], at(moment))).toBe(open))

  it('follow the day of the time zone, not of UTC', () => {
    const night = hours(['monday', '22:00', '23:59', '', ''])
    expect(openAt(night, zone, [], at('2026-11-24T02:30:00Z'))).toBe(true)
    expect(openAt(night, zone, [], at('2026-11-24T03:00:00Z'))).toBe(false)
  })
  it.each([
    ['2026-11-23T20:59:59Z', false],
    ['2026-11-23T21:00:00Z', true], // Monday 18:00
    ['2026-11-24T03:00:00Z', true], // midnight
    ['2026-11-24T05:00:59Z', true], // Tuesday 02:00 to the end of its minute
    ['2026-11-24T05:01:00Z', false],
    ['2026-11-24T21:00:00Z', false], // no shift begins on Tuesday
  ])('with a shift over midnight, at %s are open: %s', (moment, open) => {
    const night = hours(['monday', '18:00', '02:00', '', ''])
    expect(openAt(night, zone, [], at(moment))).toBe(open)
  })
  it('over midnight belong to the day on which they begin, also around a holiday', () => {
    const nights = hours(...names.map((name): Day => [name, '18:00', '02:00', '', '']))
    expect(openAt(nights, zone, ['2026-12-25'], at('2026-12-25T04:00:00Z'))).toBe(true) // of the 24th
    expect(openAt(nights, zone, ['2026-12-25'], at('2026-12-25T22:00:00Z'))).toBe(false)
    expect(openAt(nights, zone, ['2026-12-25'], at('2026-12-26T04:00:00Z'))).toBe(false)
    expect(next(nights, '2026-12-25T04:00:00Z', zone, ['2026-12-25'])).toBe('2026-12-25T05:01:00.000Z')
    expect(next(nights, '2026-12-25T06:00:00Z', zone, ['2026-12-25'])).toBe('2026-12-26T21:00:00.000Z')
  })
  it('have no shift if start and end are the same', () => {
    expect(openAt(hours(['monday', '09:00', '09:00', '', '']), zone, [], at('2026-11-23T12:00:00Z'))).toBe(false)
    expect(openAt(hours(['monday', '09:00', '', '', '']), zone, [], at('2026-11-23T13:00:00Z'))).toBe(false)
  })
  it('are closed on a holiday, for the whole local day (A-HOURS-HOLIDAY)', () => {
    const christmas = ['2026-12-25']
    expect(openAt(office, zone, christmas, at('2026-12-25T13:00:00Z'))).toBe(false)
    expect(openAt(always, zone, christmas, at('2026-12-25T02:59:59Z'))).toBe(true)
    expect(openAt(always, zone, christmas, at('2026-12-26T02:59:59Z'))).toBe(false)
    expect(openAt(always, zone, christmas, at('2026-12-26T03:00:00Z'))).toBe(true)
  })
})

it('hours close unless each minute of the week is in a shift', () => {
  const { company, queue } = defaultHours
  expect([closesEveryWeek(company), closesEveryWeek(queue), closesEveryWeek([]), closesEveryWeek(queue.slice(1))]).toEqual([
    ...[true, false, true, true],
  ])
  const night = queue.map((one) => ({ ...one, startTimeA: '08:00', endTimeA: '07:59', startTimeB: '', endTimeB: '' }))
  expect([closesEveryWeek(night), closesEveryWeek(night.map((one) => ({ ...one, endTimeA: '07:58' })))]).toEqual([false, true])
})

describe('the next change', () => {
  it.each([
    ['2026-11-23T09:00:00Z', '2026-11-23T11:00:00.000Z'],
    ['2026-11-23T11:00:00Z', '2026-11-23T15:01:00.000Z'],
    ['2026-11-23T15:30:00Z', '2026-11-23T16:00:00.000Z'],
    ['2026-11-27T21:01:00Z', '2026-11-30T11:00:00.000Z'], // over a weekend
    ['2026-12-31T22:00:00Z', '2027-01-01T11:00:00.000Z'], // over the end of a year
    ['2028-02-28T22:00:00Z', '2028-02-29T11:00:00.000Z'], // into a leap day
    ['2026-02-27T22:00:00Z', '2026-03-02T11:00:00.000Z'], // and over one that there is not
  ])('after %s is at %s', (from, to) => expect(next(office, from)).toBe(to))
  it('skips holidays', () => expect(next(office, '2026-12-24T21:01:00Z', zone, ['2026-12-25'])).toBe('2026-12-28T11:00:00.000Z'))
  it('does not exist if the hours never open or never close', () => {
    expect(next([], '2026-11-23T09:00:00Z')).toBeUndefined()
    expect(next(always, '2026-11-23T09:00:00Z')).toBeUndefined()
  })
})

/* Brazil until 2019, Portugal every year, Türkiye until 2016; Havana changes at midnight, Lord Howe by half an hour. */
const changes: [zone: string, day: string][] = [
  ['America/Sao_Paulo', '2018-11-03'],
  ['America/Sao_Paulo', '2019-02-16'],
  ['Europe/Lisbon', '2026-03-28'],
  ['Europe/Lisbon', '2026-10-24'],
  ['Europe/Istanbul', '2016-03-26'],
  ['Europe/Istanbul', '2015-11-07'],
  ['America/Havana', '2026-10-31'],
  ['Australia/Lord_Howe', '2026-04-04'],
]
describe('a change of the clocks', () => {
  it('skips a missing hour and delays the opening', () => {
    // 00:00 to 00:59 was skipped on 2018-11-04
    expect(next(hours(['sunday', '00:30', '02:00', '', '']), '2018-11-04T02:59:00Z')).toBe('2018-11-04T03:00:00.000Z')
    expect(next(hours(['sunday', '00:10', '00:40', '', '']), '2018-11-03T12:00:00Z')).toBe('2018-11-11T02:10:00.000Z')
  })
  it('opens twice in a repeated hour', () => {
    const late = hours(['saturday', '23:15', '23:45', '', ''])
    expect(next(late, '2019-02-16T12:00:00Z')).toBe('2019-02-17T01:15:00.000Z')
    expect(next(late, '2019-02-17T01:15:00Z')).toBe('2019-02-17T01:46:00.000Z')
    expect(next(late, '2019-02-17T01:46:00Z')).toBe('2019-02-17T02:15:00.000Z')
  })

  /** A source of numbers that is the same in every run. */
  let seed = 7
  const below = (n: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * n)
  }
  const time = (minutes: number) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
  const anyHours = () =>
    hours(
      ...names.map((name): Day => {
        const [a, b, c, d] = [below(1440), below(1440), below(1440), below(1440)].sort((x, y) => x - y).map(time) as [
          string,
          string,
          string,
          string,
        ]
        return below(4) === 0 ? [name, a, b, '', ''] : [name, a, b, c, d]
      }),
    )

  it.each(changes)('in %s around %s, the next change equals a search minute by minute', (where, day) => {
    const begin = Date.parse(`${day}T00:00:00Z`)
    for (let round = 0; round < 4; round++) {
      const schedules = anyHours()
      const open = (moment: number) => openAt(schedules, where, [], new Date(moment))
      const edges: number[] = []
      for (let moment = begin; moment < begin + 60 * 3_600_000; moment += 60_000)
        if (open(moment) !== open(moment - 60_000)) edges.push(moment)
      expect(edges.length).toBeGreaterThan(4)
      for (let look = 0; look < 8; look++) {
        const from = begin + below(36 * 60) * 60_000 + below(60_000)
        const found = nextChange(schedules, where, [], new Date(from))?.getTime()
        const walked = edges.find((edge) => edge > from)
        if (walked !== undefined)
          expect([where, new Date(from).toISOString(), found]).toEqual([where, new Date(from).toISOString(), walked])
      }
    }
  })
})
