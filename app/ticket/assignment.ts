import { randomInt } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { CommandMetadata } from '#domain/decider.ts'
import { dayMs, minuteMs } from '#domain/duration/rules.ts'
import type { Schedules } from '#domain/hours/contract.ts'
import { nextChange, openAt } from '#domain/hours/rules.ts'
import { on } from '#domain/setting/contract.ts'
import { isAutoAssignable, isUntouchedByBot } from '#domain/ticket/assignment.ts'
import { initialBot } from '#domain/ticket/bot.ts'
import type { AssignmentReason, TicketEvent } from '#domain/ticket/events.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Ticket } from '#domain/ticket/ticket.ts'
import { endOfDay, startOfDay } from '#domain/zone/rules.ts'
import { contactsOfPerson } from '#projections/contact/person.ts'
import type { Database } from '#projections/database.ts'
import type { Reactor } from '../event-store/reactor.ts'
import type { Clock } from '../scheduler/clock.ts'
import { againMs, type Due, setDeadline } from '../scheduler/deadlines.ts'
import { settingsOf } from '../setting/read.ts'
import { availability } from '../user/availability.ts'
import type { ExecuteTicketCommand, LoadTicket } from './ticket-repository.ts'

type Deps = { db: Kysely<Database>; execute: ExecuteTicketCommand; load: LoadTicket; clock: Clock }
/** `revision`: the state of the ticket to look at; without it, the current state. */
type Event = { companyId: number; aggregateId: number; revision?: number; eventId: string }
type QueuePlace = { queueId: number; connectionId: number }
/** Picks one member of the team, by the rule's own query in the same transaction. */
type PickAgent = (team: number[], tx: Kysely<Database>) => Promise<number | undefined> | number | undefined

/** Assigns waiting tickets: to the contact's usual agent, to a random agent, or in rotation (A-WALLET-01, A-RANDOM-01, A-ROT-01). */
export const assign: Reactor<TicketEvent, Deps> = {
  name: 'assign',
  of: ticketStream,
  on: {
    BotEnded: (event, deps) => assignOnEntry(event, deps, { byBot: true }),
    AutomationActed: async (event, deps) => {
      if (event.reason === 'outOfHours' || event.reason === 'vacation') await assignOnEntry(event, deps) // rotation starts at the opening time
    },
    TicketOpened: async (event, deps) => {
      if (initialBot(event).over && !event.imported) await assignOnEntry(event, deps) // imported messages notify nobody (A-IMP-04)
    },
    TicketQueued: async (event, deps) => {
      if (event.by.kind !== 'bot') await assignOnEntry(event, deps) // `BotEnded` assigns the ticket by the settings of that moment
    },
    TicketAssigned: ({ companyId, aggregateId }, deps) => scheduleCheck(companyId, aggregateId, deps),
    TicketTransferred: assignOnEntry,
    TicketRedirected: assignOnEntry,
    TicketResumed: assignOnEntry,
    ActionUndone: async (event, deps) => {
      const { companyId, aggregateId, revision } = event
      const ticket = await deps.load(companyId, aggregateId, {}, revision)
      if (!isAutoAssignable(ticket)) return
      if (ticket.userId === null) await assignOnEntry(event, deps)
      else await renewTurn(companyId, ticket, deps)
    },
    TicketReopened: async (event, deps) => {
      if (event.rule === 'A-NPS-02') await returnToQueue(event, deps)
    },
    TicketReturned: async (event, deps) => {
      if (event.by.kind !== 'system') await assignOnEntry(event, deps, { without: event.by.kind === 'user' ? event.by.id : null })
    },
  },
}

/**
 * A customer who asks for more while a rating is requested goes back to their agent, or to the queue if that
 * agent is not available (A-NPS-02).
 */
