import { describe, expect, it } from 'vitest'
import { type OpeningHours, openSpans, type Span } from '#domain/hours/spans.ts'
import { dayIn, timeIn } from '#domain/zone/rules.ts'
import { seededRandom } from '#tests/support/seeded-random.ts'

const minute = 60_000
const names = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
type Times = [startTimeA: string, endTimeA: string, startTimeB: string, endTimeB: string]
const week = (times: (n: number) => Times) =>
  names.map((weekdayEn, n) => {
    const [startTimeA, endTimeA, startTimeB, endTimeB] = times(n)
    return { weekdayEn, startTimeA, endTimeA, startTimeB, endTimeB }
  })
const hours = (schedules: OpeningHours['schedules'], timeZone = 'America/Sao_Paulo', holidays: string[] = []) => ({
  ...{ schedules, timeZone, holidays },
})
const length = (spans: Span[]) => spans.reduce((sum, { from, to }) => sum + to - from, 0)
const minutesBetween = (of: OpeningHours, from: string, to: string) => length(openSpans(of, Date.parse(from), Date.parse(to))) / minute

describe('a shift for measuring (A-COUNT-14, V28)', () => {
  const everyDay = (...times: Times) => hours(week(() => times))
  it('lasts from its start to its end exactly', () => {
    expect(minutesBetween(everyDay('08:00', '12:00', '', ''), '2026-11-10T03:00Z', '2026-11-11T03:00Z')).toBe(240)
  })
  it('ends with the day at 23:59, so that no minute is lost', () => {
    const open = everyDay('00:00', '23:59', '', '')
    expect(minutesBetween(open, '2026-11-10T03:00Z', '2026-11-11T03:00Z')).toBe(1440)
    expect(minutesBetween(open, '2026-11-11T02:50Z', '2026-11-11T03:10Z')).toBe(20)
    expect(openSpans(open, Date.parse('2026-11-10T03:00Z'), Date.parse('2026-11-20T03:00Z'))).toHaveLength(1)
  })
  it('continues one that ended a minute before, as the default hours of a queue do', () => {
    expect(minutesBetween(everyDay('00:00', '12:00', '12:01', '23:59'), '2026-11-10T03:00Z', '2026-11-11T03:00Z')).toBe(1440)
  })
  it('may end on the next day', () => {
    const monday = hours(week((n) => (n === 0 ? ['18:00', '02:00', '', ''] : ['', '', '', ''])))
    expect(minutesBetween(monday, '2026-11-10T02:30Z', '2026-11-10T05:30Z')).toBe(150)
    expect(minutesBetween(monday, '2026-11-09T03:00Z', '2026-11-16T03:00Z')).toBe(480)
  })
  it('does not begin on a holiday, and one of the evening before goes on into it', () => {
    const night = hours(
      week(() => ['20:00', '02:00', '', '']),
      'America/Sao_Paulo',
      ['2026-10-12'],
    )
    expect(minutesBetween(night, '2026-10-12T03:00Z', '2026-10-13T03:00Z')).toBe(120)
  })
})

/** The open minutes, counted one by one from the local day and time. */
function countMinutes({ schedules, timeZone, holidays }: OpeningHours, from: number, to: number): number {
  const open = (day: string, time: string, isNextDay: boolean) => {
    if (holidays.includes(day)) return false
    const one = schedules.find(({ weekdayEn }) => weekdayEn === names[(new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7])!
    const both = [
      [one.startTimeA, one.endTimeA],
      [one.startTimeB, one.endTimeB],
    ] as const
    return both.some(([start, end]) => {
      if (start === '' || end === '' || start === end) return false
      if (end === '23:59') return !isNextDay && time >= start
      if (end > start) return !isNextDay && time >= start && time < end
      return isNextDay ? time < end : time >= start
    })
  }
  let n = 0
  for (let at = from; at < to; at += minute) {
    const [day, time] = [dayIn(timeZone, new Date(at)), timeIn(timeZone, new Date(at))]
    const before = new Date(Date.parse(`${day}T00:00Z`) - 24 * 60 * minute).toISOString().slice(0, 10)
    if (open(day, time, false) || open(before, time, true)) n++
  }
  return n
}

describe('the open time between two moments', () => {
  /* The clocks change on these days; in São Paulo at midnight, until 2019. */
  const days = [
    ['Europe/Lisbon', '2026-03-29'],
    ['Europe/Lisbon', '2026-10-25'],
    ['America/Sao_Paulo', '2018-11-04'],
    ['America/Sao_Paulo', '2018-02-18'],
    ['America/Sao_Paulo', '2026-11-10'],
    ['Asia/Kolkata', '2026-11-10'],
    ['Australia/Lord_Howe', '2026-04-05'],
  ] as const
  it.each(days)('equals a count of minutes, and its parts add up (%s, %s)', (timeZone, day) => {
    const dice = seededRandom(Date.parse(day) / 1e5)
    const clock = () => `${String(dice.int(24)).padStart(2, '0')}:${dice.of(['00', '15', '30'])}`
    for (let round = 0; round < 12; round++) {
      const shift = (): [string, string] => (dice.chance(0.2) ? ['', ''] : dice.chance(0.2) ? [clock(), '23:59'] : [clock(), clock()])
      const holidays = dice.chance(0.3) ? [day] : []
      const of = hours(
        week((): Times => [...shift(), ...shift()]),
        timeZone,
        holidays,
      )
      const from = Date.parse(`${day}T00:00Z`) + (dice.int(48 * 60) - 36 * 60) * minute
      const to = from + dice.int(60 * 60) * minute
      const middle = from + dice.int((to - from) / minute + 1) * minute
      const whole = length(openSpans(of, from, to))
      expect({ of, from, to, minutes: whole / minute }).toEqual({ of, from, to, minutes: countMinutes(of, from, to) })
      expect(length(openSpans(of, from, middle)) + length(openSpans(of, middle, to))).toBe(whole)
      expect(whole).toBeLessThanOrEqual(to - from)
    }
  })
})
