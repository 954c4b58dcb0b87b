import { dayMs, hourMs, minuteMs } from '#domain/duration/rules.ts'

/** Whether the name is an IANA time zone. An offset such as +03:00 is none, because it has no daylight saving time. */
export function isTimeZone(name: string): boolean {
  if (!/^(UTC|[A-Za-z]+(\/[A-Za-z0-9_+-]+)+)$/.test(name)) return false
  try {
    return clockOf(name) !== undefined
  } catch {
    return false
  }
}

/** Whether the text is an ISO 3166 country code, such as BR. */
export const isCountry = (text: string): boolean =>
  /^[A-Z]{2}$/.test(text) && text !== 'ZZ' && new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(text) !== undefined

/** Date formatters by time zone. Cached, because creating one is slow. */
const clocks = new Map<string, Intl.DateTimeFormat>()
function clockOf(zone: string): Intl.DateTimeFormat {
  const made = clocks.get(zone)
  if (made) return made
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  clocks.set(zone, clock)
  return clock
}

/** The local time in a zone: `day` as 2026-11-22, `time` as 15:04:05. */
function wall(zone: string, at: Date): { day: string; time: string } {
  const [day = '', time = ''] = clockOf(zone).format(at).split(' ')
  return { day, time }
}
/** The local day of a moment. */
export const dayIn = (zone: string, at: Date): string => wall(zone, at).day
/** The local hour and minute of a moment. */
export const timeIn = (zone: string, at: Date): string => wall(zone, at).time.slice(0, 5)

/** The offset of the zone from UTC at a moment, in milliseconds. */
export function offset(zone: string, at: number): number {
  const { day, time } = wall(zone, new Date(at))
  return Date.parse(`${day}T${time}Z`) - Math.floor(at / 1000) * 1000
}

/** The moment at which a local day begins: midnight, or the end of the gap if a clock change skips midnight. */
export function startOfDay(zone: string, wanted: string): Date {
  const day = counted(wanted)
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const ahead = [offset(zone, midnight - 26 * hourMs), offset(zone, midnight + 26 * hourMs)]
  const found = ahead.map((by) => midnight - by).filter((at) => dayIn(zone, new Date(at)) === day && dayIn(zone, new Date(at - 1)) !== day)
  if (found.length > 0) return new Date(Math.min(...found))
  let at = midnight - Math.max(...ahead) - 3 * hourMs
  while (dayIn(zone, new Date(at)) < day) at += minuteMs
  return new Date(at)
}
/** The moment at which the next local day begins. */
export const endOfDay = (zone: string, day: string): Date =>
  startOfDay(zone, new Date(Date.parse(`${counted(day)}T00:00:00Z`) + dayMs).toISOString().slice(0, 10))
/** The moment at which the clock of a local day first shows a time such as 22:30; if a clock change skips it, the first moment after. */
export function momentAt(zone: string, day: string, time: string): Date {
  const wanted = `${day} ${time}`
  const local = (at: number) => `${dayIn(zone, new Date(at))} ${timeIn(zone, new Date(at))}`
  const wall = Date.parse(`${day}T${time}:00Z`)
  const offsets = [offset(zone, wall - 26 * hourMs), offset(zone, wall + 26 * hourMs)]
  const found = offsets.map((by) => wall - by).filter((at) => local(at) === wanted)
  if (found.length > 0) return new Date(Math.min(...found))
  let at = wall - Math.max(...offsets)
  while (local(at) < wanted) at += minuteMs
  return new Date(at)
}
/** Limits the day to a range that every formatter and database supports. */
const counted = (day: string) => (day < '1900-01-01' ? '1900-01-01' : day > '9000-01-01' ? '9000-01-01' : day)
