import { type Kysely, sql } from 'kysely'
import type { EventMetadata } from '#domain/decider.ts'
import { dayMs, hourMs, minuteMs } from '#domain/duration/rules.ts'
import type { Schedules } from '#domain/hours/contract.ts'
import { nextChange, openAt } from '#domain/hours/rules.ts'
import type { LaneTime } from '#domain/ticket/lane.ts'
import type { Present, Ticket } from '#domain/ticket/ticket.ts'
import { nextDue, type TimeoutPolicy } from '#domain/ticket/timeouts.ts'
import { endOfDay, startOfDay } from '#domain/zone/rules.ts'
import { createStoreBatchLoader } from '#projections/batch-loader.ts'
import type { Database } from '#projections/database.ts'
import type { Clock } from '../scheduler/clock.ts'
import { type Due, setDeadline } from '../scheduler/deadlines.ts'
import { settingsOf } from '../setting/read.ts'
import type { ExecuteTicketCommand, LoadTicket } from './ticket-repository.ts'

export type Deps = {
  db: Kysely<Database>
  execute: ExecuteTicketCommand
  load: LoadTicket
  clock: Clock
  config: { hoursCloseTicketsAuto: number }
}

type WaitingRules = {
  expiresTicket: number
  whenExpiresTicket: string
  timeInactiveMessage: number
  inactiveMessage: string | null
  sendIdQueue: number | null
  timeSendQueue: string
  expiresTicketNPS: number
  collectiveVacationStart: string | null
  collectiveVacationEnd: string | null
  schedules: Schedules
  companySchedules: Schedules
  /** Of the queue to which the ticket is redirected. */
  queueSchedules: Schedules | null
  holidays: string[] | null
}
/**
 * Reads the timeout rules of connections. Concurrent calls share one query. A retired queue receives no
 * tickets.
 */
const loadTimeoutRules = createStoreBatchLoader(async (db: Kysely<Database>, ids: number[]): Promise<(WaitingRules | undefined)[]> => {
  const { rows } = await sql<WaitingRules & { id: number }>`
    select c.id, c.expires_ticket, c.when_expires_ticket, c.time_inactive_message, c.inactive_message, q.id as send_id_queue, c.time_send_queue, c.expires_ticket_n_p_s,
      c.collective_vacation_start::text, c.collective_vacation_end::text, c.schedules, o.schedules as company_schedules,
      q.schedules as queue_schedules,
      (select array_agg(h.date::text) from holiday h where h.company_id = c.company_id) as holidays
    from connection c join company o on o.id = c.company_id
      left join queue q on q.id = c.send_id_queue and q.company_id = c.company_id and q.retired_at is null
    where c.id = any(${ids}::int[])`.execute(db)
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => found.get(id))
})

/** Reads the lanes from which tickets move on after a time. */
const loadTimedLane = createStoreBatchLoader(async (db: Kysely<Database>, ids: number[]): Promise<(LaneTime | undefined)[]> => {
  const { rows } = await sql<{ id: number; hours: number; to: number }>`
    select t.id, t.time_lane as hours, n.id as to from tag t join tag n on n.id = t.next_lane_id and n.company_id = t.company_id
    where t.id = any(${ids}::int[]) and t.time_lane > 0 and t.kanban = 1 and n.kanban = 1 and n.id <> t.id`.execute(db)
  return ids.map((tagId) => {
    const found = rows.find(({ id }) => id === tagId)
    return found && { tagId, ms: found.hours * hourMs, to: found.to }
  })
})

export async function timeoutPolicyFor(
  companyId: number,
  { connectionId, lane }: Pick<Present, 'connectionId' | 'lane'>,
  { db, clock, config }: Deps,
): Promise<TimeoutPolicy> {
  const [of, company, time] = await Promise.all([
    loadTimeoutRules(db, connectionId),
    settingsOf(db, companyId),
    lane && loadTimedLane(db, lane.tagId),
  ])
  const { timeZone, scheduleType } = company
  const all: Partial<Record<string, Schedules | null>> = {
    ...{ company: of?.companySchedules, connection: of?.schedules, queue: of?.queueSchedules },
  }
  const hours = all[scheduleType] ?? null
  const now = new Date(clock.now())
  const holidays = of?.holidays ?? []
  const shut = hours !== null && !openAt(hours, timeZone, holidays, now)
  const { collectiveVacationStart: from, collectiveVacationEnd: to } = of ?? {}
  return {
    expiresMs: (of?.expiresTicket ?? 0) * minuteMs,
    onlyUnanswered: of?.whenExpiresTicket === '1',
    warnMs: of?.inactiveMessage?.trim() ? of.timeInactiveMessage * minuteMs : 0, // without a text there is no warning
    autoMs: config.hoursCloseTicketsAuto * hourMs,
    ratingMs: (of?.expiresTicketNPS || 60) * minuteMs,
    redirectMs: Number(of?.timeSendQueue ?? 0) * minuteMs,
    redirectTo: of?.sendIdQueue ?? null,
    closedUntil: shut ? (nextChange(hours, timeZone, holidays, now)?.getTime() ?? clock.now() + dayMs) : null,
    vacation: from && to ? { from: startOfDay(timeZone, from).getTime(), to: endOfDay(timeZone, to).getTime() } : null,
    lane: time ?? null,
  }
}

/** Schedules the next inactivity deadline of the ticket. */
export async function scheduleTimeout(companyId: number, ticket: Ticket, deps: Deps): Promise<void> {
  if (!('group' in ticket) || ticket.group || ticket.status === 'closed') return
  const due = nextDue(ticket, await timeoutPolicyFor(companyId, ticket, deps))
  if (due === null) return
  const dueAt = new Date(Math.max(due, deps.clock.now() + 1000)).toISOString()
  await setDeadline(deps.db, { companyId, aggregateId: ticket.ticketId, kind: 'inactivity', dueAt })
}

/**
 * Applies the timeout rules that are due and schedules the next deadline, by today's settings of connection
 * and lane.
 */
export async function fireTimeout(due: Due, deps: Deps): Promise<void> {
  const { companyId, aggregateId } = due
  const ticket = await deps.load(companyId, aggregateId)
  if (ticket.status === 'absent' || ticket.status === 'deleted') return
  const policy = await timeoutPolicyFor(companyId, ticket, deps)
  const metadata: EventMetadata = { companyId, by: { kind: 'system' }, at: deps.clock.iso() }
  const result = await deps.execute(aggregateId, { type: 'ApplyTimeout', policy, ...metadata }, `wait-${aggregateId}-${metadata.at}`)
  await scheduleTimeout(companyId, result.state, deps)
}
