import type { Viewer } from '#domain/access.ts'
import { ids } from '#domain/contract.ts'
import { everything, type ReportFilter, type report } from '#domain/report/contract.ts'
import { reportRange } from '#domain/report/days.ts'
import { reportChoices } from '#projections/report/choices.ts'
import { openHoursOf } from '#projections/report/open-hours.ts'
import { filtersOf } from '#projections/report/range.ts'
import { targetedIn } from '#projections/report/targets.ts'
import { changedSince, type ReportRequest, reportBatches, reportPage } from '#projections/report/tickets.ts'
import { countNumber } from '../contact/number-questions.ts'
import type { AppContext } from '../context.ts'
import type { HandlerContext, Handlers } from '../http/serve.ts'
import { recordSecurity } from '../security/log.ts'
import { reportJson } from './json.ts'
import { ticketSheet } from './sheet.ts'
import { inSlot } from './slots.ts'

type Deps = Pick<AppContext, 'db' | 'clock'>
const defaultPageSize = 10

export function reportRoutes({ db, clock }: Deps): Handlers<typeof report> {
  const requestOf = async ({ viewer, wire }: Pick<HandlerContext, 'viewer' | 'wire'>, filter: ReportFilter): Promise<ReportRequest> => {
    countNumber(viewer, filter.searchParam, wire)
    return requestOfFilter(db, viewer, clock.now(), filter)
  }
  return {
    async tickets({ query: { page = 1, pageSize = defaultPageSize, ...filter }, ...context }) {
      const request = await requestOf(context, filter)
      if (pageSize === everything) return reportJson(inSlot(reportBatches(db, request)))
      const [{ total, counted, rows }, since] = await Promise.all([
        reportPage(db, request, page, pageSize),
        filter.dateField === 'closedAt' ? changedSince(db, request) : undefined,
      ])
      return { tickets: rows, totalTickets: { total }, ...(since ? { since } : { countedTickets: counted }) }
    },
    async export({ query, ...context }) {
      const { viewer, wire } = context
      const { companyId, id: userId } = viewer
      const request = await requestOf(context, query)
      const { language } = await db.selectFrom('user').select('language').where('id', '=', userId).executeTakeFirstOrThrow()
      await recordSecurity(db, { companyId, userId, address: wire.ip, kind: 'exported', detail: { format: 'xlsx' } })
      return ticketSheet(inSlot(reportBatches(db, request)), { language, zone: viewer.timeZone, openHours: query.openHours ?? false })
    },
    choices: ({ viewer }) => reportChoices(db, viewer),
  }
}

/** The report of a filter with the rights of a viewer. */
export async function requestOfFilter(
  db: Deps['db'],
  viewer: Viewer,
  now: number,
  { openHours = false, target, ...filter }: ReportFilter,
): Promise<ReportRequest> {
  const request = requestFor(viewer, now, filter)
  const [hours, targeted] = await Promise.all([
    openHours ? openHoursOf(db, viewer.companyId) : null,
    target ? targetedIn(db, request.scope, now, target) : null,
  ])
  return { ...request, openHours: hours, targeted }
}
function requestFor(viewer: Viewer, now: number, filter: Omit<ReportFilter, 'openHours' | 'target'>): ReportRequest {
  const { dateFrom, dateTo, whatsappId: _, users: __, queueIds: ___, tags, status, ...rest } = filter
  const { from, to } = reportRange(viewer.timeZone, now, dateFrom, dateTo)
  const statuses = status ? (JSON.parse(status) as string[]) : []
  return {
    ...rest,
    viewer,
    scope: {
      companyId: viewer.companyId,
      range: { from, to },
      filters: filtersOf(viewer, filter),
    },
    tagIds: ids(tags),
    statuses: statuses.length > 0 ? statuses : null,
    openHours: null,
  }
}
