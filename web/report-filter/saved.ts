import type { SavedFilter } from '#domain/report-filter/contract.ts'
import { addressParts, daysOf, periodOf } from '#domain/report-filter/rules.ts'
import { addressOf, filterOf, type ReportView, viewOf } from '#web/report/filter.ts'
import { today } from '#web/ui/moment.ts'

/** What the report shows as a filter to save, with the period that its days are today. */
export function savedOf(view: ReportView, now = today()): SavedFilter {
  const { dateFrom, dateTo } = view
  return { ...filterOf(view), period: periodOf({ dateFrom, dateTo }, now) }
}
/** Only the period `days` keeps its days. */
export function withPeriod({ dateFrom, dateTo, ...filter }: SavedFilter): SavedFilter {
  return { ...filter, ...(filter.period === 'days' && { ...(dateFrom && { dateFrom }), ...(dateTo && { dateTo }) }) }
}
/** The view of a saved filter: a relative period becomes the days of today. */
export const viewOfSaved = (filter: SavedFilter, now = today()): ReportView =>
  viewOf(new URLSearchParams(addressParts(filter, daysOf(filter, now))))

/** Whether the report shows what the filter finds, on any page. */
export function isShown(filter: SavedFilter, view: ReportView): boolean {
  const { page, pageSize } = view
  return addressOf({ ...viewOfSaved(filter), page, pageSize }).toString() === addressOf(view).toString()
}
