import { dayMs } from '#domain/duration/rules.ts'
import type { Period, SavedFilter } from './contract.ts'

export type Days = { dateFrom: string; dateTo: string }

/** A user's maximum number of saved filters. */
export const mostFilters = 100
/** Tries to send a mail to one recipient, a minute apart. */
export const mostAttempts = 5

export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
/** The day of the week, from 0 (Monday) to 6. */
export const weekdayOf = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
/** The Monday of the day's week. */
export const mondayOf = (day: string): string => dayAfter(day, -weekdayOf(day))

const relative: Record<Exclude<Period, 'days'>, (today: string) => Days> = {
  today: (today) => ({ dateFrom: today, dateTo: today }),
  last7Days: (today) => ({ dateFrom: dayAfter(today, -6), dateTo: today }),
  lastWeek: (today) => ({ dateFrom: dayAfter(mondayOf(today), -7), dateTo: dayAfter(mondayOf(today), -1) }),
  thisMonth: (today) => ({ dateFrom: `${today.slice(0, 7)}-01`, dateTo: today }),
  lastMonth(today) {
    const dateTo = dayAfter(`${today.slice(0, 7)}-01`, -1)
    return { dateFrom: `${dateTo.slice(0, 7)}-01`, dateTo }
  },
}

/** The days of a period, both included. `today`: the day in the company's zone. */
export const daysOf = ({ period, dateFrom, dateTo }: { period: Period } & Partial<Days>, today: string): Partial<Days> =>
  period === 'days' ? { ...(dateFrom && { dateFrom }), ...(dateTo && { dateTo }) } : relative[period](today)

/** The period that these days are today. A range that is two periods, as on the first of a month, is the longer one. */
export function periodOf({ dateFrom, dateTo }: Days, today: string): Period {
  const isRange = (period: keyof typeof relative) => {
    const days = relative[period](today)
    return days.dateFrom === dateFrom && days.dateTo === dateTo
  }
  return (['thisMonth', 'last7Days', 'lastWeek', 'lastMonth', 'today'] as const).find(isRange) ?? 'days'
}

const lists = new Set(['queueIds', 'users', 'whatsappId', 'tags', 'status'])
/** The parts of the report's address for a saved filter. */
export function addressParts({ period: _, ...filter }: SavedFilter, days: Partial<Days>): Record<string, string> {
  const { dateFrom: _from, dateTo: _to, ...lasting } = filter
  const text = ([name, value]: [string, unknown]) => [name, lists.has(name) ? (JSON.parse(`${value}`) as unknown[]).join() : `${value}`]
  return { ...(Object.fromEntries(Object.entries(lasting).map(text)) as Record<string, string>), ...days }
}

/** The weekly mail of a filter. `weekday`: from 0 (Monday) to 6; `time`: the local time, as 22:30. `since`: when it was set up so. */
export type WeeklyMail = { active: boolean; weekday: number; time: string; recipients: number[]; since: string }
