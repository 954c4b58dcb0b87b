import { filmStepMinutes } from '#domain/dashboard/contract.ts'
import { minuteMs } from '#domain/duration/rules.ts'
import { refuse } from '#domain/errors.ts'
import { dayIn, endOfDay, startOfDay } from '#domain/zone/rules.ts'

/** Points of a local day in time order: `n` of them from `first` on, `stepMs` apart. `dayBegins`: the begin of the local day. */
export type Points = { dayBegins: string; first: string; stepMs: number; n: number }

const stepMs = filmStepMinutes * minuteMs
/** No company has tickets before it. Earlier years have no form that every store accepts. */
const earliest = Date.parse('1970-01-01T00:00:00Z')

/** The moment in UTC. Refuses one that has not come yet. */
export function pastMoment(now: number, moment: string): string {
  const at = Date.parse(moment)
  if (Number.isNaN(at)) refuse('ERR_INVALID_INPUT')
  if (at > now) refuse('ERR_FUTURE_MOMENT')
  return new Date(Math.max(at, earliest)).toISOString()
}

/** One moment, with the begin of its local day. */
export const pointAt = (zone: string, moment: string): Points => ({
  dayBegins: startOfDay(zone, dayIn(zone, new Date(moment))).toISOString(),
  first: moment,
  stepMs,
  n: 1,
})

/** The steps of a film: every fifth minute of the local day up to now, so 276 or 300 on a day of 23 or 25 hours (A-PAST-02). */
export function pointsOfDay(zone: string, now: number, day: string): Points {
  const begins = startOfDay(zone, day)
  const first = begins.toISOString()
  if (begins.getTime() > now) refuse('ERR_FUTURE_MOMENT')
  const last = Math.min(endOfDay(zone, day).getTime() - 1, now)
  return { dayBegins: first, first, stepMs, n: Math.floor((last - begins.getTime()) / stepMs) + 1 }
}
