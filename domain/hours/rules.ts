import { dayMs, minuteMs } from '#domain/duration/rules.ts'
import { dayIn, endOfDay, offset, startOfDay, timeIn } from '#domain/zone/rules.ts'

export type Shifts = { weekdayEn: string; startTimeA: string; endTimeA: string; startTimeB: string; endTimeB: string }
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** The search for the next change ends after this many days. */
const mostDays = 400

/** The active shifts of a day; a holiday and a closed weekday have none (A-HOURS-01, A-HOURS-HOLIDAY). */
export function shiftsOf(schedules: readonly Shifts[], holidays: readonly string[], day: string): [start: string, end: string][] {
  if (holidays.includes(day)) return []
  return shiftsOn(schedules, new Date(`${day}T00:00:00Z`).getUTCDay())
}

/** The active shifts of a weekday, of which 0 is Sunday. */
function shiftsOn(schedules: readonly Shifts[], weekday: number): [start: string, end: string][] {
  const own = schedules.find(({ weekdayEn }) => weekdayEn === weekdays[weekday])
  const both: [string, string][] = own
    ? [
        [own.startTimeA, own.endTimeA],
        [own.startTimeB, own.endTimeB],
      ]
    : []
  return both.filter(([start, end]) => start !== '' && end !== '' && start !== end)
}

export const dayBefore = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) - dayMs).toISOString().slice(0, 10)

/**
 * Whether it is open at this time in the time zone, including the last minute of a shift. A shift that ends before it
 * begins ends on the next day (A-HOURS-01). `holidays`: days such as 2026-12-25, on which no shift begins.
 */
export function openAt(schedules: readonly Shifts[], timeZone: string, holidays: readonly string[], at: Date): boolean {
  const time = timeIn(timeZone, at)
  const day = dayIn(timeZone, at)
  const begun = shiftsOf(schedules, holidays, day).some(([start, end]) => start <= time && (time <= end || end < start))
  return begun || shiftsOf(schedules, holidays, dayBefore(day)).some(([start, end]) => end < start && time <= end)
}

export const minutesOfDay = 24 * 60
export const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Whether some minute of the week is outside every shift. */
export function closesEveryWeek(schedules: readonly Shifts[]): boolean {
  const open = new Set<number>()
  for (const weekday of weekdays.keys())
    for (const [start, end] of shiftsOn(schedules, weekday)) {
      const length = (minuteOf(end) - minuteOf(start) + minutesOfDay) % minutesOfDay // the last minute of a shift is open too
      for (let minute = 0; minute <= length; minute++)
        open.add((weekday * minutesOfDay + minuteOf(start) + minute) % (weekdays.length * minutesOfDay))
    }
  return open.size < weekdays.length * minutesOfDay
}

/** The next opening if it is closed, or the next closing if it is open; null: none. */
export function nextChange(schedules: readonly Shifts[], timeZone: string, holidays: readonly string[], at: Date): Date | null {
  const open = openAt(schedules, timeZone, holidays, at)
  let day = dayIn(timeZone, at)
  for (let left = mostDays; left > 0; left--, day = dayIn(timeZone, endOfDay(timeZone, day))) {
    const first = bounds(schedules, timeZone, holidays, day).find(
      (moment) => moment > at.getTime() && openAt(schedules, timeZone, holidays, new Date(moment)) !== open,
    )
    if (first !== undefined) return new Date(first)
  }
  return null
}

/** All possible opening and closing times of a day, in order. A clock change may repeat or skip a local time. */
function bounds(schedules: readonly Shifts[], zone: string, holidays: readonly string[], day: string): number[] {
  const from = startOfDay(zone, day).getTime()
  const to = endOfDay(zone, day).getTime()
  const changed = changeOfOffset(zone, from, to)
  const offsets = new Set([offset(zone, from), offset(zone, to - 1)])
  const wall = (time: string) => Date.parse(`${day}T${time}:00Z`)
  const walls = [
    ...shiftsOf(schedules, holidays, day).flatMap(([start, end]) => [wall(start), wall(end) + minuteMs]),
    ...shiftsOf(schedules, holidays, dayBefore(day)).map(([, end]) => wall(end) + minuteMs),
  ]
  const edges = walls.flatMap((one) => [...offsets].map((by) => one - by))
  return [from, ...edges, ...(changed === null ? [] : [changed])].filter((moment) => moment >= from && moment <= to).sort((a, b) => a - b)
}

/** The moment between two moments at which the offset of the zone changes; null: it does not. */
export function changeOfOffset(zone: string, from: number, to: number): number | null {
  const before = offset(zone, from)
  if (offset(zone, to - 1) === before) return null
  let [low, high] = [from, to - 1]
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000
    if (offset(zone, middle) === before) low = middle
    else high = middle
  }
  return Math.ceil(high / 1000) * 1000
}
