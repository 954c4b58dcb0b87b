import { effectiveTimeOf, type WithMetadata } from '#domain/decider.ts'
import type { CloseReason, TicketEvent } from '#domain/ticket/events.ts'

/*
 * The second definition of what reports count, written from the decisions A-COUNT-01 to A-COUNT-11. It shares only the event types
 * with `projections/report/`, so that an error there is found here.
 */

/** A closing with the measures of its ticket up to that moment; times in milliseconds since 1970, measures in whole seconds. */
export type RecountedClosing = {
  revision: number
  at: number
  reason: CloseReason
  userId: number | null
  closedBy: number | null
  queueId: number | null
  waitingSeconds: number | null
  firstAnswerSeconds: number | null
  firstAnswerUserId: number | null
  supportSeconds: number | null
  resolutionSeconds: number | null
  botSeconds: number | null
  participantIds: number[]
  rating: number | null
  reopenedAt: number | null
}
export type RecountedTicket = {
  ticketId: number
  companyId: number
  startedByUs: boolean
  /** Null: the ticket is not counted as created. */
  createdAt: number | null
  deletedAt: number | null
  closings: RecountedClosing[]
}

type Recorded = WithMetadata<TicketEvent> & { revision: number }
type Of<T extends TicketEvent['type']> = Extract<TicketEvent, { type: T }> & Recorded
/** `quiet`: we opened the ticket or imported it, and the contact has not written. */
type Phase = 'consent' | 'quiet' | 'bot' | 'waiting' | 'open' | 'rating' | 'closed'

type Walk = {
  phase: Phase
  since: number
  /** When a rule or a person last changed the queue or the agent; later events are not before it. */
  placedAt: number
  /** The phase began at the opening or with the consent, so a bot may still take the ticket. */
  isFresh: boolean
  /** Opened by us or imported. */
  ours: boolean
  contactWrote: boolean
  /** An imported ticket is left out until an agent serves it or the contact writes, and is not created before the contact writes. */
  isLeftOut: boolean
  isUncreated: boolean
  /** It continues a ticket that a transfer closed; that one is counted as created. */
  isContinued: boolean
  userId: number | null
  queueId: number | null
  waitingMs: number | null
  botMs: number | null
  supportMs: number | null
  resolutionMs: number | null
  /** The current attendance: since when people can act, and since when an agent serves it. */
  actableFrom: number | null
  servedFrom: number | null
  /** From when the first answer is measured. */
  answerFrom: number | null
  answer: { seconds: number; userId: number | null } | null
  participants: Set<number>
  ticket: RecountedTicket
}

/** Computes what one ticket contributes to the numbers. `events`: all of the ticket, in order. Null: a group, or no ticket. */
export function recountTicket(events: readonly Recorded[]): RecountedTicket | null {
  const [first, second] = events
  if (first?.type !== 'TicketOpened' || first.group) return null
  const undone = new Set(events.flatMap((event) => (event.type === 'ActionUndone' ? [event.actionRevision] : [])))
  const walk = begin(first, second)
  for (const event of events.slice(1)) {
    if (undone.has(event.revision)) continue
    const handle = handlers[event.type] as ((walk: Walk, event: Recorded, at: number) => void) | undefined
    handle?.(walk, event, Math.max(walk.since, walk.placedAt, Date.parse(effectiveTimeOf(event))))
  }
  return walk.ticket
}

function begin(opened: Of<'TicketOpened'>, second: Recorded | undefined): Walk {
  const { by, imported, predecessorId, queueId, ticketId, companyId } = opened
  const since = Date.parse(effectiveTimeOf(opened))
  const startedByUs = predecessorId === null && (by.kind === 'user' || by.kind === 'api' || second?.type === 'MessageSentExternally')
  const ours = imported === true || startedByUs
  const isLeftOut = imported === true
  return {
    phase: isLeftOut ? 'closed' : ours ? 'quiet' : 'waiting',
    ...{
      since,
      placedAt: 0,
      isFresh: by.kind === 'contact',
      ours,
      contactWrote: false,
      isLeftOut,
      isUncreated: isLeftOut,
      isContinued: predecessorId !== null,
    },
    ...{ userId: null, queueId },
    ...{ waitingMs: null, botMs: null, supportMs: null, resolutionMs: null, actableFrom: null, servedFrom: null },
    ...{ answerFrom: null, answer: null, participants: new Set() },
    ticket: {
      ...{ ticketId, companyId, startedByUs, deletedAt: null, closings: [] },
      createdAt: isLeftOut || predecessorId !== null ? null : since,
    },
  }
}

