import type { JSONColumnType } from 'kysely'
import type { CloseReason } from '#domain/ticket/events.ts'

/**
 * What a ticket does in an interval. `consent`: it waits for consent; `quiet`: it was started by us or imported, and the contact has not
 * written; `waiting`: people can act; `open`: an agent serves it; `rating`: a rating is requested. A group is `group`, or `groupWaiting` after
 * it was returned to a queue.
 */
export type IntervalState = 'consent' | 'quiet' | 'bot' | 'waiting' | 'open' | 'group' | 'groupWaiting' | 'rating'

export type Interval = {
  /** The revision of the event that began it. */
  revision: number
  state: IntervalState
  queueId: number | null
  userId: number | null
  beganAt: string
  /** Null: it lasts. */
  endedAt: string | null
}

/** A closing with the measures of its ticket up to that moment, in whole seconds (A-COUNT-03, A-COUNT-11). */
export type Closing = {
  revision: number
  at: string
  reason: CloseReason
  /** The agent who served the ticket; null: no agent did (A-COUNT-08). */
  userId: number | null
  /** The user who closed it; null: a rule, a bot or the contact. */
  closedBy: number | null
  queueId: number | null
  /** The sums of the waiting and of the bot intervals (A-COUNT-05). Null: the ticket never waited, or had no bot. */
  waitingSeconds: number | null
  botSeconds: number | null
  /** The sum of the attendances, each from the first accept to the closing (A-COUNT-07). Null: no agent served it. */
  supportSeconds: number | null
  /** The same from when people could act, so with the waiting before the accept. */
  resolutionSeconds: number | null
  /** Null: no person answered, or the contact never waited (A-COUNT-06). */
  firstAnswerSeconds: number | null
  firstAnswerUserId: number | null
  /** All agents who served the ticket. */
  participantIds: number[]
  rating: number | null
  /** When the ticket was reopened after this closing; null: it was not. */
  reopenedAt: string | null
  /** When the ticket was closed the next time; null: it was not. The last closing of a range counts for its ticket. */
  nextAt: string | null
}

/** The facts of one ticket that reports count. Its intervals and closings are also rows of their own, for queries by time. */
export type TicketFactTable = {
  id: number
  uuid: string
  companyId: number
  contactId: number
  connectionId: number
  channel: string
  isGroup: boolean
  isImported: boolean
  /** Opened by an agent, a campaign or the company's own phone, instead of by the contact (A-COUNT-02). */
  startedByUs: boolean
  /** When the ticket counts as created; null: it does not count (imported, without consent, continued from another ticket). */
  createdAt: string | null
  /** The ticket that a transfer closed to open this one (A-COUNT-09). */
  predecessorId: number | null
  successorId: number | null
  queueId: number | null
  userId: number | null
  /** When the contact first wrote in a ticket that an agent had started; null: they did not, or it waited before. */
  askedAt: string | null
  firstAnswerAt: string | null
  firstAnswerUserId: number | null
  intervals: Interval[]
  closings: Closing[]
  deletedAt: string | null
}
type OfTicket = { ticketId: number; companyId: number; connectionId: number }
export type TicketIntervalTable = Interval & OfTicket
/**
 * The parts of time of all measures of a closing, in order, one element of each list per part. The time is in milliseconds since 1970, a
 * queue of 0 means none, and `partMeasures` has a bit for each measure that contains the part.
 */
export type MeasuredParts = { partFrom: number[]; partTo: number[]; partQueueIds: number[]; partMeasures: number[] }
export type TicketClosingTable = Closing & OfTicket & MeasuredParts & { isDeleted: boolean }

/** A version of a rule by which past times are measured. Triggers of the database write it whenever the rule is saved. */
export type RuleVersionTable = {
  companyId: number
  /** `company`, `connection` or `queue`: weekly hours; `holidays`: days; otherwise the key of a setting. */
  kind: string
  /** 0 for what the company has once. */
  ownerId: number
  /** -infinity for the first version. */
  validFrom: string
  value: JSONColumnType<object, string, string>
}
