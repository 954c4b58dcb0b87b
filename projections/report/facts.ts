import { effectiveTimeOf } from '#domain/decider.ts'
import type { CloseReason, TicketEvent } from '#domain/ticket/events.ts'
import type { Fold, PersistedEvent } from '../projector.ts'
import { measuredParts } from './parts.ts'
import type { Closing, Interval, IntervalState, TicketClosingTable, TicketFactTable, TicketIntervalTable } from './tables.ts'

type Fact = TicketFactTable
type Event<N extends TicketEvent['type'] = TicketEvent['type']> = PersistedEvent<Extract<TicketEvent, { type: N }>>
type Change = Partial<Pick<Interval, 'queueId' | 'userId'>>

/**
 * The facts that dashboards, panels and reports count (A-COUNT-01 to A-COUNT-13): when a ticket waited, was served and was closed, and who
 * answered first. Times are those of the provider if it reported one (A-TIME-01).
 */
export const facts: Fold<TicketEvent, Fact> = {
  table: 'ticketFact',
  key: 'id',
  affectedKeys: (event) => (affects(event) ? [event.aggregateId] : []),
  on: {
    TicketOpened: (_, event) => opened(event),
    TicketImported: (row, event) => row && enter(row, event, 'quiet', { queueId: event.queueId }),
    TicketQueued: (row, event) => row && stay(row, event, { queueId: event.queueId }),
    TicketRedirected: (row, event) => row && placed(row, event, { queueId: event.queueId }),
    TicketAssigned: (row, event) => row && placed(row, event, { userId: event.userId }),
    TicketAccepted: (row, event) => row && serve(row, event),
    TicketReopened: (row, event) => row && serve(reopened(row, event), event),
    TicketResumed: (row, event) =>
      row && enter(reopened(row, event), event, row.isGroup ? 'group' : 'waiting', { queueId: event.queueId, userId: null }),
    TicketReturned: (row, event) => row && enter(row, event, 'waiting', { userId: null }),
    TicketTransferred: (row, event) =>
      row && enter(row, event, event.userId === null ? 'waiting' : 'open', { queueId: event.queueId, userId: event.userId }),
    ConsentRequested: (row, event) => row && asksConsent(row, event),
    ConsentGiven: (row, event) => (row?.intervals.at(-1)?.state === 'consent' ? enter(row, event, 'waiting', {}) : row),
    BotMoved: (row, event) => row && enter(event.begins ? withBot(row) : row, event, 'bot', {}),
    BotEnded: (row, event) => row && handedOver(withBot(row), event),
    RatingRequested: (row, event) => (row && event.times === 1 ? enter(close(row, event, 'agent'), event, 'rating', {}) : row),
    TicketRated: (row, event) => row && rated(row, event.rating),
    TicketClosed: (row, event) => row && closed(row, event),
    ActionUndone: (row, event) => row && undone(row, event),
    TicketDeleted: (row, event) => row && { ...end(row, event), deletedAt: timeOf(row, event) },
    MessageReceived: (row, event) => row && received(row, event),
    MessageSent: (row, event) => row && wrote(handedOver(row, event), event),
    MessageSentExternally: (row, event) => row && answered(startedOnPhone(handedOver(row, event), event), event, null),
  },
  children: [
    { table: 'ticketInterval', keys: ['ticketId', 'revision'], of: intervalRows },
    { table: 'ticketClosing', keys: ['ticketId', 'revision'], of: closingRows },
  ],
}

/** A message of a person or of the API ends a bot (A-BOT-08), in contrast to one of a rule, a bot, an action or another ticket. */
function affects(event: PersistedEvent<TicketEvent>): boolean {
  if (event.type !== 'MessageSent') return true
  return (event.by.kind === 'user' || event.by.kind === 'api') && !event.private && !event.aside && event.actionRevision === undefined
}

