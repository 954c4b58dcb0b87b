import { randomInt } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { CommandMetadata } from '#domain/decider.ts'
import type { Schedules } from '#domain/hours/contract.ts'
import { nextChange, openAt } from '#domain/hours/rules.ts'
import { on } from '#domain/setting/contract.ts'
import { isAutoAssignable, isUntouchedByBot } from '#domain/ticket/assignment.ts'
import { initialBot } from '#domain/ticket/bot.ts'
import type { AssignmentReason, TicketEvent } from '#domain/ticket/events.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Ticket } from '#domain/ticket/ticket.ts'
import { endOfDay, startOfDay } from '#domain/zone/rules.ts'
import type { Database } from '#projections/database.ts'
import type { Reactor } from '../event-store/reactor.ts'
import type { Clock } from '../scheduler/clock.ts'
import { againMs, type Due, setDeadline } from '../scheduler/deadlines.ts'
import { settingsOf } from '../setting/read.ts'
import { availability } from '../user/availability.ts'
import type { ExecuteTicketCommand, LoadTicket } from './ticket-repository.ts'
import { hour, minute } from './timeouts.ts'

type Deps = { db: Kysely<Database>; execute: ExecuteTicketCommand; load: LoadTicket; clock: Clock }
/** `revision`: the state of the ticket to look at; without it, the current state. */
type Event = { companyId: number; aggregateId: number; revision?: number; eventId: string }
type Place = { queueId: number; connectionId: number }
/** One of a team, by what else the rule asks in the same transaction. */
type Among = (team: number[], tx: Kysely<Database>) => Promise<number | undefined> | number | undefined

/** Who gets what waits: their customer's agent, somebody at random, or whose turn it is (A-WALLET-01, A-RANDOM-01, A-ROT-01). */
export const assign: Reactor<TicketEvent, Deps> = {
  name: 'assign',
  of: ticketStream,
  on: {
    BotEnded: (event, deps) => enters(event, deps, { byBot: true }),
    AutomationActed: async (event, deps) => {
      if (event.reason === 'outOfHours' || event.reason === 'vacation') await enters(event, deps) // its turn comes as it opens
    },
    TicketOpened: async (event, deps) => {
      if (initialBot(event).over && !event.imported) await enters(event, deps) // nobody is told of what was said before (A-IMP-04)
    },
    TicketQueued: async (event, deps) => {
      if (event.by.kind !== 'bot') await enters(event, deps) // the bot's own end gives it out, with all that counts then
    },
    TicketAssigned: ({ companyId, aggregateId }, deps) => lookAgain(companyId, aggregateId, deps),
    TicketTransferred: enters,
    TicketRedirected: enters,
    TicketResumed: enters,
    ActUndone: async (event, deps) => {
      const { companyId, aggregateId, revision } = event
      const ticket = await deps.load(companyId, aggregateId, {}, revision)
      if (!isAutoAssignable(ticket)) return
      if (ticket.userId === null) await enters(event, deps)
      else await turnAgain(companyId, ticket, deps)
    },
    TicketReopened: async (event, deps) => {
      if (event.rule === 'A-NPS-02') await goesToQueue(event, deps)
    },
    TicketReturned: async (event, deps) => {
      if (event.by.kind !== 'system') await enters(event, deps, { without: event.by.kind === 'user' ? event.by.id : null })
    },
  },
}

/** A customer who asks for more while a rating is requested goes back to their agent, or to the queue if that agent is not available (A-NPS-02). */
async function goesToQueue({ companyId, aggregateId, eventId, userId, queueId }: Event & { userId: number; queueId: number }, deps: Deps) {
  if (await isAvailable(companyId, { queueId }, userId, deps)) return
  const command = { type: 'ReleaseFrom' as const, userId, queueId, unavailable: 'A-NPS-02', ...system(companyId) }
  const { events: facts } = await deps.execute(aggregateId, command, `unavailable-${eventId}`)
  if (facts.length > 0) await enters({ companyId, aggregateId, eventId }, deps)
}

