import type { Static } from 'typebox'
import * as Type from 'typebox'
import { seesDashboard } from '#domain/access.ts'
import { get, Id, IdList, Moment, Nullable, PageNumber, Text } from '#domain/contract.ts'

/** Page sizes of the screen; `everything` answers all rows as a stream (R-REPORT-01, A-REPORT-01). */
export const pageSizes = [5, 10, 20, 50] as const
export const everything = 9_999_999
export const reportStatuses = ['pending', 'open', 'group', 'closed', 'lgpd', 'nps'] as const
export const sortable = [
  ...(['id', 'createdAt', 'closedAt', 'contactName', 'userName', 'queueName', 'whatsappName'] as const),
  ...(['status', 'supportTime', 'NPS'] as const),
] as const
/** The tickets that met the target for the first answer, those that missed it, or both (A-COUNT-15). */
export const targetResults = ['any', 'met', 'missed'] as const
export type TargetResult = (typeof targetResults)[number]
export type Sortable = (typeof sortable)[number]

const Day = Type.Optional(Type.String({ format: 'date' }))
/** Statuses as JSON. One that does not exist finds nothing. */
const StatusList = Type.String({ pattern: '^\\[("[a-z]{1,20}"(,(?=")|(?=\\])))*\\]$', list: Type.Enum([...reportStatuses]) })
const filters = {
  /** A name, digits of a number, the ticket's number with or without #, or its uuid. */
  searchParam: Type.Optional(Text(200)),
  contactId: Type.Optional(Id),
  /** In each list, 0 means "none". */
  whatsappId: Type.Optional(IdList),
  users: Type.Optional(IdList),
  queueIds: Type.Optional(IdList),
  tags: Type.Optional(IdList),
  /** The status of now (A-COUNT-11). Groups and tickets without consent are listed only if their status is named. */
  status: Type.Optional(StatusList),
  /** Days in the company's zone, both included. Without a first day: the first of the month. Without a last day: today. */
  dateFrom: Day,
  dateTo: Day,
  /** `closedAt`: the tickets finalized in the range, each with its last closing in it, as the dashboard counts them. */
  dateField: Type.Optional(Type.Enum(['createdAt', 'closedAt'])),
  onlyRated: Type.Optional(Type.Boolean()),
  /** Also imported tickets (A-COUNT-10). */
  imported: Type.Optional(Type.Boolean()),
  /** Only tickets that the dashboard counts as created: none that continues another one. */
  counted: Type.Optional(Type.Boolean()),
  /** Only tickets created in the range that the target for the first answer counts, by their result of now. */
  target: Type.Optional(Type.Enum([...targetResults])),
  /** Only tickets created in this hour of the week, in the company's zone: 0 is Monday, midnight to one. */
  weekHour: Type.Optional(Type.Integer({ minimum: 0, maximum: 167 })),
  /** Measure the times in opening hours (A-COUNT-05, A-COUNT-14). */
  openHours: Type.Optional(Type.Boolean()),
  sort: Type.Optional(Type.Enum([...sortable])),
  /** Rows without a value are last in both. */
  direction: Type.Optional(Type.Enum(['asc', 'desc'])),
}
const { dateFrom: _first, dateTo: _last, ...lasting } = filters
/** What a saved filter keeps besides its period. */
export const lastingFilters = lasting
const Filter = Type.Object(filters)
export type ReportFilter = Static<typeof Filter>

const Linked = Nullable(Type.Object({ id: Id, uuid: Type.String() }))
const Seconds = Nullable(Type.Integer({ minimum: 0 }))
/**
 * `closedAt`, the times and the rating are those of one closing: the ticket's last one, or its last one in the range if the range is about
 * closings. Null: not measured (A-COUNT-13).
 */
