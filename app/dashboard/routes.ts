import type { Viewer } from '#domain/access.ts'
import { ids } from '#domain/contract.ts'
import type { DashboardFilters, dashboard } from '#domain/dashboard/contract.ts'
import { barsIn, type DayRange, dayRange, periodBefore } from '#domain/report/days.ts'
import { attendantsOf, barsOf, countersOf } from '#projections/report/dashboard.ts'
import type { Scope } from '#projections/report/range.ts'
import type { AppContext } from '../context.ts'
import type { Handlers } from '../http/serve.ts'

export function dashboardRoutes({ db, clock }: Pick<AppContext, 'db' | 'clock'>): Handlers<typeof dashboard> {
  const scopeOf = ({ companyId }: Viewer, { from, to }: DayRange, { queueIds, whatsappId, users }: DashboardFilters): Scope => ({
    companyId,
    range: { from, to },
    filters: { queueIds: ids(queueIds), connectionIds: ids(whatsappId), userIds: ids(users) },
  })
  return {
    async show({ viewer, query: { date_from: first, date_to: last, ...filters } }) {
      const { timeZone: zone } = viewer
      const now = clock.now()
      const range = dayRange(zone, now, first, last)
      const scope = scopeOf(viewer, range, filters)
      const [counters, attendants] = await Promise.all([countersOf(db, scope, periodBefore(zone, now, range)), attendantsOf(db, scope)])
      return { counters, attendants }
    },
    async ticketsUsers({ viewer, query: { initialDate, finalDate, companyId: _, ...filters } }) {
      const range = dayRange(viewer.timeZone, clock.now(), initialDate, finalDate)
      const rows = await attendantsOf(db, scopeOf(viewer, range, filters))
      return { data: rows.filter(({ tickets }) => tickets > 0).map(({ id, name, tickets: quantity }) => ({ id, name, quantity })) }
    },
    async ticketsDay({ viewer, query: { initialDate, finalDate, companyId: _, ...filters } }) {
      const { timeZone: zone } = viewer
      const range = dayRange(zone, clock.now(), initialDate, finalDate)
      const data = await barsOf(db, scopeOf(viewer, range, filters), zone, barsIn(zone, clock.now(), range))
      return { count: data.reduce((sum, { total }) => sum + total, 0), data }
    },
  }
}
