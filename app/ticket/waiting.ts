import { type Kysely, sql } from 'kysely'
import type { Stamp } from '#domain/decider.ts'
import type { Schedules } from '#domain/hours/contract.ts'
import { nextChange, openAt } from '#domain/hours/rules.ts'
import type { Present } from '#domain/ticket/ticket.ts'
import { nextDue, type Waits } from '#domain/ticket/waiting.ts'
import { endOfDay, startOfDay } from '#domain/zone/rules.ts'
import type { Database } from '#projections/database.ts'
import { gatheredBy } from '#projections/gather.ts'
import { settingsOf } from '../setting/read.ts'
import type { Clock } from '../work/clock.ts'
import { type Due, setDeadline } from '../work/deadlines.ts'
import type { AskTicket, SeeTicket } from './store.ts'

export type Deps = {
  db: Kysely<Database>
  ask: AskTicket
  see: SeeTicket
  clock: Clock
  settings: { hoursCloseTicketsAuto: number }
}

export const minute = 60_000
export const hour = 60 * minute

type Said = {
  expiresTicket: number
  whenExpiresTicket: string
  timeInactiveMessage: number
  sendIdQueue: number | null
  timeSendQueue: string
  expiresTicketNPS: number
  collectiveVacationStart: string | null
  collectiveVacationEnd: string | null
  schedules: Schedules
  companySchedules: Schedules
  holidays: string[] | null
}
/** What connections say about waiting, as it stands now; what is asked at the same moment is read together. A queue that was retired takes nobody. */
const said = gatheredBy(async (db: Kysely<Database>, ids: number[]): Promise<(Said | undefined)[]> => {
  const { rows } = await sql<Said & { id: number }>`
    select c.id, c.expires_ticket, c.when_expires_ticket, c.time_inactive_message, q.id as send_id_queue, c.time_send_queue, c.expires_ticket_n_p_s,
      c.collective_vacation_start::text, c.collective_vacation_end::text, c.schedules, o.schedules as company_schedules,
      (select array_agg(h.date::text) from holiday h where h.company_id = c.company_id) as holidays
    from connection c join company o on o.id = c.company_id
      left join queue q on q.id = c.send_id_queue and q.company_id = c.company_id and q.retired_at is null
    where c.id = any(${ids}::int[])`.execute(db)
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => found.get(id))
})

export async function waitsOf(companyId: number, connectionId: number, { db, clock, settings }: Deps): Promise<Waits> {
  const [of, company] = await Promise.all([said(db, connectionId), settingsOf(db, companyId)])
  const { timeZone, scheduleType } = company
  const hours = scheduleType === 'company' ? of?.companySchedules : scheduleType === 'connection' ? of?.schedules : undefined
  const now = new Date(clock.now())
  const holidays = of?.holidays ?? []
  const shut = hours !== undefined && !openAt(hours, timeZone, holidays, now)
  const { collectiveVacationStart: from, collectiveVacationEnd: to } = of ?? {}
  return {
    expiresMs: (of?.expiresTicket ?? 0) * minute,
    onlyUnanswered: of?.whenExpiresTicket === '1',
    warnMs: (of?.timeInactiveMessage ?? 0) * minute,
    autoMs: settings.hoursCloseTicketsAuto * hour,
    ratingMs: (of?.expiresTicketNPS || 60) * minute,
    redirectMs: Number(of?.timeSendQueue ?? 0) * minute,
    redirectTo: of?.sendIdQueue ?? null,
    closedUntil: shut ? (nextChange(hours, timeZone, holidays, now)?.getTime() ?? clock.now() + 24 * hour) : null,
    vacation: from && to ? { from: startOfDay(timeZone, from).getTime(), to: endOfDay(timeZone, to).getTime() } : null,
  }
}

/** Has it looked at when the next thing is due of what becomes of it by itself. */
export async function arm(companyId: number, ticket: Present, deps: Deps): Promise<void> {
  if (ticket.group || ticket.status === 'closed') return
  await armAt(companyId, ticket.ticketId, nextDue(ticket, await waitsOf(companyId, ticket.connectionId, deps)), deps)
}
async function armAt(companyId: number, aggregateId: number, due: number | null, { db, clock }: Deps): Promise<void> {
  if (due === null) return
  await setDeadline(db, { companyId, aggregateId, kind: 'wait', dueAt: new Date(Math.max(due, clock.now() + 1000)).toISOString() })
}

/** What was due happens, and what comes next is waited for: by what the connection says today. */
export async function wait(due: Due, deps: Deps): Promise<void> {
  const { companyId, aggregateId } = due
  const ticket = await deps.see(companyId, aggregateId)
  if (ticket.status === 'absent' || ticket.status === 'deleted') return
  const waits = await waitsOf(companyId, ticket.connectionId, deps)
  const stamp: Stamp = { companyId, by: { kind: 'system' }, at: deps.clock.iso() }
  const asked = await deps.ask(aggregateId, { type: 'Wait', waits, ...stamp }, `wait-${aggregateId}-${stamp.at}`)
  await armAt(companyId, aggregateId, nextDue(asked.state, waits), deps)
}
