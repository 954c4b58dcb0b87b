import { getDefaultStore } from 'jotai'
import { dayMs, daySeconds, hourSeconds } from '#domain/duration/rules.ts'
import { defaults } from '#domain/setting/contract.ts'
import type { Language } from '#web/i18n.ts'
import { nowDate } from './now.ts'
import { zoneAtom } from './zone.ts'

let zone = defaults.timeZone
/** Sets the zone of all displayed times: the company's, wherever the browser is (A-TZ-01). */
export function showIn(timeZone: string): void {
  zone = timeZone
  made.clear()
  getDefaultStore().set(zoneAtom, timeZone)
}
export const displayZone = (): string => zone

const made = new Map<string, Intl.DateTimeFormat>()
function format(language: string, name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${name}`
  const found = made.get(key) ?? new Intl.DateTimeFormat(language, { timeZone: zone, ...options })
  made.set(key, found)
  return found
}

/** The day in the company's zone, as 2026-11-21. */
export const dayOf = (moment: string | Date, timeZone = zone): string =>
  format('en-CA', `day ${timeZone}`, { timeZone }).format(new Date(moment))
/** Days in the company's zone, as 2026-11-21. */
export const today = (now = nowDate()): string => dayOf(now)
export const daysAgo = (days: number, now = nowDate()): string => new Date(Date.parse(today(now)) - days * dayMs).toISOString().slice(0, 10)
/** The last day of a range without one: today, or its first day if that is still to come. */
export const lastDayFrom = (from: string | undefined, now = nowDate()): string =>
  from !== undefined && from > today(now) ? from : today(now)
export const monthBegins = (now = nowDate()): string => `${today(now).slice(0, 7)}-01`
/** The first and the last day of the month before this one. */
export function previousMonth(now = nowDate()): { from: string; to: string } {
  const to = new Date(Date.parse(monthBegins(now)) - dayMs).toISOString().slice(0, 10)
  return { from: `${to.slice(0, 7)}-01`, to }
}
const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / dayMs)

export const hour = (moment: string, language: Language): string =>
  format(language, 'hour', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(moment))
export const clock = (moment: string, language: Language): string =>
  format(language, 'clock', { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }).format(new Date(moment))
export const date = (moment: string, language: Language): string =>
  format(language, 'date', { day: '2-digit', month: '2-digit', year: 'numeric' }).format(new Date(moment))
export const dateAndHour = (moment: string, language: Language): string => `${date(moment, language)} ${hour(moment, language)}`

/** The company's offset from UTC at that moment: GMT-3. */
export const offsetAt = (moment: string, language: Language): string =>
  format(language, 'offset', { timeZoneName: 'shortOffset' })
    .formatToParts(new Date(moment))
    .find(({ type }) => type === 'timeZoneName')?.value ?? ''

/** The exact time in a log: day and hour, and the year if it is another one. */
export function dayAndHour(moment: string, language: Language, now = nowDate()): string {
  const ours = dayOf(moment).slice(0, 4) === dayOf(now).slice(0, 4)
  const day = ours
    ? format(language, 'day of the year', { day: '2-digit', month: '2-digit' }).format(new Date(moment))
    : date(moment, language)
  return `${day} ${hour(moment, language)}`
}

/** A moment of another day: ter 10/11 10:40, and the year if it is another one. */
export function weekdayAndHour(moment: string, language: Language, now = nowDate()): string {
  const weekday = format(language, 'weekday', { weekday: 'short' }).format(new Date(moment))
  return `${weekday.replace(/[.,]$/, '')} ${dayAndHour(moment, language, now)}`
}

/** A day without a zone, such as a due date. */
export const calendarDay = (day: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { timeZone: 'UTC', day: '2-digit', month: '2-digit', year: 'numeric' }).format(
    new Date(day.slice(0, 10)),
  )

/** Today the hour, this week the day, otherwise the date. */
export function brief(moment: string, language: Language, now = nowDate()): string {
  const past = daysBetween(dayOf(moment), dayOf(now))
  if (past === 0) return hour(moment, language)
  if (past > 0 && past < 7) return format(language, 'weekday', { weekday: 'short' }).format(new Date(moment))
  return date(moment, language)
}

/** The divider between days; today and yesterday by name. */
export function dayName(moment: string, language: Language, now = nowDate()): string {
  const past = daysBetween(dayOf(moment), dayOf(now))
  if (past === 0 || past === 1) return capital(new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-past, 'day'), language)
  const year = dayOf(moment).slice(0, 4) === dayOf(now).slice(0, 4) ? {} : ({ year: 'numeric' } as const)
  return capital(
    format(language, `long ${'year' in year}`, { weekday: 'long', day: 'numeric', month: 'long', ...year }).format(new Date(moment)),
    language,
  )
}

const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', daySeconds],
  ['hour', hourSeconds],
  ['minute', 60],
  ['second', 1],
] as const
export function age(moment: string, language: Language, now = nowDate()): string {
  const seconds = (Date.parse(moment) - now.getTime()) / 1000
  const [unit, size] = steps.find(([, least]) => Math.abs(seconds) >= least) ?? steps[5]
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.round(seconds / size), unit)
}

const spans = [
  ['day', 1440],
  ['hour', 60],
  ['minute', 1],
] as const
/** A short duration from minutes: 12 min, 3 h, 2 d. The narrow "s" of Turkish hours is also read as seconds. */
export function span(minutes: number, language: Language): string {
  const [unit, size] = spans.find(([, least]) => minutes >= least) ?? spans[2]
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: unit === 'minute' || language === 'tr' ? 'short' : 'narrow',
  }).format(Math.floor(minutes / size))
}

/** The full time with its zone, and the age. */
export const full = (moment: string, language: Language): string =>
  `${format(language, 'full', { dateStyle: 'full', timeStyle: 'long' }).format(new Date(moment))} · ${age(moment, language)}`

const capital = (text: string, language: Language) => text.charAt(0).toLocaleUpperCase(language) + text.slice(1)

/** The name of a day of the week, from 0 (Monday) to 6. */
export const weekdayName = (weekday: number, language: Language, width: 'short' | 'long') =>
  new Intl.DateTimeFormat(language, { timeZone: 'UTC', weekday: width }).format(new Date(Date.UTC(2026, 10, 2 + weekday)))
/** The name of an hour of the week, from 0 (Monday, midnight to one) to 167. */
export const weekHourName = (weekHour: number, language: Language) =>
  `${weekdayName(Math.floor(weekHour / 24), language, 'long')} ${String(weekHour % 24).padStart(2, '0')}:00`
