import type { Closing, MeasuredParts, TicketFactTable } from './tables.ts'

/** The bits of `partMeasures`. */
export const measureBits = { waiting: 1, firstAnswer: 2, support: 4, resolution: 8 } as const

type Part = { from: number; to: number; queueId: number; measures: number }

/**
 * The parts of time that the measures of a closing consist of, so that a query can count the open time in each. Their lengths add up to
 * the measures, which are whole seconds.
 */
export function measuredParts({ intervals, closings, askedAt, firstAnswerAt }: TicketFactTable, closing: Closing): MeasuredParts {
  const own = intervals.filter(({ revision }) => revision < closing.revision)
  const firstWait = own.find(({ state }) => state === 'waiting')?.beganAt
  const asked = Math.min(...[firstWait, askedAt].map((at) => (at ? Date.parse(at) : Infinity)))
  const answered = closing.firstAnswerSeconds !== null && firstAnswerAt !== null ? Date.parse(firstAnswerAt) : -Infinity
  const parts: Part[] = []
  let [attendance, isAttended, isActable] = [-1, false, false]
  for (const [i, { revision, state, beganAt, queueId }] of own.entries()) {
    const end = closings.findIndex((one) => one.revision > revision)
    if (end !== attendance) [attendance, isAttended, isActable] = [end, false, false]
    isAttended ||= state === 'open'
    isActable ||= state === 'open' || state === 'waiting'
    const measures =
      (state === 'waiting' ? measureBits.waiting : 0) |
      (isAttended && state !== 'rating' ? measureBits.support : 0) |
      (isActable && state !== 'rating' ? measureBits.resolution : 0)
    const next = own[i + 1]
    const [from, ends] = [Date.parse(beganAt), closings[end]!]
    const to = Date.parse(next && next.revision < ends.revision ? next.beganAt : ends.at)
    const place = { queueId: queueId ?? 0 }
    addPart(parts, { from, to, ...place, measures }, asked, answered)
    /* The contact may wait for the first answer while the ticket is closed. */
    if (next) addPart(parts, { from: to, to: Date.parse(next.beganAt), ...place, measures: 0 }, asked, answered)
  }
  return {
    partFrom: parts.map(({ from }) => from),
    partTo: parts.map(({ to }) => to),
    partQueueIds: parts.map(({ queueId }) => queueId),
    partMeasures: parts.map(({ measures }) => measures),
  }
}

/** Appends a part, divided where the wait for the first answer begins and ends. */
function addPart(parts: Part[], { from, to, queueId, measures }: Part, asked: number, answered: number): void {
  const bounds = [from, ...[asked, answered].filter((at) => at > from && at < to).toSorted((a, b) => a - b), to]
  for (const [i, begin] of bounds.slice(0, -1).entries()) {
    const end = bounds[i + 1]!
    const all = begin >= asked && end <= answered ? measures | measureBits.firstAnswer : measures
    const last = parts.at(-1)
    if (end <= begin || all === 0) continue
    if (last && last.to === begin && last.queueId === queueId && last.measures === all) last.to = end
    else parts.push({ from: begin, to: end, queueId, measures: all })
  }
}
