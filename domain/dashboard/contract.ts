import type { Static } from 'typebox'
import * as Type from 'typebox'
import { seesDashboard } from '#domain/access.ts'
import { get, Id, IdList, Moment, Nullable } from '#domain/contract.ts'

const Day = Type.Optional(Type.String({ format: 'date' }))
const Count = Type.Integer({ minimum: 0 })
/** Filters: OR inside a field, AND between fields. An id that does not exist finds nothing. */
const Filters = {
  queueIds: Type.Optional(IdList),
  whatsappId: Type.Optional(IdList),
  users: Type.Optional(IdList),
}
/** Measure in the hours in which the company, the connection or the queue is open (A-COUNT-05, A-COUNT-14). */
const OpenHours = Type.Optional(Type.Boolean())
export type DashboardFilters = { queueIds?: string; whatsappId?: string; users?: string }

/** A duration measured over `n` tickets, in whole seconds; null: nothing was measured (A-COUNT-12, A-COUNT-13). */
const Measure = Type.Object({ n: Count, average: Nullable(Type.Number()), median: Nullable(Type.Number()), p90: Nullable(Type.Number()) })
export type Measure = Static<typeof Measure>

const Ratings = {
  withRating: Count,
  /** Rated of the finalized tickets, in percent. */
  percRating: Type.Integer(),
  /** Promoters minus detractors in percent, from -100 to 100; 0 without ratings (A-NPS-03). */
  npsScore: Type.Integer(),
  npsPromotersPerc: Type.Integer(),
  npsPassivePerc: Type.Integer(),
  npsDetractorsPerc: Type.Integer(),
  promoters: Count,
  passive: Count,
  detractors: Count,
}
const Times = Type.Object({ waiting: Measure, firstAnswer: Measure, support: Measure, resolution: Measure, bot: Measure })
/** The closed part of each time; with the open part it is the whole time. */
const ClosedTimes = Type.Object({ waiting: Measure, firstAnswer: Measure, support: Measure, resolution: Measure })
const ofRange = {
  /** Different tickets finalized in the range (A-COUNT-03), and the tickets created in it (A-COUNT-02). */
  supportFinished: Count,
  tickets: Count,
  /** Of the created: those that we opened. */
  startedByUs: Count,
  /** New contacts, without groups. Under a limit: those who have a ticket in its queues. */
  leads: Count,
  ...Ratings,
  times: Times,
  /** Only if `times` are measured in open hours (A-COUNT-05). */
  closedTimes: Nullable(ClosedTimes),
}
/**
 * Now: served by agents, waiting for people, with the bot, and groups; and the users who are online. Under a limit: the agents who serve
 * its queues.
 */
const ofNow = {
  supportHappening: Count,
  supportPending: Count,
  supportWithBot: Count,
  supportGroups: Count,
  usersOnline: Count,
  usersTotal: Count,
}
const Now = Type.Object(ofNow)
export type Now = Static<typeof Now>
const Counters = Type.Object({
  ...ofNow,
  ...ofRange,
  /** All closings of the range, the finalized tickets that were reopened since, and those that were deleted since. */
  closings: Count,
  reopenedSince: Count,
  deletedSince: Count,
  /** Tickets reopened in the range. */
  reopened: Count,
  /** Closed because the contact refused consent; not among the finalized. */
  consentRefused: Count,
  /** The same numbers of the period before, of the same length. */
  previous: Type.Object(ofRange),
})
export type Counters = Static<typeof Counters>

/**
 * `id` null: tickets that no agent served. The rows add up to `supportFinished` (A-COUNT-08). Under a limit: agents who serve its queues,
 * also with 0 tickets, and users with tickets in them.
 */
const Attendant = Type.Object({
  id: Nullable(Id),
  name: Nullable(Type.String()),
  removed: Type.Boolean(),
  online: Type.Boolean(),
  /** The average rating from 0 to 10; null: not rated. */
  rating: Nullable(Type.Number()),
  countRating: Count,
  tickets: Count,
  /** How the tickets were closed: by hand by the owner, by a rule, by somebody else, with all. */
  byHand: Count,
  byRule: Count,
  byOthers: Count,
  closeAll: Count,
  /** Finalized tickets that the agent also served. */
  tookPart: Count,
  /** Minutes (R-DASH-08); 0 if nothing was measured. */
  avgWaitTime: Type.Number(),
  avgSupportTime: Type.Number(),
  times: Times,
})
export type Attendant = Static<typeof Attendant>

/**
 * The tickets created in the range by the target for the first answer that was in force when they began to wait (A-COUNT-15). `open`: they
 * still wait and have time; `without`: closed before the target without an answer, or they never waited, or had no target.
 */
const Target = Type.Object({ met: Count, missed: Count, open: Count, without: Count, percent: Nullable(Type.Integer()) })
export type Target = Static<typeof Target>

/** `target`: null if the company never had one. */
const Answer = Type.Object({ counters: Counters, attendants: Type.Array(Attendant), target: Nullable(Target) })
export type Dashboard = Static<typeof Answer>

const Bar = Type.Object({
  /** The day, if the range has several. */
  data: Type.Optional(Type.String({ format: 'date' })),
  /** The hour from 00 to 23, if the range is one day. A repeated hour is one bar, a skipped hour has 0. */
  horario: Type.Optional(Type.String()),
  total: Count,
  finalized: Count,
  /** The bar lies in the future. */
  future: Type.Boolean(),
})
export type Bar = Static<typeof Bar>

