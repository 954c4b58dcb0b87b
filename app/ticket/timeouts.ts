import { type Kysely, sql } from 'kysely'
import type { EventMetadata } from '#domain/decider.ts'
import type { Schedules } from '#domain/hours/contract.ts'
import { nextChange, openAt } from '#domain/hours/rules.ts'
import type { LaneTime } from '#domain/ticket/lane.ts'
import type { Present, Ticket } from '#domain/ticket/ticket.ts'
import { nextDue, type TimeoutPolicy } from '#domain/ticket/timeouts.ts'
import { endOfDay, startOfDay } from '#domain/zone/rules.ts'
import { gatheredBy } from '#projections/batch-loader.ts'
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

export const minute = 60_000
export const hour = 60 * minute

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
  /** Of the queue that it goes to. */
  queueSchedules: Schedules | null
  holidays: string[] | null
}
/** What connections say about waiting, as it stands now; what is asked at the same moment is read together. A queue that was retired takes nobody. */
const rulesOf = gatheredBy(async (db: Kysely<Database>, ids: number[]): Promise<(WaitingRules | undefined)[]> => {
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

/** Lanes from which tickets move on by themselves. */
const timed = gatheredBy(async (db: Kysely<Database>, ids: number[]): Promise<(LaneTime | undefined)[]> => {
  const { rows } = await sql<{ id: number; hours: number; to: number }>`
    select t.id, t.time_lane as hours, n.id as to from tag t join tag n on n.id = t.next_lane_id and n.company_id = t.company_id
    where t.id = any(${ids}::int[]) and t.time_lane > 0 and t.kanban = 1 and n.kanban = 1 and n.id <> t.id`.execute(db)
  return ids.map((tagId) => {
    const found = rows.find(({ id }) => id === tagId)
    return found && { tagId, ms: found.hours * hour, to: found.to }
  })
})

export async function waitsOf(
  companyId: number,
  { connectionId, lane }: Pick<Present, 'connectionId' | 'lane'>,
  { db, clock, config }: Deps,
): Promise<TimeoutPolicy> {
  const [of, company, time] = await Promise.all([rulesOf(db, connectionId), settingsOf(db, companyId), lane && timed(db, lane.tagId)])
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
    expiresMs: (of?.expiresTicket ?? 0) * minute,
    onlyUnanswered: of?.whenExpiresTicket === '1',
    warnMs: of?.inactiveMessage?.trim() ? of.timeInactiveMessage * minute : 0, // without a text nobody is warned
    autoMs: config.hoursCloseTicketsAuto * hour,
    ratingMs: (of?.expiresTicketNPS || 60) * minute,
    redirectMs: Number(of?.timeSendQueue ?? 0) * minute,
    redirectTo: of?.sendIdQueue ?? null,
    closedUntil: shut ? (nextChange(hours, timeZone, holidays, now)?.getTime() ?? clock.now() + 24 * hour) : null,
    vacation: from && to ? { from: startOfDay(timeZone, from).getTime(), to: endOfDay(timeZone, to).getTime() } : null,
    lane: time ?? null,
  }
}

/** Has it looked at when the next thing is due of what becomes of it by itself. */
export async function arm(companyId: number, ticket: Ticket, deps: Deps): Promise<void> {
  if (!('group' in ticket) || ticket.group || ticket.status === 'closed') return
  const due = nextDue(ticket, await waitsOf(companyId, ticket, deps))
  if (due === null) return
  const dueAt = new Date(Math.max(due, deps.clock.now() + 1000)).toISOString()
  await setDeadline(deps.db, { companyId, aggregateId: ticket.ticketId, kind: 'wait', dueAt })
}

/** What was due happens, and what comes next is waited for: by what its connection and its lane say today. */
export async function wait(due: Due, deps: Deps): Promise<void> {
  const { companyId, aggregateId } = due
  const ticket = await deps.load(companyId, aggregateId)
  if (ticket.status === 'absent' || ticket.status === 'deleted') return
  const waits = await waitsOf(companyId, ticket, deps)
  const stamp: EventMetadata = { companyId, by: { kind: 'system' }, at: deps.clock.iso() }
  const asked = await deps.execute(aggregateId, { type: 'Wait', waits, ...stamp }, `wait-${aggregateId}-${stamp.at}`)
  await arm(companyId, asked.state, deps)
}