async function returnToQueue(
  { companyId, aggregateId, eventId, userId, queueId }: Event & { userId: number; queueId: number },
  deps: Deps,
) {
  if (await isAvailable(companyId, { queueId }, userId, deps)) return
  const command = { type: 'ReleaseFrom' as const, userId, queueId, unavailable: 'A-NPS-02', ...system(companyId) }
  const { events } = await deps.execute(aggregateId, command, `unavailable-${eventId}`)
  if (events.length > 0) await assignOnEntry({ companyId, aggregateId, eventId }, deps)
}

type Timed = Pick<Deps, 'db' | 'clock'>
const turnEnd = ({ everyMs, closedUntil }: Awaited<ReturnType<typeof rotationOf>>, { clock }: Timed): number | null =>
  everyMs > 0 ? (closedUntil ?? clock.now() + everyMs) : null
/** Sets the rotation deadline before the assignment is recorded, so that the ticket card receives both at once. */
export async function beginTurn(companyId: number, aggregateId: number, place: QueuePlace, deps: Timed): Promise<void> {
  const at = turnEnd(await rotationOf(companyId, place, deps), deps)
  if (at !== null) await rotateAt(companyId, aggregateId, at, deps)
}

async function assignOnEntry(event: Event, deps: Deps, { byBot = false, without = null as number | null } = {}): Promise<void> {
  const { companyId, aggregateId, revision, eventId } = event
  const ticket = await deps.load(companyId, aggregateId, {}, revision)
  if (!isAutoAssignable(ticket)) return
  const { db } = deps
  const [settings, queue] = await Promise.all([settingsOf(db, companyId), rotationOf(companyId, ticket, deps)])
  const movesOnAt = turnEnd(queue, deps)
  if (movesOnAt !== null && (byBot || ticket.userId === null)) await rotateAt(companyId, aggregateId, movesOnAt, deps)
  if (ticket.userId !== null) {
    if (!byBot) return
    if (await isAvailable(companyId, ticket, ticket.userId, deps)) return // an agent chosen by the contact also gets a rotation turn
    const waits = {
      type: 'Assign' as const,
      queueId: ticket.queueId,
      from: ticket.userId,
      userId: null,
      why: 'bot' as const,
      rule: 'A-BOT-03',
    }
    await deps.execute(aggregateId, { ...waits, ...system(companyId) }, `assign-away-${eventId}`)
  }
  const open = queue.closedUntil === null
  const rules: [applies: boolean, why: AssignmentReason, rule: string, among: PickAgent][] = [
    [
      byBot && on(settings, 'DirectTicketsToWallets'),
      'wallet',
      'A-WALLET-01',
      (team, tx) => walletOf(tx, companyId, ticket.contactId, team),
    ],
    [byBot && on(settings, 'userRandom'), 'random', 'A-RANDOM-01', (team) => team[team.length === 0 ? 0 : randomInt(team.length)]],
    [queue.everyMs > 0 && open, 'rotation', 'A-ROT-01', (team) => team.find((id) => id !== without) ?? team[0]],
  ]
  for (const [applies, why, rule, among] of rules) {
    const userId = applies ? await chooseAgent(companyId, ticket.queueId, among, deps) : undefined
    if (userId === undefined) continue
    const command = { type: 'Assign' as const, queueId: ticket.queueId, from: null, userId, why, rule }
    await deps.execute(aggregateId, { ...command, ...system(companyId) }, `assign-${eventId}`)
    break
  }
}

/**
 * Starts rotation for waiting tickets that have no turn: they came in before rotation was switched on, or
 * while the company's subscription was expired (A-ROT-01, A-AUTH-06).
 */
