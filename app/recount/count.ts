import type { Attendant, Bar, Counters } from '#domain/dashboard/contract.ts'
import { roundHalfAway, sharesOf } from '#domain/report/arithmetic.ts'
import type { barsIn } from '#domain/report/days.ts'
import { dayIn, timeIn } from '#domain/zone/rules.ts'
import type { RecountedClosing, RecountedTicket } from './ticket-facts.ts'

const measures = ['waiting', 'firstAnswer', 'support', 'resolution', 'bot'] as const
type Seconds = Record<(typeof measures)[number], number[]>
type Ratings = { finalized: number; ratings: number[] }

/** The numbers of a range that come from the log. The others of the dashboard (contacts, users, counts of now) have no recount. */
export type CountedRange = Omit<Counters['previous'], 'leads' | 'closedTimes'>
export type CountedCounters = CountedRange & Pick<Counters, 'closings' | 'reopenedSince' | 'deletedSince' | 'reopened' | 'consentRefused'>
export type CountedAttendant = Omit<Attendant, 'name' | 'removed' | 'online'>
export type Counted = { counters: CountedCounters; attendants: CountedAttendant[]; bars: Bar[] }

export type Moments = { from: string; to: string }
type Bars = { zone: string } & ReturnType<typeof barsIn>

const isFinalizing = ({ reason }: RecountedClosing) => reason !== 'transfer' && reason !== 'consentRefused'

/** Adds up tickets for one range. Only sums and the seconds for percentiles stay in memory. */
export function createCount(range: Moments, { zone, unit, names }: Bars) {
  const [from, to] = [Date.parse(range.from), Date.parse(range.to)]
  const isIn = (at: number | null): at is number => at !== null && at >= from && at < to
  const sums = { tickets: 0, startedByUs: 0, closings: 0, reopenedSince: 0, deletedSince: 0, reopened: 0, consentRefused: 0 }
  const all = { ...emptyRatings(), seconds: emptySeconds() }
  const agents = new Map<number | null, ReturnType<typeof emptyAgent>>()
  const bars = new Map(names.map(({ name }) => [name, { total: 0, finalized: 0 }]))
  const barOf = (at: number) => bars.get(unit === 'day' ? dayIn(zone, new Date(at)) : timeIn(zone, new Date(at)).slice(0, 2))

  function addFinalized(closing: RecountedClosing): void {
    const agent = agentOf(agents, closing.userId)
    for (const one of [all, agent]) addMeasures(one, closing)
    agent[kindOf(closing)]++
    for (const id of closing.participantIds) agentOf(agents, id).tookPart++
    if (closing.reopenedAt !== null) sums.reopenedSince++
  }

  return {
    add({ createdAt, startedByUs, deletedAt, closings }: RecountedTicket): void {
      const inRange = closings.filter(({ at }) => isIn(at))
      if (deletedAt !== null) {
        if (inRange.length > 0) sums.deletedSince++
        return
      }
      if (isIn(createdAt)) {
        sums.tickets++
        if (startedByUs) sums.startedByUs++
        const bar = barOf(createdAt)
        if (bar) bar.total++
      }
      if (closings.some(({ reopenedAt }) => isIn(reopenedAt))) sums.reopened++
      sums.consentRefused += inRange.filter(({ reason }) => reason === 'consentRefused').length
      const finalizing = inRange.filter(isFinalizing)
      sums.closings += finalizing.length
      for (const bar of new Set(finalizing.map(({ at }) => barOf(at)))) if (bar) bar.finalized++
      const last = finalizing.at(-1)
      if (last) addFinalized(last)
      const rated = finalizing.findLast(({ rating }) => rating !== null)
      if (rated) for (const one of [all, agentOf(agents, rated.userId)]) one.ratings.push(rated.rating!)
    },
    result: (): Counted => ({
      counters: { ...sums, supportFinished: all.finalized, ...ratingsOf(all), times: timesOf(all.seconds) },
      attendants: [...agents].map(([id, agent]) => attendantOf(id, agent)),
      bars: names.map(({ name, future }) => ({ ...(unit === 'day' ? { data: name } : { horario: name }), ...bars.get(name)!, future })),
    }),
  }
}
export type Count = ReturnType<typeof createCount>