/** Ends the current phase and adds its time to the sums. */
function enter(walk: Walk, phase: Phase, at: number): void {
  const ms = at - walk.since
  if (walk.phase === 'bot') walk.botMs = (walk.botMs ?? 0) + ms
  if (walk.phase === 'waiting') {
    walk.waitingMs = (walk.waitingMs ?? 0) + ms
    walk.answerFrom ??= walk.since
    walk.actableFrom ??= walk.since
  }
  replace(walk, phase, at)
}
/** Begins a phase instead of the current one, whose time does not count. */
function replace(walk: Walk, phase: Phase, at: number): void {
  Object.assign(walk, { phase, since: at, isFresh: false })
}

/** The ticket waits: people can act, and no agent serves it. */
function wait(walk: Walk, at: number): void {
  walk.userId = null
  if (!walk.isUncreated) countAsCreated(walk, at)
  if (walk.phase !== 'waiting') enter(walk, 'waiting', at)
}
function serve(walk: Walk, userId: number, queueId: number, at: number): void {
  if (!walk.isUncreated) countAsCreated(walk, at)
  enter(walk, 'open', at)
  walk.isLeftOut = false
  walk.actableFrom ??= at
  walk.servedFrom ??= at
  walk.participants.add(userId)
  Object.assign(walk, { userId, queueId })
}
/** The bot took a ticket at once, so its time from the opening on is the bot's. */
function giveToBot(walk: Walk): void {
  if (walk.phase === 'waiting' && walk.isFresh) Object.assign(walk, { phase: 'bot', isFresh: false })
}
function handOver(walk: Walk, at: number): void {
  if (walk.phase === 'bot') enter(walk, 'waiting', at)
}
function countAsCreated({ ticket, isContinued }: Walk, at: number): void {
  if (!isContinued) ticket.createdAt ??= at
}
function close(walk: Walk, closing: Pick<RecountedClosing, 'revision' | 'reason' | 'userId' | 'closedBy' | 'queueId'>, at: number): void {
  const isWithoutConsent = walk.phase === 'consent' && closing.reason !== 'consentRefused'
  enter(walk, 'closed', at)
  if (walk.servedFrom !== null) walk.supportMs = (walk.supportMs ?? 0) + wholeSeconds(at - walk.servedFrom)
  if (walk.actableFrom !== null) walk.resolutionMs = (walk.resolutionMs ?? 0) + wholeSeconds(at - walk.actableFrom)
  Object.assign(walk, { servedFrom: null, actableFrom: null })
  if (walk.isLeftOut || isWithoutConsent) return
  walk.ticket.closings.push({
    ...closing,
    ...{ at, rating: null, reopenedAt: null, participantIds: [...walk.participants].toSorted((a, b) => a - b) },
    ...{ waitingSeconds: seconds(walk.waitingMs), botSeconds: seconds(walk.botMs) },
    ...{ supportSeconds: seconds(walk.supportMs), resolutionSeconds: seconds(walk.resolutionMs) },
    ...{ firstAnswerSeconds: walk.answer?.seconds ?? null, firstAnswerUserId: walk.answer?.userId ?? null },
  })
}
/** Each attendance counts whole seconds. */
const wholeSeconds = (ms: number) => Math.floor(ms / 1000) * 1000
const seconds = (ms: number | null) => (ms === null ? null : Math.floor(ms / 1000))

const userOf = ({ by }: Recorded) => (by.kind === 'user' ? by.id : null)

/** A person's message to the contact. `credit`: who typed it. */
function answered(walk: Walk, credit: number | null, at: number): void {
  const from = walk.answerFrom ?? (walk.phase === 'waiting' ? walk.since : null)
  if (from !== null) walk.answer ??= { seconds: Math.floor((at - from) / 1000), userId: credit }
}
function received(walk: Walk, at: number): void {
  walk.contactWrote = true
  if (walk.isUncreated && walk.phase !== 'closed' && walk.phase !== 'rating') {
    Object.assign(walk, { isLeftOut: false, isUncreated: false })
    countAsCreated(walk, at)
  }
  if (walk.phase === 'quiet') enter(walk, 'waiting', at)
  else if (walk.phase === 'open' && walk.answerFrom === null) walk.answerFrom = at
}
function reopened({ phase, ticket: { closings } }: Walk, at: number): void {
  const last = closings.at(-1)
  if (last && (phase === 'closed' || phase === 'rating')) last.reopenedAt ??= at
}

