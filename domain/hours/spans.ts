import { dayMs, minuteMs } from '#domain/duration/rules.ts'
import { dayIn, endOfDay, offset, startOfDay } from '#domain/zone/rules.ts'
import { changeOfOffset, dayBefore, minuteOf, minutesOfDay, type Shifts, shiftsOf } from './rules.ts'

/** A part of time in milliseconds since 1970: from `from` (included) to `to` (excluded). */
export type Span = { from: number; to: number }
export type OpeningHours = { schedules: readonly Shifts[]; timeZone: string; holidays: readonly string[] }

/**
 * The open time between two moments, in order. For measuring, a shift lasts from its start to its end exactly, and 23:59 is the end of
 * the day (A-COUNT-14). In an hour that the clocks repeat, both passes count.
 */
export function openSpans({ schedules, timeZone, holidays }: OpeningHours, from: number, to: number): Span[] {
  const spans: Span[] = []
  for (let day = dayIn(timeZone, new Date(from)); ; day = dayAfter(day)) {
    const passes = passesOf(timeZone, day)
    if (passes[0]!.from >= to) return spans
    const minutes = openMinutes(schedules, holidays, day)
    for (const pass of passes) for (const one of minutes) add(spans, clipped(inPass(one, pass), from, to))
  }
}

/** Appends a span, or lengthens the last one if nothing lies between. */
export function add(spans: Span[], { from, to }: Span): void {
  if (to <= from) return
  const last = spans.at(-1)
  if (last && last.to === from) last.to = to
  else spans.push({ from, to })
}
const clipped = (span: Span, from: number, to: number): Span => ({ from: Math.max(span.from, from), to: Math.min(span.to, to) })

/** The open parts of a local day in minutes since midnight, also those of shifts that began on the day before. */
function openMinutes(schedules: readonly Shifts[], holidays: readonly string[], day: string): Span[] {
  const before = begunOn(schedules, holidays, dayBefore(day)).map(({ from, to }) => ({ from: from - minutesOfDay, to: to - minutesOfDay }))
  const parts = [...before, ...begunOn(schedules, holidays, day)].map((one) => clipped(one, 0, minutesOfDay))
  const found: Span[] = []
  for (const { from, to } of parts.filter((one) => one.to > one.from).toSorted((a, b) => a.from - b.from)) {
    const last = found.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else found.push({ from, to })
  }
  return found
}
/** The shifts that begin on a day. One that begins a minute after the other ends continues it, as in the default hours of a queue. */
function begunOn(schedules: readonly Shifts[], holidays: readonly string[], day: string): Span[] {
  const [first, second] = shiftsOf(schedules, holidays, day)
    .map(([start, end]): Span => {
      const [from, to] = [minuteOf(start), end === '23:59' ? minutesOfDay : minuteOf(end)]
      return { from, to: to > from ? to : to + minutesOfDay }
    })
    .toSorted((a, b) => a.from - b.from)
  if (!first || !second) return first ? [first] : []
  return second.from - first.to === 1 ? [{ from: first.from, to: second.to }] : [first, second]
}

/** A part of a local day with one offset. `midnight`: when the day would have begun with that offset. */
type Pass = Span & { midnight: number }
const inPass = ({ from, to }: Span, pass: Pass): Span =>
  clipped({ from: pass.midnight + from * minuteMs, to: pass.midnight + to * minuteMs }, pass.from, pass.to)

/** The passes of each local day, by zone and day. Kept, because time zones are slow to compute. */
const known = new Map<string, Pass[]>()
const mostKnown = 20_000
function passesOf(zone: string, day: string): Pass[] {
  const key = `${zone} ${day}`
  const before = known.get(key)
  if (before) return before
  const [from, to] = [startOfDay(zone, day).getTime(), endOfDay(zone, day).getTime()]
  const change = to > from ? changeOfOffset(zone, from, to) : null
  const bounds = change === null ? [from, to] : [from, change, to]
  const utc = Date.parse(`${day}T00:00:00Z`)
  const passes = bounds.slice(1).map((end, i) => ({ from: bounds[i]!, to: end, midnight: utc - offset(zone, bounds[i]!) }))
  if (known.size >= mostKnown) known.clear()
  known.set(key, passes)
  return passes
}
const dayAfter = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10)
