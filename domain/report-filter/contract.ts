import type { Static } from 'typebox'
import * as Type from 'typebox'
import { admin, seesDashboard, type Viewer } from '#domain/access.ts'
import { changeOf, del, get, Id, Moment, Name, Nullable, post, put, version } from '#domain/contract.ts'
import { lastingFilters } from '#domain/report/contract.ts'

/** The periods that a saved filter may have. `days`: two fixed days; every other period moves with today. */
export const periods = ['today', 'last7Days', 'lastWeek', 'thisMonth', 'lastMonth', 'days'] as const
export type Period = (typeof periods)[number]
/** The maximum number of recipients of a weekly mail. */
const mostRecipients = 20

const Day = Type.Optional(Type.String({ format: 'date' }))
/** The filters and the order of the report. Only the period `days` has days of its own. */
const Filter = Type.Object(
  { ...lastingFilters, period: Type.Enum([...periods]), dateFrom: Day, dateTo: Day },
  { additionalProperties: false },
)
export type SavedFilter = Static<typeof Filter>

const fields = {
  /** Unique among the filters of its owner. */
  name: Name(60),
  filter: Filter,
  /** Every supervisor of the company sees it. */
  shared: Type.Boolean({ default: false }),
}
export const ReportFilterBody = Type.Object(fields, { additionalProperties: false })
export type ReportFilterBody = Static<typeof ReportFilterBody>

export const ReportFilterRow = Type.Object({
  id: Id,
  ...fields,
  /** Its owner. */
  userId: Id,
  userName: Type.String(),
  /** Its weekly mail is switched on. */
  weekly: Type.Boolean(),
  version,
})
export type ReportFilterRow = Static<typeof ReportFilterRow>

type Owned = Pick<ReportFilterRow, 'userId' | 'shared'>
/** A private filter does not exist for other users. */
export const maySeeFilter = ({ id }: Pick<Viewer, 'id'>, { userId, shared }: Owned): boolean => shared || userId === id
/** The owner may change a filter, and an admin a shared one. */
export const mayEditFilter = (viewer: Viewer, row: Owned): boolean => row.userId === viewer.id || (row.shared && admin(viewer) === null)

export const WeeklyMailBody = Type.Object(
  {
    active: Type.Boolean({ default: true }),
    /** From 0 (Monday) to 6. */
    weekday: Type.Integer({ minimum: 0, maximum: 6, default: 0 }),
    /** The local time of the company. */
    time: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', default: '08:00' }),
    /** Users of the company who may see the report. */
    recipients: Type.Array(Id, { maxItems: mostRecipients, uniqueItems: true, default: [] }),
  },
  { additionalProperties: false },
)
export type WeeklyMailBody = Static<typeof WeeklyMailBody>

/** A mail that was sent or tried to one recipient. Days are local and both included. */
export const SentReport = Type.Object({
  id: Id,
  userId: Id,
  userName: Type.String(),
  /** A test mail is not due on a day. */
  isTest: Type.Boolean(),
  firstDay: Type.String(),
  lastDay: Type.String(),
  /** `waiting`: it failed and is tried again; `uncertain`: the process ended while it was sent; `skipped`: not allowed any more. */
  state: Type.Enum(['waiting', 'sending', 'sent', 'uncertain', 'failed', 'skipped']),
  reason: Nullable(Type.String()),
  rows: Nullable(Type.Integer()),
  /** Without a file it has a link, because the file is too large. */
  withFile: Type.Boolean(),
  late: Type.Boolean(),
  at: Moment,
})
export type SentReport = Static<typeof SentReport>

/** The saved filters of the report of tickets. */
export const reportFilters = {
  list: get('/ticketreport/filters', {
    may: seesDashboard,
    summary: 'Lists the caller’s saved filters of the report and the shared ones of the company, by name.',
    answer: Type.Object({ filters: Type.Array(ReportFilterRow) }),
  }),
  find: get('/ticketreport/filters/:id', { may: seesDashboard, summary: 'Shows a saved filter of the report.', answer: ReportFilterRow }),
  create: post('/ticketreport/filters', {
    may: seesDashboard,
    summary: 'Saves a filter of the report, private or shared with all supervisors of the company.',
    body: ReportFilterBody,
    answer: ReportFilterRow,
    idempotent: true,
    errors: ['ERR_REPORT_FILTERS_TOO_MANY'],
  }),
  update: put('/ticketreport/filters/:id', {
    may: seesDashboard,
    summary: 'Changes a saved filter of the report; omitted fields stay. Refused if `version` is outdated.',
    body: changeOf({ ...fields, version }),
    answer: ReportFilterRow,
    idempotent: true,
    errors: ['ERR_ROW_CHANGED', 'ERR_NO_PERMISSION'],
  }),
  remove: del('/ticketreport/filters/:id', {
    may: seesDashboard,
    summary: 'Deletes a saved filter of the report.',
    idempotent: true,
    errors: ['ERR_NO_PERMISSION'],
  }),
  mail: get('/ticketreport/filters/:id/mail', {
    may: seesDashboard,
    summary: 'Shows the weekly mail of a saved filter: its schedule, the next one, the last ones, and who may receive it.',
    answer: Type.Object({
      mail: Nullable(WeeklyMailBody),
      nextAt: Nullable(Moment),
      /** The installation has a mail server. */
      canMail: Type.Boolean(),
      people: Type.Array(Type.Object({ id: Id, name: Type.String() })),
      sent: Type.Array(SentReport),
    }),
  }),
  setMail: put('/ticketreport/filters/:id/mail', {
    may: seesDashboard,
    summary: 'Sets the weekly mail of a saved filter: on or off, day, time in the company’s zone, and recipients.',
    body: WeeklyMailBody,
    answer: ReportFilterRow,
    idempotent: true,
    errors: ['ERR_NO_PERMISSION', 'ERR_MAIL_NOT_SET', 'ERR_REPORT_MAIL_RECIPIENT'],
  }),
  testMail: post('/ticketreport/filters/:id/mail/test', {
    may: seesDashboard,
    summary: 'Mails the report of the last whole week to the caller.',
    answer: SentReport,
    errors: [
      ...(['ERR_MAIL_NOT_SET', 'ERR_MAIL_NO_HOST', 'ERR_MAIL_UNREACHABLE', 'ERR_MAIL_TLS', 'ERR_MAIL_SIGN_IN', 'ERR_MAIL_FAILED'] as const),
      'ERR_TOO_MANY_REQUESTS',
    ],
  }),
}
