import { randomInt } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Asker } from '#domain/decider.ts'
import type { Schedules } from '#domain/hours/contract.ts'
import { nextChange, openAt } from '#domain/hours/rules.ts'
import { on } from '#domain/setting/contract.ts'
import { isGivenOut } from '#domain/ticket/assigning.ts'
import type { Assigning, TicketEvent } from '#domain/ticket/events.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Present } from '#domain/ticket/ticket.ts'
import type { Database } from '#projections/database.ts'
import type { Reactor } from '../eventlog/reactor.ts'
import { settingsOf } from '../setting/read.ts'
import { availability } from '../user/availability.ts'
import type { Clock } from '../work/clock.ts'
import { type Due, setDeadline } from '../work/deadlines.ts'
import type { AskTicket, SeeTicket } from './store.ts'
import { hour, minute } from './waiting.ts'

type Deps = { db: Kysely<Database>; ask: AskTicket; see: SeeTicket; clock: Clock }
type Event = { companyId: number; aggregateId: number; revision: number; eventId: string }
type Given = Present & { queueId: number }

/** Who gets what waits: their customer's agent, somebody at random, or whose turn it is (A-WALLET-01, A-RANDOM-01, A-ROT-01). */
export const assign: Reactor<TicketEvent, Deps> = {
  name: 'assign',
  of: ticketStream,
  on: {
    BotEnded: (event, deps) => enters(event, deps, { byBot: true }),
    TicketQueued: enters,
    TicketTransferred: enters,
    TicketRedirected: enters,
    TicketResumed: enters,
    TicketReturned: async (event, deps) => {
      if (event.by.kind !== 'system') await enters(event, deps, { without: event.by.kind === 'user' ? event.by.id : null })
    },
  },
}

async function enters(event: Event, deps: Deps, { byBot = false, without = null as number | null } = {}): Promise<void> {
  const { companyId, aggregateId, revision, eventId } = event
  const ticket = await deps.see(companyId, aggregateId, {}, revision)
  if (!isGivenOut(ticket) || ticket.userId !== null) return
  const { db, clock } = deps
  const [settings, queue] = await Promise.all([settingsOf(db, companyId), rotationOf(companyId, ticket, deps)])
  const open = queue.closedUntil === null
  const rules: [
    applies: boolean,
    why: Assigning,
    rule: string,
    among: (team: number[]) => Promise<number | undefined> | number | undefined,
  ][] = [
    [byBot && on(settings, 'DirectTicketsToWallets'), 'wallet', 'A-WALLET-01', (team) => walletOf(db, companyId, ticket.contactId, team)],
    [byBot && on(settings, 'userRandom'), 'random', 'A-RANDOM-01', (team) => team[team.length === 0 ? 0 : randomInt(team.length)]],
    [queue.everyMs > 0 && open, 'rotation', 'A-ROT-01', (team) => team.find((id) => id !== without) ?? team[0]],
  ]
  for (const [applies, why, rule, among] of rules) {
    const userId = applies ? await chosen(companyId, ticket.queueId, among, deps) : undefined
    if (userId === undefined) continue
    const command = { type: 'Assign' as const, queueId: ticket.queueId, from: null, userId, why, rule }
    await deps.ask(aggregateId, { ...command, ...system(companyId) }, `assign-${eventId}`)
    break
  }
  if (queue.everyMs > 0) await rotateAt(companyId, aggregateId, queue.closedUntil ?? clock.now() + queue.everyMs, deps)
}

/** Nobody has taken it in time: the next one's turn; where there is no other it stays, and where there is nobody it waits for whoever comes. */
export async function rotate({ companyId, aggregateId }: Due, deps: Deps): Promise<void> {
  const ticket = await deps.see(companyId, aggregateId)
  if (!isGivenOut(ticket)) return
  const { everyMs, closedUntil } = await rotationOf(companyId, ticket, deps)
  if (everyMs === 0) return
  if (closedUntil !== null) return rotateAt(companyId, aggregateId, closedUntil, deps)
  const { queueId, userId: from } = ticket
  const next = await chosen(companyId, queueId, (team) => team.find((id) => id !== from) ?? team[0], deps)
  const command = { type: 'Assign' as const, queueId, from, userId: next ?? null, why: 'rotation' as const, rule: 'A-ROT-01' }
  await deps.ask(aggregateId, { ...command, ...system(companyId) }, `rotate-${aggregateId}-${ticket.revision}`)
  await rotateAt(companyId, aggregateId, deps.clock.now() + everyMs, deps)
}

