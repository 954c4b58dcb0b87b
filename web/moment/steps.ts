import { filmStepMinutes, type MomentCounts } from '#domain/dashboard/contract.ts'
import { dayMs, minuteMs } from '#domain/duration/rules.ts'
import { endOfDay, startOfDay } from '#domain/zone/rules.ts'
import { dayOf, displayZone } from '#web/ui/moment.ts'
import { now } from '#web/ui/now.ts'

export const stepMs = filmStepMinutes * minuteMs
export const speeds = [1, 2, 5, 10] as const
/** Steps a second at 1×. */
export const pace = 1

/** The past moment in the address, `at=2026-11-10T13:40Z`; null: live. */
export function momentIn(address: URLSearchParams): string | null {
  const text = address.get('at')
  if (text === null || !/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z$/.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) || at > now() ? null : new Date(at).toISOString()
}
export const addressOf = (moment: string): string => moment.replace(/(:00)?\.000Z$/, 'Z')

/** The steps of the local day of a moment: `last` is the newest one that is not in the future. */
export type StepsOfDay = { day: string; begins: number; last: number; isUneven: boolean }
export function stepsOfDay(day: string, until: number): StepsOfDay {
  const begins = startOfDay(displayZone(), day).getTime()
  const ends = endOfDay(displayZone(), day).getTime()
  const last = Math.max(0, Math.floor((Math.min(ends - 1, until) - begins) / stepMs))
  return { day, begins, last, isUneven: (ends - begins) % dayMs !== 0 }
}
export const momentOf = ({ begins, last }: StepsOfDay, position: number): string =>
  new Date(begins + Math.max(0, Math.min(position, last)) * stepMs).toISOString()
/** The same time of another day, or its last step if that has not come yet. */
export const onDay = (moment: string, day: string, until: number): string => {
  const here = stepsOfDay(dayOf(moment), until)
  return momentOf(stepsOfDay(day, until), Math.floor((Date.parse(moment) - here.begins) / stepMs))
}
/** The newest step of today. */
export const newestStep = (until: number): string => {
  const today = stepsOfDay(dayOf(new Date(until)), until)
  return momentOf(today, today.last)
}

/** The step with the most waiting tickets, the first of several; null: nobody waited. */
export const peakOf = (steps: MomentCounts[]): number | null => {
  const most = Math.max(0, ...steps.map(({ supportPending }) => supportPending))
  return most === 0 ? null : steps.findIndex(({ supportPending }) => supportPending === most)
}