function opened(event: Event<'TicketOpened'>): Fact {
  const { aggregateId: id, uuid, companyId, contactId, connectionId, channel, group, queueId, predecessorId, revision } = event
  const isImported = event.imported === true
  const at = effectiveTimeOf(event)
  const startedByUs = (event.by.kind === 'user' || event.by.kind === 'api') && predecessorId === null
  const state: IntervalState = group ? 'group' : startedByUs ? 'quiet' : 'waiting'
  const counts = !isImported && !group && predecessorId === null
  return {
    ...{ id, uuid, companyId, contactId, connectionId, channel, isGroup: group, isImported, startedByUs, predecessorId },
    ...{ createdAt: counts ? at : null, successorId: null, queueId, userId: null, deletedAt: null },
    ...{ askedAt: null, firstAnswerAt: null, firstAnswerUserId: null },
    intervals: isImported ? [] : [{ revision, state, queueId, userId: null, beganAt: at, endedAt: null }],
    closings: [],
  }
}

/** The time of the event, but not before the last change of the ticket: a provider may report times out of order. */
function timeOf({ intervals }: Fact, event: PersistedEvent<TicketEvent>): string {
  const last = intervals.at(-1)
  const earliest = last ? (last.endedAt ?? last.beganAt) : null
  const at = effectiveTimeOf(event)
  return earliest !== null && Date.parse(at) < Date.parse(earliest) ? earliest : at
}

/** A group stays a group until it is closed, except that it may wait for consent, for a rating, or for an agent after a return. */
function stateOf({ isGroup }: Fact, to: IntervalState): IntervalState {
  if (!isGroup || to === 'rating' || to === 'consent') return to
  return to === 'waiting' || to === 'groupWaiting' ? 'groupWaiting' : 'group'
}
/** Ends the current interval and begins the next, unless nothing changes. */
function enter(row: Fact, event: PersistedEvent<TicketEvent>, to: IntervalState, change: Change): Fact {
  const state = stateOf(row, to)
  const { queueId = row.queueId, userId = row.userId } = change
  const last = row.intervals.at(-1)
  if (last && last.endedAt === null && last.state === state && last.queueId === queueId && last.userId === userId) return row
  const at = timeOf(row, event)
  const { intervals } = end(row, event)
  const next = { revision: event.revision, state, queueId, userId, beganAt: at, endedAt: null }
  const leavesConsent =
    last?.state === 'consent' &&
    state !== 'consent' &&
    row.createdAt === null &&
    row.predecessorId === null &&
    !row.isGroup &&
    !row.isImported
  return { ...row, queueId, userId, intervals: [...intervals, next], ...(leavesConsent && { createdAt: at }) }
}
/** A ticket that begins with the request for consent is created when it leaves it. One that was created before stays so (A-COUNT-04). */
function asksConsent(row: Fact, event: Event<'ConsentRequested'>): Fact {
  const begins = row.createdAt !== null && Date.parse(row.createdAt) === Date.parse(timeOf(row, event))
  return enter(begins ? { ...row, createdAt: null } : row, event, 'consent', {})
}
/** The bot ends: by itself, or because a person wrote (A-BOT-08). */
const handedOver = (row: Fact, event: PersistedEvent<TicketEvent>): Fact =>
  row.intervals.at(-1)?.state === 'bot' && row.intervals.at(-1)?.endedAt === null ? enter(row, event, 'waiting', {}) : row
/** Where a bot acts, people can act only after it: the time until it first acts is the bot's (A-COUNT-05). */
function withBot(row: Fact): Fact {
  const since = row.closings.at(-1)?.revision ?? -1
  const own = row.intervals.filter(({ revision }) => revision > since)
  if (own.some(({ state }) => state === 'open' || state === 'bot')) return row
  const begins = (one: Interval) => one.revision > since && one.state === 'waiting'
  return { ...row, intervals: row.intervals.map((one) => (begins(one) ? { ...one, state: 'bot' } : one)) }
}
/** Changes the queue or the user and keeps the state. */
function stay(row: Fact, event: PersistedEvent<TicketEvent>, change: Change): Fact {
  const last = row.intervals.at(-1)
  return last && last.endedAt === null ? enter(row, event, last.state, change) : { ...row, ...change }
}
/** A rule chose the queue or the user. That ends a bot. A quiet ticket stays quiet, because the contact does not wait; so does a group. */
function placed(row: Fact, event: Event<'TicketRedirected' | 'TicketAssigned'>, change: Change): Fact {
  return row.isGroup || row.intervals.at(-1)?.state === 'quiet' ? stay(row, event, change) : enter(row, event, 'waiting', change)
}
const serve = (row: Fact, event: Event<'TicketAccepted' | 'TicketReopened'>): Fact =>
  enter(row, event, 'open', { userId: event.userId, queueId: event.queueId })

