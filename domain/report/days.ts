import { dayMs } from '#domain/duration/rules.ts'
import { refuse } from '#domain/errors.ts'
import { dayIn, endOfDay, startOfDay } from '#domain/zone/rules.ts'
import { daysBetween, rangeProblem } from './rules.ts'

/** A range of whole local days (A-COUNT-01), as ISO moments: `from` included, `to` excluded. */
export type DayRange = { first: string; last: string; days: number; from: string; to: string }

const shifted = (day: string, days: number) => new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/**
 * Both dates are included. Without dates: today; with a first day only: from that day until today; with a last day only: that day. Refuses
 * a range that ends before it begins or is too long.
 */
export function dayRange(zone: string, now: number, first: string | undefined, last: string | undefined): DayRange {
  const today = dayIn(zone, new Date(now))
  const begin = first ?? last ?? today
  const end = last ?? (begin > today ? begin : today)
  if (rangeProblem(begin, end) !== null) refuse('ERR_INVALID_RANGE')
  return {
    first: begin,
    last: end,
    days: daysBetween(begin, end),
    from: startOfDay(zone, begin).toISOString(),
    to: endOfDay(zone, end).toISOString(),
  }
}

/** The period of the same number of days before. If the range lasts until now, it ends at the same minute (A-COUNT-13). */
export function periodBefore(zone: string, now: number, range: DayRange): { from: string; to: string } {
  const from = startOfDay(zone, shifted(range.first, -range.days)).toISOString()
  const whole = range.from
  if (now >= Date.parse(range.to) || now < Date.parse(range.from)) return { from, to: whole }
  const passed = Date.parse(from) + (now - Date.parse(range.from))
  return { from, to: new Date(Math.min(passed, Date.parse(whole))).toISOString() }
}

/** The bars of a range: its hours if it is one day, otherwise its days. `future`: it has not begun. */
export function barsIn(zone: string, now: number, range: DayRange): { unit: 'day' | 'hour'; names: { name: string; future: boolean }[] } {
  const today = dayIn(zone, new Date(now))
  if (range.days > 1) {
    const names = Array.from({ length: range.days }, (_, i) => shifted(range.first, i))
    return { unit: 'day', names: names.map((name) => ({ name, future: name > today })) }
  }
  const hour = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit' }).format(new Date(now))
  const names = Array.from({ length: 24 }, (_, i) => String(i).padStart(2, '0'))
  return { unit: 'hour', names: names.map((name) => ({ name, future: range.first > today || (range.first === today && name > hour) })) }
}

/** The range of a report: without a first day from the first of the month on, without a last day until today (R-REPORT-01). */
export function reportRange(zone: string, now: number, first: string | undefined, last: string | undefined): DayRange {
  const month = (last ?? dayIn(zone, new Date(now))).slice(0, 7)
  return dayRange(zone, now, first ?? `${month}-01`, last)
}
