import { dayIn, momentAt } from '#domain/zone/rules.ts'
import { dayAfter, mondayOf, type WeeklyMail } from './rules.ts'

/** One mail of a filter: the local day and the moment at which it is due, and the whole week before, which it covers. */
export type DueMail = { day: string; at: number; first: string; last: string }
type Schedule = Pick<WeeklyMail, 'weekday' | 'time'>

/** The mail of the week that begins on this Monday. */
export function mailOfWeek(zone: string, { weekday, time }: Schedule, monday: string): DueMail {
  const day = dayAfter(monday, weekday)
  return { day, at: momentAt(zone, day, time).getTime(), first: dayAfter(monday, -7), last: dayAfter(monday, -1) }
}
const isSettled = ({ day }: DueMail, mailedDay: string | null) => mailedDay !== null && mondayOf(day) <= mondayOf(mailedDay)

/**
 * The mail that is due now; null: none. A missed one stays due until the next one, but none from before it was set up. There is one a
 * week, even if the schedule is changed. `mailedDay`: the day of the last settled one.
 */
export function dueMail(zone: string, mail: WeeklyMail, mailedDay: string | null, now: number): DueMail | null {
  if (!mail.active) return null
  const monday = mondayOf(dayIn(zone, new Date(now)))
  const last = [monday, dayAfter(monday, -7)].map((one) => mailOfWeek(zone, mail, one)).find(({ at }) => at <= now)
  return last && last.at >= Date.parse(mail.since) && !isSettled(last, mailedDay) ? last : null
}

/** The next mail: the due one, or the first later one; null: it is switched off. */
export function nextMail(zone: string, mail: WeeklyMail, mailedDay: string | null, now: number): DueMail | null {
  if (!mail.active) return null
  const monday = mondayOf(dayIn(zone, new Date(now)))
  const later = [0, 7, 14].map((days) => mailOfWeek(zone, mail, dayAfter(monday, days)))
  return dueMail(zone, mail, mailedDay, now) ?? later.find((one) => one.at > now && !isSettled(one, mailedDay)) ?? null
}

/** Whether it is a later day than that on which the mail was due. */
export const isLate = (zone: string, { day }: Pick<DueMail, 'day'>, now: number): boolean => dayIn(zone, new Date(now)) > day