/** How the ticket was closed (A-COUNT-08). */
function kindOf({ reason, closedBy, userId }: RecountedClosing): 'byHand' | 'byRule' | 'byOthers' | 'closeAll' {
  if (reason === 'closeAll') return 'closeAll'
  if (reason !== 'agent' && reason !== 'ignored') return 'byRule'
  return reason === 'agent' && closedBy !== null && closedBy === userId ? 'byHand' : 'byOthers'
}

const emptyRatings = (): Ratings => ({ finalized: 0, ratings: [] })
const emptySeconds = (): Seconds => ({ waiting: [], firstAnswer: [], support: [], resolution: [], bot: [] })
const emptyAgent = () => ({ ...emptyRatings(), seconds: emptySeconds(), byHand: 0, byRule: 0, byOthers: 0, closeAll: 0, tookPart: 0 })
function agentOf(agents: Map<number | null, ReturnType<typeof emptyAgent>>, id: number | null) {
  const agent = agents.get(id) ?? emptyAgent()
  agents.set(id, agent)
  return agent
}
function addMeasures(to: Ratings & { seconds: Seconds }, closing: RecountedClosing): void {
  to.finalized++
  for (const name of measures) {
    const measured = closing[`${name}Seconds`]
    if (measured !== null) to.seconds[name].push(measured)
  }
}

function ratingsOf({ finalized, ratings }: Ratings) {
  const withRating = ratings.length
  const promoters = ratings.filter((rating) => rating >= 9).length
  const detractors = ratings.filter((rating) => rating <= 6).length
  const passive = withRating - promoters - detractors
  const [npsPromotersPerc, npsPassivePerc, npsDetractorsPerc] = sharesOf([promoters, passive, detractors]) as [number, number, number]
  return {
    ...{ withRating, promoters, passive, detractors, npsPromotersPerc, npsPassivePerc, npsDetractorsPerc },
    percRating: finalized === 0 ? 0 : Math.min(100, roundHalfAway((100 * withRating) / finalized)),
    npsScore: withRating === 0 ? 0 : roundHalfAway((100 * (promoters - detractors)) / withRating),
  }
}

const sumOf = (list: number[]) => list.reduce((sum, one) => sum + one, 0)
function timesOf(seconds: Seconds): CountedRange['times'] {
  return Object.fromEntries(measures.map((name) => [name, measureOf(seconds[name])])) as CountedRange['times']
}
function measureOf(unsorted: number[]) {
  const list = unsorted.toSorted((a, b) => a - b)
  const n = list.length
  return n === 0
    ? { n, average: null, median: null, p90: null }
    : { n, average: sumOf(list) / n, median: percentile(list, 0.5), p90: percentile(list, 0.9) }
}
/** By linear interpolation between the closest ranks (A-COUNT-12). */
function percentile(list: number[], part: number): number {
  const rank = part * (list.length - 1)
  const below = list[Math.floor(rank)]!
  return below + (list[Math.ceil(rank)]! - below) * (rank - Math.floor(rank))
}

function attendantOf(id: number | null, { finalized, ratings, seconds, ...agent }: ReturnType<typeof emptyAgent>): CountedAttendant {
  const times = timesOf(seconds)
  const minutes = (average: number | null) => (average === null ? 0 : roundHalfAway((average / 60) * 100) / 100)
  return {
    ...{ id, rating: ratings.length === 0 ? null : sumOf(ratings) / ratings.length, countRating: ratings.length, tickets: finalized },
    ...agent,
    ...{ avgWaitTime: minutes(times.waiting.average), avgSupportTime: minutes(times.support.average), times },
  }
}