export const TicketReportRow = Type.Object({
  id: Id,
  uuid: Type.String(),
  /** The ticket's last event. */
  revision: Type.Integer(),
  whatsappName: Nullable(Type.String()),
  /** The connection was deleted, and its name with it. */
  whatsappRemoved: Type.Boolean(),
  contactId: Id,
  contactName: Type.String(),
  contactNumber: Type.String(),
  isGroup: Type.Boolean(),
  userId: Nullable(Id),
  userName: Nullable(Type.String()),
  userRemoved: Type.Boolean(),
  queueId: Nullable(Id),
  queueName: Nullable(Type.String()),
  queueColor: Nullable(Type.String()),
  queueRemoved: Type.Boolean(),
  /** The status of now. */
  status: Type.Enum([...reportStatuses]),
  lastMessage: Type.String(),
  createdAt: Moment,
  closedAt: Nullable(Moment),
  /** When the ticket was reopened after that closing. */
  reopenedAt: Nullable(Moment),
  /** Whole minutes (A-REPORT-01); `supportSeconds` is exact. */
  supportTime: Seconds,
  supportSeconds: Seconds,
  waitingSeconds: Seconds,
  firstAnswerSeconds: Seconds,
  resolutionSeconds: Seconds,
  /** The closed rest of each time, if the times are measured in opening hours. */
  closedWaitingSeconds: Seconds,
  closedFirstAnswerSeconds: Seconds,
  closedSupportSeconds: Seconds,
  closedResolutionSeconds: Seconds,
  NPS: Nullable(Type.Integer()),
  imported: Type.Boolean(),
  /** The ticket that a transfer closed to open this one, and the one that continues this one (A-COUNT-09). */
  predecessor: Linked,
  successor: Linked,
})
export type TicketReportRow = Static<typeof TicketReportRow>

const Choice = Type.Object({ id: Id, name: Type.String(), color: Nullable(Type.String()), removed: Type.Boolean() })
export type ReportChoice = Static<typeof Choice>

const Listed = Type.Object({
  tickets: Type.Array(TicketReportRow),
  totalTickets: Type.Object({ total: Type.Integer() }),
  /** If the range is about creations: how many of the tickets the dashboard counts as created (A-COUNT-09, A-COUNT-10). */
  countedTickets: Type.Optional(Type.Integer()),
  /** If the range is about closings: how many of the tickets were reopened since, and how many were deleted, which are not listed. */
  since: Type.Optional(Type.Object({ reopened: Type.Integer(), deleted: Type.Integer() })),
})
export type Listed = Static<typeof Listed>

/**
 * The report of tickets for supervisors (R-REPORT-01, R-REPORT-02, A-REPORT-01). If the caller is limited to queues: the tickets of those.
 * Of a ticket that counts there and has left them, the last message and tickets outside are left out (A-VIS-04).
 */
export const report = {
  tickets: get('/ticketreport/reports', {
    may: seesDashboard,
    summary:
      'Lists the tickets created or finalized in a range of days, in pages; a page size of 9999999 answers all of them. The lists of a filter are OR, the filters AND.',
    query: Type.Object({
      ...filters,
      page: Type.Optional(PageNumber),
      pageSize: Type.Optional(Type.Unsafe<number>({ type: 'integer', enum: [...pageSizes, everything] })),
    }),
    answer: Listed,
    errors: ['ERR_INVALID_RANGE'],
  }),
  export: get('/ticketreport/reports/export', {
    may: seesDashboard,
    summary: 'Exports the listed tickets as an Excel file in the caller’s language, with times of the company’s zone.',
    query: Filter,
    answer: Type.Unknown(),
    file: { name: 'relatorio-de-atendimentos.xlsx', mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
    errors: ['ERR_INVALID_RANGE'],
  }),
  choices: get('/ticketreport/choices', {
    may: seesDashboard,
    summary: 'Lists the users, queues, connections and tags by which the report is filtered, also removed users and queues.',
    answer: Type.Object({
      users: Type.Array(Choice),
      queues: Type.Array(Choice),
      connections: Type.Array(Choice),
      tags: Type.Array(Choice),
    }),
  }),
}
