import type { Viewer } from '#domain/access.ts'
import type { DashboardFilters, dashboard } from '#domain/dashboard/contract.ts'
import { barsIn, type DayRange, dayRange, periodBefore } from '#domain/report/days.ts'
import { pastMoment, pointAt, pointsOfDay } from '#domain/report/moments.ts'
import { groupsOf, weekOf } from '#projections/report/breakdown.ts'
import { attendantsOf, barsOf, countersOf, countNow } from '#projections/report/dashboard.ts'
import { countsAt } from '#projections/report/moment.ts'
import { openHoursOf } from '#projections/report/open-hours.ts'
import { type Filters, filtersOf, type Scope } from '#projections/report/range.ts'
import { targetOf } from '#projections/report/targets.ts'
import type { AppContext } from '../context.ts'
import type { Handlers } from '../http/serve.ts'
import { agentSheet } from './sheet.ts'

export function dashboardRoutes({ db, clock }: Pick<AppContext, 'db' | 'clock'>): Handlers<typeof dashboard> {
  const scopeOf = (viewer: Viewer, { from, to }: DayRange, filters: DashboardFilters): Scope => ({
    companyId: viewer.companyId,
    range: { from, to },
    filters: filtersOf(viewer, filters),
  })
  const inOpenHours = async (scope: Scope): Promise<Scope> => ({ ...scope, openHours: await openHoursOf(db, scope.companyId) })
  const nowOf = shareResults(1000, (companyId: number, filters: Filters) => countNow(db, companyId, filters))
  return {
    now: ({ viewer, query }) => nowOf(viewer.companyId, filtersOf(viewer, query)),
    async at({ viewer, query: { moment, ...filters } }) {
      const [counts] = await countsAt(
        db,
        viewer.companyId,
        filtersOf(viewer, filters),
        pointAt(viewer.timeZone, pastMoment(clock.now(), moment)),
      )
      return counts!
    },
    async film({ viewer, query: { day, ...filters } }) {
      return { steps: await countsAt(db, viewer.companyId, filtersOf(viewer, filters), pointsOfDay(viewer.timeZone, clock.now(), day)) }
    },
    async show({ viewer, query: { date_from: first, date_to: last, openHours, ...filters } }) {
      const { timeZone: zone } = viewer
      const now = clock.now()
      const range = dayRange(zone, now, first, last)
      const before = periodBefore(zone, now, range)
      const plain = scopeOf(viewer, range, filters)
      const scope = openHours ? await inOpenHours(plain) : plain
      const [counters, attendants, target] = await Promise.all([
        countersOf(db, scope, before),
        attendantsOf(db, scope),
        targetOf(db, plain, now),
      ])
      return { counters, attendants, target }
    },
    async attendants({ viewer, query: { date_from: first, date_to: last, openHours = false, ...filters } }) {
      const range = dayRange(viewer.timeZone, clock.now(), first, last)
      const { language } = await db.selectFrom('user').select('language').where('id', '=', viewer.id).executeTakeFirstOrThrow()
      const scope = scopeOf(viewer, range, filters)
      const rows = await attendantsOf(db, openHours ? await inOpenHours(scope) : scope)
      return agentSheet(rows, { language, zone: viewer.timeZone, openHours })
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
    async breakdown({ viewer, query: { by, date_from: first, date_to: last, openHours, ...filters } }) {
      const range = dayRange(viewer.timeZone, clock.now(), first, last)
      const scope = scopeOf(viewer, range, filters)
      return { groups: await groupsOf(db, openHours ? await inOpenHours(scope) : scope, by) }
    },
    async week({ viewer, query: { date_from: first, date_to: last, ...filters } }) {
      const range = dayRange(viewer.timeZone, clock.now(), first, last)
      return { hours: await weekOf(db, scopeOf(viewer, range, filters), viewer.timeZone) }
    },
  }
}

/** Calls with the same arguments within `ms` share one result, so that many viewers cost one query. */
function shareResults<A extends unknown[], T>(ms: number, load: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
  const recent = new Map<string, { until: number; result: Promise<T> }>()
  return (...args) => {
    const time = performance.now()
    for (const [key, { until }] of recent) if (until <= time) recent.delete(key)
    const key = JSON.stringify(args)
    const known = recent.get(key)
    if (known) return known.result
    const result = load(...args)
    recent.set(key, { until: time + ms, result })
    return result
  }
}