const settlesMs = 10_000 // a bot, if there is one, has answered within this time
export const beginTurns = ({ db, clock }: Timed) =>
  sql`
    insert into deadline (company_id, aggregate_id, kind, due_at)
    select t.company_id, t.id, 'rotation', ${clock.iso()}::timestamptz
    from queue q join ticket t on t.company_id = q.company_id and t.queue_id = q.id
    where q.ativar_roteador and q.tempo_roteador > 0 and q.retired_at is null
      and t.status = 'pending' and t.user_id is null and not t.is_group and not t.is_bot
      and t.waiting_since < ${new Date(clock.now() - settlesMs).toISOString()}::timestamptz -- null: imported, and waits for nobody (A-IMP-04)
      and not exists (select from deadline d where d.aggregate_id = t.id and d.kind = 'rotation')
    limit 1000
    on conflict do nothing`.execute(db)

/** The agent did not accept in time: assigns the next agent. Without another agent it stays; without any agent it becomes unassigned. */
export async function rotate({ companyId, aggregateId }: Due, deps: Deps): Promise<void> {
  const ticket = await deps.load(companyId, aggregateId)
  if (!isAutoAssignable(ticket) && !isUntouchedByBot(ticket)) return
  const { everyMs, closedUntil } = await rotationOf(companyId, ticket, deps)
  if (everyMs === 0) return
  if (closedUntil !== null) return rotateAt(companyId, aggregateId, closedUntil, deps)
  const { queueId, userId: from } = ticket
  const next = await chooseAgent(companyId, queueId, (team) => team.find((id) => id !== from) ?? team[0], deps)
  const command = { type: 'Assign' as const, queueId, from, userId: next ?? null, why: 'rotation' as const, rule: 'A-ROT-01' }
  await rotateAt(companyId, aggregateId, deps.clock.now() + everyMs, deps)
  try {
    await deps.execute(aggregateId, { ...command, ...system(companyId) }, `rotate-${aggregateId}-${ticket.revision}`)
  } catch (error) {
    await rotateAt(companyId, aggregateId, deps.clock.now() + againMs, deps)
    throw error
  }
}

/** Returns when rotation assigns the next agent, from the stored deadline. Null if the ticket does not rotate. */
export async function nextTurn(companyId: number, ticket: Ticket, deps: Timed): Promise<string | null> {
  if (!isAutoAssignable(ticket) || (await rotationOf(companyId, ticket, deps)).everyMs === 0) return null
  const due = deps.db.selectFrom('deadline').select('dueAt').where('companyId', '=', companyId).where('aggregateId', '=', ticket.ticketId)
  const found = await due.where('kind', '=', 'rotation').executeTakeFirst()
  return found ? new Date(found.dueAt).toISOString() : null
}

/**
 * Starts a new turn for an agent whose turn ended while the ticket was accepted or closed. As with
 * `beginTurn`, it runs before the assignment.
 */
export async function renewTurn(companyId: number, ticket: Ticket, deps: Timed): Promise<void> {
  if (!isAutoAssignable(ticket) || ticket.userId === null || (await nextTurn(companyId, ticket, deps)) !== null) return
  await beginTurn(companyId, ticket.ticketId, ticket, deps)
}

const checkIntervalMs = 5 * minuteMs
const scheduleCheck = (companyId: number, aggregateId: number, { db, clock }: Deps): Promise<void> =>
  setDeadline(db, { companyId, aggregateId, kind: 'availability', dueAt: new Date(clock.now() + checkIntervalMs).toISOString() })

/** Without rotation, unassigns a ticket whose agent is no longer available. Any agent of the queue can then see it. */
export async function reassignIfUnavailable({ companyId, aggregateId }: Due, deps: Deps): Promise<void> {
  const ticket = await deps.load(companyId, aggregateId)
  if (!isAutoAssignable(ticket) || ticket.userId === null) return
  const { everyMs, closedUntil } = await rotationOf(companyId, ticket, deps)
  const turns = everyMs > 0 && closedUntil === null
  if (turns || (await isAvailable(companyId, ticket, ticket.userId, deps))) return scheduleCheck(companyId, aggregateId, deps)
  const { queueId, userId: from } = ticket
  const command = { type: 'Assign' as const, queueId, from, userId: null, why: 'rotation' as const, rule: 'A-ROT-01' }
  await deps.execute(aggregateId, { ...command, ...system(companyId) }, `held-${aggregateId}-${ticket.revision}`)
}