/** What the tickets are grouped by. A tag is one of the contact's tags of now, so a ticket can be in several groups. */
export const groupings = ['queue', 'connection', 'user', 'tag'] as const
export type Grouping = (typeof groupings)[number]
const Group = Type.Object({
  /** Null: the tickets without such a value. */
  id: Nullable(Id),
  name: Nullable(Type.String()),
  color: Nullable(Type.String()),
  removed: Type.Boolean(),
  created: Count,
  finalized: Count,
  withRating: Count,
  npsScore: Type.Integer(),
  times: Times,
})
export type Group = Static<typeof Group>

const WeekHour = Type.Object({
  /** From 0 (Monday, midnight to one) to 167, in the company's zone. */
  weekHour: Type.Integer({ minimum: 0, maximum: 167 }),
  created: Count,
  /** Of the tickets finalized in the range, those whose first waiting began in this hour. */
  waiting: Measure,
})
export type WeekHour = Static<typeof WeekHour>

/** The counts of a moment as they stood then, with queue and agent of then (A-PAST-01). */
const MomentCounts = Type.Object({
  moment: Moment,
  supportHappening: Count,
  supportPending: Count,
  supportWithBot: Count,
  supportGroups: Count,
  /** The tickets created and the tickets finalized from the begin of the local day up to the moment. */
  tickets: Count,
  supportFinished: Count,
  /** The longest waiting time in seconds; null: nobody waited. */
  longestWait: Nullable(Count),
})
export type MomentCounts = Static<typeof MomentCounts>
/** Minutes between two steps of a film. */
export const filmStepMinutes = 5

/**
 * R-DASH-01 to R-DASH-08; the counting rules are A-COUNT-01 to A-COUNT-13. If the caller is limited to queues, every number counts the
 * tickets of those, and tickets without a queue are left out (A-VIS-04).
 */
export const dashboard = {
  show: get('/dashboard', {
    may: seesDashboard,
    summary:
      'Counts the tickets of a range of days in the company’s time zone, both included, and of now. Without dates: today; without the last: until today.',
    query: Type.Object({ date_from: Day, date_to: Day, openHours: OpenHours, ...Filters }),
    answer: Answer,
    errors: ['ERR_INVALID_RANGE'],
  }),
  attendants: get('/dashboard/attendants', {
    may: seesDashboard,
    summary: 'Exports the table of agents of a range as an Excel file in the caller’s language.',
    query: Type.Object({ date_from: Day, date_to: Day, openHours: OpenHours, ...Filters }),
    answer: Type.Unknown(),
    file: { name: 'atendentes.xlsx', mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
    errors: ['ERR_INVALID_RANGE'],
  }),
  now: get('/dashboard/now', {
    may: seesDashboard,
    summary: 'Counts the tickets of now. Many viewers share one count, which is at most a second old.',
    query: Type.Object(Filters),
    answer: Now,
  }),
  ticketsUsers: get('/dashboard/ticketsUsers', {
    may: seesDashboard,
    summary: 'Counts the tickets finalized in a range per agent, most first. The name is null for tickets that no agent served.',
    query: Type.Object({ initialDate: Day, finalDate: Day, companyId: Type.Optional(Id), ...Filters }),
    answer: Type.Object({ data: Type.Array(Type.Object({ id: Nullable(Id), name: Nullable(Type.String()), quantity: Count })) }),
    errors: ['ERR_INVALID_RANGE'],
  }),
  ticketsDay: get('/dashboard/ticketsDay', {
    may: seesDashboard,
    summary: 'Counts the tickets created and finalized in a range per day, or per hour if it is one day.',
    query: Type.Object({ initialDate: Day, finalDate: Day, companyId: Type.Optional(Id), ...Filters }),
    answer: Type.Object({ count: Count, data: Type.Array(Bar) }),
    errors: ['ERR_INVALID_RANGE'],
  }),
  breakdown: get('/dashboard/breakdown', {
    may: seesDashboard,
    summary: 'Counts the tickets of a range per queue, connection, agent or tag, with their times. Most finalized tickets first.',
    query: Type.Object({ by: Type.Enum([...groupings]), date_from: Day, date_to: Day, openHours: OpenHours, ...Filters }),
    answer: Type.Object({ groups: Type.Array(Group) }),
    errors: ['ERR_INVALID_RANGE'],
  }),
  week: get('/dashboard/week', {
    may: seesDashboard,
    summary: 'Counts the tickets of a range per hour of the week. Hours without tickets are left out.',
    query: Type.Object({ date_from: Day, date_to: Day, ...Filters }),
    answer: Type.Object({ hours: Type.Array(WeekHour) }),
    errors: ['ERR_INVALID_RANGE'],
  }),
  at: get('/dashboard/at', {
    may: seesDashboard,
    summary: 'Counts the tickets of a past moment as they stood then. Deleted tickets are left out.',
    query: Type.Object({ moment: Type.String({ format: 'date-time' }), ...Filters }),
    answer: MomentCounts,
    errors: ['ERR_FUTURE_MOMENT'],
  }),
  film: get('/dashboard/film', {
    may: seesDashboard,
    summary: 'Counts the tickets at every fifth minute of a local day, up to now.',
    query: Type.Object({ day: Type.String({ format: 'date' }), ...Filters }),
    answer: Type.Object({ steps: Type.Array(MomentCounts) }),
    errors: ['ERR_FUTURE_MOMENT'],
  }),
}