type Timed = Pick<Deps, 'db' | 'clock'>
const turnEnd = ({ everyMs, closedUntil }: Awaited<ReturnType<typeof rotationOf>>, { clock }: Timed): number | null =>
  everyMs > 0 ? (closedUntil ?? clock.now() + everyMs) : null
/** Sets when a turn that begins now is over, where its queue goes round: before it is said whose it is, so that a card knows both at once. */
export async function beginTurn(companyId: number, aggregateId: number, activeTickets: Place, deps: Timed): Promise<void> {
  const at = turnEnd(await rotationOf(companyId, activeTickets, deps), deps)
  if (at !== null) await rotateAt(companyId, aggregateId, at, deps)
}

async function enters(event: Event, deps: Deps, { byBot = false, without = null as number | null } = {}): Promise<void> {
  const { companyId, aggregateId, revision, eventId } = event
  const ticket = await deps.load(companyId, aggregateId, {}, revision)
  if (!isAutoAssignable(ticket)) return
  const { db } = deps
  const [settings, queue] = await Promise.all([settingsOf(db, companyId), rotationOf(companyId, ticket, deps)])
  const movesOnAt = turnEnd(queue, deps)
  if (movesOnAt !== null && (byBot || ticket.userId === null)) await rotateAt(companyId, aggregateId, movesOnAt, deps)
  if (ticket.userId !== null) {
    if (!byBot) return
    if (await isAvailable(companyId, ticket, ticket.userId, deps)) return // whom the contact chose has their turn too
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
  const rules: [applies: boolean, why: AssignmentReason, rule: string, among: Among][] = [
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
    const userId = applies ? await chosen(companyId, ticket.queueId, among, deps) : undefined
    if (userId === undefined) continue
    const command = { type: 'Assign' as const, queueId: ticket.queueId, from: null, userId, why, rule }
    await deps.execute(aggregateId, { ...command, ...system(companyId) }, `assign-${eventId}`)
    break
  }
}

/**
 * Starts rotation for waiting tickets that have no turn: they came in before rotation was switched on, or while the company's subscription was
 * expired (A-ROT-01, A-AUTH-06).
 */
const settlesMs = 10_000 // by then a bot has answered, if there is one
export const beginTurns = ({ db, clock }: Timed) =>
  sql`
    insert into deadline (company_id, aggregate_id, kind, due_at)
    select t.company_id, t.id, 'rotate', ${clock.iso()}::timestamptz
    from queue q join ticket t on t.company_id = q.company_id and t.queue_id = q.id
    where q.ativar_roteador and q.tempo_roteador > 0 and q.retired_at is null
      and t.status = 'pending' and t.user_id is null and not t.is_group and not t.is_bot
      and t.waiting_since < ${new Date(clock.now() - settlesMs).toISOString()}::timestamptz -- null: imported, and waits for nobody (A-IMP-04)
      and not exists (select from deadline d where d.aggregate_id = t.id and d.kind = 'rotate')
    limit 1000
    on conflict do nothing`.execute(db)

/** Nobody has taken it in time: the next one's turn; where there is no other it stays, and where there is nobody it waits for whoever comes. */
export async function rotate({ companyId, aggregateId }: Due, deps: Deps): Promise<void> {
  const ticket = await deps.load(companyId, aggregateId)
  if (!isAutoAssignable(ticket) && !isUntouchedByBot(ticket)) return
  const { everyMs, closedUntil } = await rotationOf(companyId, ticket, deps)
  if (everyMs === 0) return
  if (closedUntil !== null) return rotateAt(companyId, aggregateId, closedUntil, deps)
  const { queueId, userId: from } = ticket
  const next = await chosen(companyId, queueId, (team) => team.find((id) => id !== from) ?? team[0], deps)
  const command = { type: 'Assign' as const, queueId, from, userId: next ?? null, why: 'rotation' as const, rule: 'A-ROT-01' }
  await rotateAt(companyId, aggregateId, deps.clock.now() + everyMs, deps)
  try {
    await deps.execute(aggregateId, { ...command, ...system(companyId) }, `rotate-${aggregateId}-${ticket.revision}`)
  } catch (error) {
    await rotateAt(companyId, aggregateId, deps.clock.now() + againMs, deps)
    throw error
  }
}

/** When it is the next one's turn, as the deadline that is set for it says; null: it goes round among nobody. */
export async function nextTurn(companyId: number, ticket: Ticket, deps: Timed): Promise<string | null> {
  if (!isAutoAssignable(ticket) || (await rotationOf(companyId, ticket, deps)).everyMs === 0) return null
  const due = deps.db.selectFrom('deadline').select('dueAt').where('companyId', '=', companyId).where('aggregateId', '=', ticket.ticketId)
  const found = await due.where('kind', '=', 'rotate').executeTakeFirst()
  return found ? new Date(found.dueAt).toISOString() : null
}

/** Whose turn ended while somebody had taken or closed it has it anew; as with `beginTurn`, before it is theirs again. */
export async function turnAgain(companyId: number, ticket: Ticket, deps: Timed): Promise<void> {
  if (!isAutoAssignable(ticket) || ticket.userId === null || (await nextTurn(companyId, ticket, deps)) !== null) return
  await beginTurn(companyId, ticket.ticketId, ticket, deps)
}

const lookMs = 5 * minute
const lookAgain = (companyId: number, aggregateId: number, { db, clock }: Deps): Promise<void> =>
  setDeadline(db, { companyId, aggregateId, kind: 'held', dueAt: new Date(clock.now() + lookMs).toISOString() })

/** Where no turn ends it, it waits for nobody who has gone: whoever comes sees it then. */
export async function lookAfter({ companyId, aggregateId }: Due, deps: Deps): Promise<void> {
  const ticket = await deps.load(companyId, aggregateId)
  if (!isAutoAssignable(ticket) || ticket.userId === null) return
  const { everyMs, closedUntil } = await rotationOf(companyId, ticket, deps)
  const turns = everyMs > 0 && closedUntil === null
  if (turns || (await isAvailable(companyId, ticket, ticket.userId, deps))) return lookAgain(companyId, aggregateId, deps)
  const { queueId, userId: from } = ticket
  const command = { type: 'Assign' as const, queueId, from, userId: null, why: 'rotation' as const, rule: 'A-ROT-01' }
  await deps.execute(aggregateId, { ...command, ...system(companyId) }, `held-${aggregateId}-${ticket.revision}`)
}

const system = (companyId: number): CommandMetadata => ({ companyId, by: { kind: 'system' } })
const rotateAt = (companyId: number, aggregateId: number, at: number, { db }: Timed): Promise<void> =>
  setDeadline(db, { companyId, aggregateId, kind: 'rotate', dueAt: new Date(at).toISOString() })

/**
 * One of those who serve the queue and are available, whose turn was longest ago first; one choice a queue at a time, so that two tickets of one
 * moment go to two people.
 */
const chosen = (companyId: number, queueId: number, among: Among, { db, clock }: Deps): Promise<number | undefined> =>
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

/** Who does not serve its queue would never see it, so they are as good as gone (A-VIS-01); an admin sees every one. */
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

/** Whose customer it is: who served the contact's last ticket as it was closed, by them, by a colleague or by itself (A-WALLET-01). */
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
  vacationFrom: string | null
  vacationTo: string | null
}
/** How long each has in a queue that hands out its tickets, 0 where it does not; and while it is closed or on vacation (A-VAC-01), until when. */
async function rotationOf(
  companyId: number,
  { queueId, connectionId }: Place,
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
  const opensAt = shut ? (nextChange(hours, timeZone, holidays, now)?.getTime() ?? clock.now() + 24 * hour) : 0
  const { vacationFrom, vacationTo } = of
  const away = vacationFrom && vacationTo && startOfDay(timeZone, vacationFrom) <= now && now < endOfDay(timeZone, vacationTo)
  const until = Math.max(opensAt, away ? endOfDay(timeZone, vacationTo).getTime() : 0)
  return { everyMs: of.tempoRoteador * minute, closedUntil: until > 0 ? until : null }
}