/** Ends the current interval. One that begins and ends in the same append did not exist. */
function end(row: Fact, event: PersistedEvent<TicketEvent>): Fact {
  const last = row.intervals.at(-1)
  if (!last || last.endedAt !== null) return row
  const endedAt = timeOf(row, event)
  const rest = row.intervals.slice(0, -1)
  return { ...row, intervals: Date.parse(endedAt) === Date.parse(last.beganAt) ? rest : [...rest, { ...last, endedAt }] }
}

function secondsIn(intervals: Interval[], state: IntervalState): number | null {
  const some = intervals.filter((one) => one.state === state && one.endedAt !== null)
  const ms = some.reduce((sum, { beganAt, endedAt }) => sum + Date.parse(endedAt!) - Date.parse(beganAt), 0)
  return some.length === 0 ? null : Math.floor(ms / 1000)
}
/**
 * When the contact began to wait for a person: when they first wrote to the agent who had started the ticket, or when people could act. The
 * ticket may wait again later, after its first answer.
 */
const waitsSince = ({ intervals, askedAt }: Fact): string | null =>
  askedAt ?? intervals.find(({ state }) => state === 'waiting')?.beganAt ?? null
const secondsBetween = (from: string, to: string) => Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 1000))

/** Adds a closing with the measures up to now. Groups, imported history and tickets without consent are not counted (A-COUNT-10). */
function close(row: Fact, event: PersistedEvent<TicketEvent>, reason: CloseReason): Fact {
  const was = row.intervals.at(-1)?.state
  const ended = end(row, event)
  const isHistory = row.isImported && was === 'quiet' && !row.intervals.some(({ state }) => state === 'open')
  const isCounted = !row.isGroup && !isHistory && was !== undefined && (was !== 'consent' || reason === 'consentRefused')
  if (!isCounted) return ended
  const { intervals } = ended
  const at = timeOf(row, event)
  const last = ended.closings.at(-1)
  /** The seconds since the first of these intervals after the last closing, and what the closings before it counted. */
  const sinceFirst = (states: IntervalState[], before: number | null | undefined): number | null => {
    const first = intervals.find((one) => one.revision > (last?.revision ?? -1) && states.includes(one.state))
    return first ? secondsBetween(first.beganAt, at) + (before ?? 0) : (before ?? null)
  }
  const { firstAnswerAt, firstAnswerUserId } = row
  const since = waitsSince(ended)
  const closing: Closing = {
    ...{ revision: event.revision, at, reason, queueId: row.queueId, rating: null, reopenedAt: null, nextAt: null },
    userId: was === 'open' && reason !== 'connectionRemoved' ? row.userId : null,
    closedBy: event.by.kind === 'user' ? event.by.id : null,
    ...{ waitingSeconds: secondsIn(intervals, 'waiting'), botSeconds: secondsIn(intervals, 'bot') },
    supportSeconds: sinceFirst(['open'], last?.supportSeconds),
    resolutionSeconds: sinceFirst(['waiting', 'open'], last?.resolutionSeconds),
    firstAnswerSeconds: since !== null && firstAnswerAt !== null ? secondsBetween(since, firstAnswerAt) : null,
    firstAnswerUserId,
    participantIds: [...new Set(intervals.flatMap(({ state, userId }) => (state === 'open' && userId !== null ? [userId] : [])))].toSorted(
      (a, b) => a - b,
    ),
  }
  const before = isFinalizing(closing) ? setNext(ended.closings, at) : ended.closings
  return { ...ended, closings: [...before, closing] }
}
/** Whether a closing finalizes its ticket (A-COUNT-09, A-COUNT-10). */
const isFinalizing = ({ reason }: Closing): boolean => reason !== 'transfer' && reason !== 'consentRefused'
function setNext(closings: Closing[], nextAt: string | null): Closing[] {
  const last = closings.findLastIndex(isFinalizing)
  return closings.map((one, i) => (i === last ? { ...one, nextAt } : one))
}
const replaceLast = (closings: Closing[], change: Partial<Closing>): Closing[] =>
  closings.map((one, i) => (i === closings.length - 1 ? { ...one, ...change } : one))