const system = (companyId: number): Asker => ({ companyId, by: { kind: 'system' } })
const rotateAt = (companyId: number, aggregateId: number, at: number, { db }: Deps): Promise<void> =>
  setDeadline(db, { companyId, aggregateId, kind: 'rotate', dueAt: new Date(at).toISOString() })

/**
 * One of those who serve the queue and are available, whose turn was longest ago first; one choice a queue at a time, so that two tickets of one
 * moment go to two people.
 */
const chosen = (
  companyId: number,
  queueId: number,
  among: (team: number[]) => Promise<number | undefined> | number | undefined,
  { db, clock }: Deps,
): Promise<number | undefined> =>
  db.transaction().execute(async (tx) => {
    await tx.selectFrom('queue').select('id').where('id', '=', queueId).where('companyId', '=', companyId).forNoKeyUpdate().execute()
    const team = await tx
      .selectFrom('user')
      .innerJoin('userQueue', 'userQueue.userId', 'user.id')
      .innerJoin('userPresence', 'userPresence.id', 'user.id')
      .leftJoin('queueTurn as t', (join) => join.onRef('t.userId', '=', 'user.id').on('t.queueId', '=', queueId))
      .select('user.id')
      .where('user.companyId', '=', companyId)
      .where('user.retiredAt', 'is', null)
      .where('userQueue.queueId', '=', queueId)
      .where(availability, '=', 'available')
      .orderBy('t.at', (order) => order.asc().nullsFirst())
      .orderBy('user.id')
      .execute()
    const userId = await among(team.map(({ id }) => id))
    if (userId === undefined) return undefined
    const turn = { companyId, queueId, userId, at: clock.iso() }
    await tx
      .insertInto('queueTurn')
      .values(turn)
      .onConflict((known) => known.columns(['queueId', 'userId']).doUpdateSet({ at: turn.at }))
      .execute()
    return userId
  })

/** Whose customer it is: who closed the contact's last ticket (A-WALLET-01). */
async function walletOf(db: Kysely<Database>, companyId: number, contactId: number, team: number[]): Promise<number | undefined> {
  const closed = db.selectFrom('ticket').select('userId').where('companyId', '=', companyId).where('contactId', '=', contactId)
  const last = await closed
    .where('status', '=', 'closed')
    .where('userId', 'is not', null)
    .orderBy('closedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return team.find((id) => id === last?.userId)
}

type Hours = {
  ativarRoteador: boolean
  tempoRoteador: number
  schedules: Record<'queue' | 'company' | 'connection', Schedules>
  holidays: string[] | null
}
/** How long each has in a queue that hands out its tickets, 0 where it does not; and while it is closed, until when. */
async function rotationOf(
  companyId: number,
  { queueId, connectionId }: Given,
  { db, clock }: Deps,
): Promise<{ everyMs: number; closedUntil: number | null }> {
  const [settings, { rows }] = await Promise.all([
    settingsOf(db, companyId),
    sql<Hours>`
      select q.ativar_roteador, q.tempo_roteador, jsonb_build_object('queue', q.schedules, 'company', o.schedules, 'connection', c.schedules) as schedules,
        (select array_agg(h.date::text) from holiday h where h.company_id = o.id) as holidays
      from queue q join company o on o.id = q.company_id join connection c on c.company_id = o.id
      where q.id = ${queueId} and c.id = ${connectionId} and o.id = ${companyId} and q.retired_at is null`.execute(db),
  ])
  const of = rows[0]
  if (!of?.ativarRoteador || of.tempoRoteador <= 0) return { everyMs: 0, closedUntil: null }
  const { scheduleType, timeZone } = settings
  const hours = scheduleType === 'disabled' ? null : of.schedules[scheduleType as keyof Hours['schedules']]
  const now = new Date(clock.now())
  const holidays = of.holidays ?? []
  const shut = hours !== null && !openAt(hours, timeZone, holidays, now)
  const closedUntil = shut ? (nextChange(hours, timeZone, holidays, now)?.getTime() ?? clock.now() + 24 * hour) : null
  return { everyMs: of.tempoRoteador * minute, closedUntil }
}