const system = (companyId: number): CommandMetadata => ({ companyId, by: { kind: 'system' } })
const rotateAt = (companyId: number, aggregateId: number, at: number, { db }: Timed): Promise<void> =>
  setDeadline(db, { companyId, aggregateId, kind: 'rotation', dueAt: new Date(at).toISOString() })

/**
 * Picks an available agent of the queue whose last turn is the oldest. The queue row is locked, so that two
 * concurrent tickets go to two agents.
 */
const chooseAgent = (companyId: number, queueId: number, among: PickAgent, { db, clock }: Deps): Promise<number | undefined> =>
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
    const userId = await among(
      team.map(({ id }) => id),
      tx,
    )
    if (userId === undefined) return undefined
    const turn = { companyId, queueId, userId, at: clock.iso() }
    await tx
      .insertInto('queueTurn')
      .values(turn)
      .onConflict((known) => known.columns(['queueId', 'userId']).doUpdateSet({ at: turn.at }))
      .execute()
    return userId
  })

/** An agent who does not serve the queue cannot see the ticket and counts as unavailable (A-VIS-01). An admin sees every ticket. */
async function isAvailable(companyId: number, { queueId }: { queueId: number }, userId: number, { db }: Deps): Promise<boolean> {
  const one = db
    .selectFrom('user')
    .innerJoin('userPresence', 'userPresence.id', 'user.id')
    .select(['user.profile', availability.as('now')])
  const serving = one.select(({ exists, selectFrom }) =>
    exists(selectFrom('userQueue').select('userId').whereRef('userId', '=', 'user.id').where('queueId', '=', queueId)).as('serves'),
  )
  const found = await serving.where('user.id', '=', userId).where('user.companyId', '=', companyId).executeTakeFirst()
  return found?.now === 'available' && (found.profile === 'admin' || found.serves === true)
}

/** Returns the contact's usual agent: the one assigned to the last ticket when it was closed, whoever closed it (A-WALLET-01). */
async function walletOf(db: Kysely<Database>, companyId: number, contactId: number, team: number[]): Promise<number | undefined> {
  const closed = db
    .selectFrom('ticket')
    .select('userId')
    .where('companyId', '=', companyId)
    .where('contactId', 'in', contactsOfPerson(contactId))
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
  vacationFrom: string | null
  vacationTo: string | null
}
/**
 * Returns the length of a turn, 0 if the queue does not rotate. `closedUntil` is the next opening while the
 * queue is closed or on vacation (A-VAC-01).
 */
async function rotationOf(
  companyId: number,
  { queueId, connectionId }: QueuePlace,
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
): Promise<{ everyMs: number; closedUntil: number | null }> {
  const [settings, { rows }] = await Promise.all([
    settingsOf(db, companyId),
    sql<Hours>`
      select q.ativar_roteador, q.tempo_roteador, jsonb_build_object('queue', q.schedules, 'company', o.schedules, 'connection', c.schedules) as schedules,
        (select array_agg(h.date::text) from holiday h where h.company_id = o.id) as holidays,
        c.collective_vacation_start::text as vacation_from, c.collective_vacation_end::text as vacation_to
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
  const opensAt = shut ? (nextChange(hours, timeZone, holidays, now)?.getTime() ?? clock.now() + dayMs) : 0
  const { vacationFrom, vacationTo } = of
  const away = vacationFrom && vacationTo && startOfDay(timeZone, vacationFrom) <= now && now < endOfDay(timeZone, vacationTo)
  const until = Math.max(opensAt, away ? endOfDay(timeZone, vacationTo).getTime() : 0)
  return { everyMs: of.tempoRoteador * minuteMs, closedUntil: until > 0 ? until : null }
}
