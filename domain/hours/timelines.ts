import type { Schedules } from './contract.ts'
import { add, openSpans, type Span } from './spans.ts'

/** A value of a rule from a moment on; `validFrom` null: since ever. */
export type RuleVersion = { kind: string; ownerId: number; validFrom: string | null; value: unknown }
type Version<T> = { from: number; value: T }

/**
 * The open time of a period (A-HOURS-02), with the rules that were in force at each moment (A-COUNT-14). At each moment one part counts:
 * `everywhere` while the company's hours count or none do, `queues` while those of the queue count, `connections` likewise. A queue or
 * connection that is not listed, or a ticket without a queue, uses `other…`.
 */
export type Timelines = {
  everywhere: Span[]
  queues: Map<number, Span[]>
  otherQueues: Span[]
  connections: Map<number, Span[]>
  otherConnections: Span[]
}

/** `versions`: the rules of one company. Without a version, a rule has its default. */
export function timelinesOf(versions: readonly RuleVersion[], { from, to }: Span, defaults: { timeZone: string }): Timelines {
  const byRule = Map.groupBy(versions, ({ kind, ownerId }) => `${kind} ${ownerId}`)
  const valuesOf = <T>(rule: string, otherwise: T): Version<T>[] => {
    const list = (byRule.get(rule) ?? []).map(({ validFrom, value }) => ({ from: momentOf(validFrom), value: value as T }))
    return [{ from: -Infinity, value: otherwise }, ...list.toSorted((a, b) => a.from - b.from)]
  }
  const modes = valuesOf('scheduleType 0', 'disabled')
  const zones = valuesOf('timeZone 0', defaults.timeZone)
  const holidays = valuesOf<string[]>('holidays 0', [])
  /** The open time while `mode` counts. Without hours, it is always open. */
  const timeline = (modesThatCount: readonly string[], rule: string | null): Span[] => {
    const hours = rule === null ? [] : valuesOf<Schedules | null>(rule, null)
    const spans: Span[] = []
    for (const part of partsOf({ from, to }, [modes, zones, holidays, hours])) {
      const mode = valueAt(modes, part.from)!
      if (!modesThatCount.includes(mode)) continue
      const schedules = mode === 'disabled' ? null : (valueAt(hours, part.from) ?? null)
      const timeZone = valueAt(zones, part.from)!
      if (schedules === null) add(spans, part)
      else
        for (const one of openSpans({ schedules, timeZone, holidays: valueAt(holidays, part.from)! }, part.from, part.to)) add(spans, one)
    }
    return spans
  }
  const owners = (kind: string) => [...new Set(versions.flatMap((one) => (one.kind === kind ? [one.ownerId] : [])))]
  const each = (kind: string) =>
    modes.some(({ value }) => value === kind) ? new Map(owners(kind).map((id) => [id, timeline([kind], `${kind} ${id}`)])) : new Map()
  return {
    everywhere: timeline(['disabled', 'company'], 'company 0'),
    ...{ queues: each('queue'), otherQueues: timeline(['queue'], null) },
    ...{ connections: each('connection'), otherConnections: timeline(['connection'], null) },
  }
}

const momentOf = (validFrom: string | null) => (validFrom === null ? -Infinity : Date.parse(validFrom))
const valueAt = <T>(versions: Version<T>[], at: number): T | undefined => versions.findLast(({ from }) => from <= at)?.value

/** The period in parts in which no rule changes. */
function partsOf({ from, to }: Span, rules: Version<unknown>[][]): Span[] {
  const changes = rules.flatMap((versions) => versions.map((one) => one.from)).filter((at) => at > from && at < to)
  const bounds = [...new Set([from, ...changes.toSorted((a, b) => a - b), to])]
  return bounds.slice(1).map((end, i) => ({ from: bounds[i]!, to: end }))
}
