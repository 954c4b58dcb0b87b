import type { Static } from 'typebox'
import * as Type from 'typebox'
import { Text } from '#domain/contract.ts'

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof weekdays)[number]

/** HH:MM, or empty if the shift is off. */
const Clock = Type.String({ pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9])?$', default: '' })

/** The hours of one weekday in two shifts. `weekday`: its display name; `weekdayEn`: its id. */
export const ServiceDay = Type.Object(
  { weekday: Text(40), weekdayEn: Type.Enum([...weekdays]), startTimeA: Clock, endTimeA: Clock, startTimeB: Clock, endTimeB: Clock },
  { additionalProperties: false },
)
export type ServiceDay = Static<typeof ServiceDay>

/** The weekly service hours of a company, a connection or a queue. A missing weekday is closed (A-HOURS-01). */
export const Schedules = Type.Array(ServiceDay, { maxItems: 7 })
export type Schedules = Static<typeof Schedules>

export const shifts = [
  ['startTimeA', 'endTimeA'],
  ['startTimeB', 'endTimeB'],
] as const

/** Returns the first violation: overlapping shifts or a repeated weekday. */
export function hoursFault(schedules: Schedules): { at: string; rule: 'overlap' | 'twice' } | null {
  const seen = new Set<Weekday>()
  for (const [n, day] of schedules.entries()) {
    if (seen.has(day.weekdayEn)) return { at: `${n}/weekdayEn`, rule: 'twice' }
    seen.add(day.weekdayEn)
    if (overlaps(day)) return { at: `${n}/startTimeB`, rule: 'overlap' }
  }
  return null
}

/** Whether a shift ends on the next day (A-HOURS-01). */
export const endsNextDay = (start: string, end: string): boolean => start !== '' && end !== '' && end < start

/** Whether the two shifts overlap; a shift may begin at the minute when the other ends. */
export function overlaps(day: ServiceDay): boolean {
  const [a, b] = shifts.map(([from, to]) => {
    const [start, end] = [day[from], day[to]]
    return start === '' || end === '' || start === end ? null : { start: minutes(start), end: minutes(end) + (end < start ? 24 * 60 : 0) }
  })
  return Boolean(a && b && b.start < a.end && a.start < b.end)
}
const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

const names = ['Segunda-feira', 'Terça-feira', 'Quarta-feira', 'Quinta-feira', 'Sexta-feira', 'Sábado', 'Domingo']
const week = (open: number, [startTimeA, endTimeA, startTimeB, endTimeB]: readonly [string, string, string, string]): Schedules =>
  weekdays.map((weekdayEn, n) => ({
    ...{ weekday: names[n]!, weekdayEn },
    ...(n < open ? { startTimeA, endTimeA, startTimeB, endTimeB } : { startTimeA: '', endTimeA: '', startTimeB: '', endTimeB: '' }),
  }))
const office = ['08:00', '12:00', '13:00', '18:00'] as const

/** Default hours of a company (A-HOURS-04), a connection (R-CONN-12) and a queue (R-QUEUE-06). */
export const defaultHours = { company: week(5, office), connection: week(7, office), queue: week(7, ['00:00', '12:00', '12:01', '23:59']) }