const handlers: { [T in TicketEvent['type']]?: (walk: Walk, event: Of<T>, at: number) => void } = {
  TicketImported: (walk, { queueId }, at) => {
    replace(walk, walk.contactWrote ? 'waiting' : 'quiet', at)
    walk.queueId = queueId
  },
  TicketQueued: (walk, { queueId }) => void Object.assign(walk, { queueId }),
  TicketRedirected: (walk, { queueId }, at) => {
    handOver(walk, at)
    if (queueId !== walk.queueId) walk.placedAt = at
    walk.queueId = queueId
  },
  TicketAssigned: (walk, { userId, why }, at) => {
    if (why === 'bot') giveToBot(walk)
    handOver(walk, at)
    if (userId !== walk.userId) walk.placedAt = at
    walk.userId = userId
  },
  TicketAccepted: (walk, { userId, queueId, waited }, at) => {
    if (!waited && walk.phase === 'waiting') replace(walk, 'quiet', at) // opened for this agent at once
    serve(walk, userId, queueId, at)
  },
  TicketReopened: (walk, { userId, queueId }, at) => {
    reopened(walk, at)
    serve(walk, userId, queueId, at)
  },
  TicketResumed: (walk, { queueId }, at) => {
    reopened(walk, at)
    wait(walk, at)
    walk.queueId = queueId
  },
  TicketReturned: (walk, _, at) => {
    wait(walk, at)
  },
  TicketTransferred: (walk, { userId, queueId }, at) => {
    if (userId !== null) return serve(walk, userId, queueId, at)
    wait(walk, at)
    walk.queueId = queueId
  },
  ConsentRequested: (walk, _, at) => {
    if (walk.phase === 'consent') return
    if (walk.ticket.createdAt === at) walk.ticket.createdAt = null
    if (walk.since === at) replace(walk, 'consent', at)
    else enter(walk, 'consent', at)
  },
  ConsentGiven: (walk, _, at) => {
    if (walk.phase !== 'consent') return
    countAsCreated(walk, at)
    wait(walk, at)
    walk.isFresh = true
  },
  BotMoved: (walk, _, at) => {
    giveToBot(walk)
    if (walk.phase === 'waiting') enter(walk, 'bot', at)
  },
  BotEnded: (walk, _, at) => {
    giveToBot(walk)
    handOver(walk, at)
  },
  RatingRequested: (walk, event, at) => {
    if (walk.phase === 'rating') return
    const { userId, queueId } = walk
    close(walk, { revision: event.revision, reason: 'agent', userId, closedBy: userOf(event), queueId }, at)
    walk.phase = 'rating'
  },
  TicketRated: ({ ticket: { closings }, phase }, { rating }) => {
    const last = closings.at(-1)
    if (last && phase === 'rating') last.rating = rating
  },
  TicketClosed: (walk, event, at) => {
    const { revision, reason, waited, userId, queueId } = event
    if (walk.phase === 'rating') return replace(walk, 'closed', at)
    if (reason === 'bot') giveToBot(walk)
    const owner = waited || reason === 'connectionRemoved' ? null : userId
    close(walk, { revision, reason, userId: owner, closedBy: userOf(event), queueId }, at)
  },
  ActionUndone: (walk, { userId, queueId }) => void Object.assign(walk, { userId, queueId }),
  TicketDeleted: ({ ticket }, _, at) => void Object.assign(ticket, { deletedAt: at }),
  MessageReceived: (walk, _, at) => received(walk, at),
  MessageSentExternally: (walk, _, at) => {
    handOver(walk, at)
    answered(walk, null, at)
  },
  MessageSent: (walk, event, at) => {
    const { by, private: isPrivate, aside, actionRevision } = event
    if (isPrivate || aside) return
    if (by.kind === 'user' && actionRevision === undefined) handOver(walk, at)
    if (by.kind === 'user' && actionRevision === undefined) answered(walk, by.id, at)
  },
}