/** The end of a rating is no second closing: the request was the closing (A-COUNT-03). */
function closed(row: Fact, event: Event<'TicketClosed'>): Fact {
  if (row.intervals.at(-1)?.state === 'rating' && row.intervals.at(-1)?.endedAt === null) return end(row, event)
  const whole = event.reason === 'bot' ? withBot(row) : row
  return { ...close(whole, event, event.reason), successorId: event.successor?.ticketId ?? row.successorId }
}
function reopened(row: Fact, event: Event<'TicketReopened' | 'TicketResumed'>): Fact {
  const last = row.closings.at(-1)
  return last && last.reopenedAt === null ? { ...row, closings: replaceLast(row.closings, { reopenedAt: timeOf(row, event) }) } : row
}
const rated = (row: Fact, rating: number): Fact => ({ ...row, closings: replaceLast(row.closings, { rating }) })

/** Removes the intervals and closings that an undone action began, and continues the interval that it ended. */
function undone(row: Fact, { actionRevision, queueId, userId }: Event<'ActionUndone'>): Fact {
  const intervals = row.intervals.filter(({ revision }) => revision < actionRevision)
  const closings = row.closings.filter(({ revision }) => revision < actionRevision)
  const continued = intervals.map((one, i) => (i === intervals.length - 1 ? { ...one, endedAt: null } : one))
  const isReclosed = closings.length < row.closings.length
  return {
    ...row,
    ...{ queueId, userId, successorId: null, intervals: continued },
    closings: isReclosed ? setNext(closings, null) : closings,
  }
}

/** The contact writes: a quiet ticket begins to wait, and a ticket that an agent started waits for its first answer. */
function received(row: Fact, event: Event<'MessageReceived'>): Fact {
  const last = row.intervals.at(-1)
  const isActive = last !== undefined && last.endedAt === null && last.state !== 'rating'
  if (row.isImported && isActive && !row.isGroup)
    return received({ ...row, isImported: false, createdAt: row.predecessorId === null ? timeOf(row, event) : null }, event)
  if (last?.state === 'quiet') return enter(row, event, 'waiting', {})
  return last?.state === 'open' && waitsSince(row) === null ? { ...row, askedAt: effectiveTimeOf(event) } : row
}
/** Only a person answers (A-COUNT-06). */
const wrote = (row: Fact, event: Event<'MessageSent'>): Fact => (event.by.kind === 'user' ? answered(row, event, event.by.id) : row)
function answered(row: Fact, event: PersistedEvent<TicketEvent>, userId: number | null): Fact {
  if (waitsSince(row) === null || row.firstAnswerAt !== null) return row
  return { ...row, firstAnswerAt: effectiveTimeOf(event), firstAnswerUserId: userId }
}
/** A ticket was started by us if the company wrote its first message on the phone. The contact does not wait yet. */
function startedOnPhone(row: Fact, event: Event<'MessageSentExternally'>): Fact {
  const [first] = row.intervals
  const begins = row.intervals.length === 1 && first?.state === 'waiting' && event.revision === 1 && !row.startedByUs
  if (!begins || row.predecessorId !== null) return row
  return { ...row, startedByUs: true, intervals: [{ ...first, state: 'quiet' }] }
}

function intervalRows({ id, companyId, connectionId, intervals, deletedAt }: Fact): TicketIntervalTable[] {
  return deletedAt === null ? intervals.map((one) => ({ ticketId: id, companyId, connectionId, ...one })) : []
}
function closingRows(row: Fact): TicketClosingTable[] {
  const { id, companyId, connectionId, closings, deletedAt } = row
  return closings.map((one) => ({
    ticketId: id,
    companyId,
    connectionId,
    isDeleted: deletedAt !== null,
    ...one,
    ...measuredParts(row, one),
  }))
}
