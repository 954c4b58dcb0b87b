import type { ScheduledRuleId } from '#domain/automation/rules.ts'
import type { Decide } from '#domain/decider.ts'
import { closed, existing } from './attendance.ts'
import type { TicketEvent } from './events.ts'
import { type LaneTime, laneDue, movedOn } from './lane.ts'
import { ratingExpired } from './rating.ts'
import type { Present, Ticket } from './ticket.ts'

/** The time limits of a ticket, from its connection and the configuration. Milliseconds, or moments since 1970; 0: never. */
export type TimeoutPolicy = {
  /** A-EXP-01. */
  expiresMs: number
  /** A-EXP-02: expires only if the last message is ours. */
  onlyUnanswered: boolean
  /** A-EXP-03. */
  warnMs: number
  /** A-EXP-05. */
  autoMs: number
  /** A-NPS-02. */
  ratingMs: number
  /** A-BOT-09: the ticket moves to the queue `redirectTo`. */
  redirectMs: number
  redirectTo: number | null
  /** When the company or, with hours per queue, the redirect queue opens next; null: it is open. */
  closedUntil: number | null
  /** A-VAC-01: no timeout fires during the vacation, and waiting times restart after it. */
  vacation: { from: number; to: number } | null
  /** A-LANE-01: the time limit of the ticket's lane. */
  lane: LaneTime | null
}

/** A scheduled automatic action: its rule and when it is due. */
export type ScheduledRule = { rule: Exclude<ScheduledRuleId, 'A-ROT-01'>; dueAt: number } // the queue schedules the rotation

const at = (moment: string | null) => (moment === null ? 0 : Date.parse(moment))

/** All scheduled actions on a ticket, soonest first. No other code decides them. */
export function scheduledRules(ticket: Ticket, policy: TimeoutPolicy): ScheduledRule[] {
  if (ticket.status === 'nps') return [{ rule: 'A-NPS-02', dueAt: at(ticket.rating?.askedAt ?? null) + policy.ratingMs }]
  if (ticket.status !== 'open' && ticket.status !== 'pending') return []
  // a pending ticket is never closed automatically (A-EXP-06)
  const next = ticket.status === 'open' ? serving(ticket, policy) : redirecting(ticket, policy)
  const dueAt = laneDue(ticket, policy.lane)
  return [...next, ...(dueAt === null ? [] : [{ rule: 'A-LANE-01' as const, dueAt }])].toSorted((a, b) => a.dueAt - b.dueAt)
}

function serving({ last, servedSince, warned }: Present, policy: TimeoutPolicy): ScheduledRule[] {
  if (!last) return [] // without a message there is nothing to wait for
  const since = Math.max(at(last.at), at(servedSince)) // an accept restarts the waiting time
  const ours = last.from === 'us'
  const { expiresMs, onlyUnanswered, warnMs, autoMs, vacation } = policy
  const all: ScheduledRule[] = []
  if (expiresMs > 0 && (ours || !onlyUnanswered)) all.push({ rule: 'A-EXP-01', dueAt: after(since, expiresMs, vacation) })
  if (expiresMs === 0 && autoMs > 0 && ours) all.push({ rule: 'A-EXP-05', dueAt: after(since, autoMs, vacation) })
  if (warnMs > 0 && warnMs < expiresMs && ours && !warned) all.push({ rule: 'A-EXP-03', dueAt: after(since, warnMs, vacation) })
  return all
}

function redirecting({ queueId, userId, lastInboundRecordedAt, openedAt }: Present, policy: TimeoutPolicy): ScheduledRule[] {
  const { redirectMs, redirectTo, closedUntil, vacation } = policy
  if (redirectMs === 0 || redirectTo === null || queueId !== null || userId !== null) return []
  const dueAt = after(Math.max(at(openedAt), at(lastInboundRecordedAt)), redirectMs, vacation)
  return [{ rule: 'A-BOT-09', dueAt: Math.max(dueAt, closedUntil ?? 0) }]
}

/** A timeout that would fall into a vacation restarts after it. */
const after = (since: number, ms: number, vacation: TimeoutPolicy['vacation']): number =>
  vacation && since + ms >= vacation.from && since < vacation.to ? vacation.to + ms : since + ms

/** When the next scheduled action is due; null: none. */
export const nextDue = (ticket: Ticket, policy: TimeoutPolicy): number | null => scheduledRules(ticket, policy)[0]?.dueAt ?? null

/** A timer fired. A late or repeated timer is harmless, because the state decides. */
export type TimeoutCommand = { type: 'ApplyTimeout'; policy: TimeoutPolicy }

/** Actions that are due together happen in this order: a ticket that ends is neither moved nor warned. */
const happens: { [N in ScheduledRule['rule']]: (ticket: Present, policy: TimeoutPolicy) => TicketEvent[] } = {
  'A-EXP-01': (ticket) => [{ ...closed('expired', false, ticket, null), rule: 'A-EXP-01' }],
  'A-EXP-05': (ticket) => [{ ...closed('expired', false, ticket, null), rule: 'A-EXP-05' }],
  'A-NPS-02': ratingExpired,
  'A-BOT-09': (_, { redirectTo }) => [{ type: 'TicketRedirected', queueId: redirectTo!, rule: 'A-BOT-09' }],
  'A-LANE-01': (_, { lane }) => [movedOn(lane!)],
  'A-EXP-03': () => [{ type: 'InactivityWarned', rule: 'A-EXP-03' }],
}
const order = Object.keys(happens) as ScheduledRule['rule'][]

export const timeouts: Decide<Ticket, TimeoutCommand, TicketEvent> = {
  ApplyTimeout: (ticket, { policy, at }) => {
    if (ticket.status === 'absent' || ticket.status === 'deleted') return []
    const due = scheduledRules(ticket, policy).filter(({ dueAt }) => dueAt <= Date.parse(at))
    const first = order.find((name) => due.some(({ rule }) => rule === name))
    return first ? happens[first](existing(ticket), policy) : []
  },
}
