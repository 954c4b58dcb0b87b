import { ids } from '#domain/contract.ts'
import { addressOf, firstView, type ReportView } from '#web/report/filter.ts'
import { lastDayFrom, today } from '#web/ui/moment.ts'
import type { Asked } from './address.ts'

/** The address of the report that lists the tickets behind a number of this period, with its filters. */
export function reportBehind({ from, to, openHours, filters }: Asked, change: Partial<ReportView>): string {
  const lists = { queueIds: ids(filters.queueIds), whatsappId: ids(filters.whatsappId), users: ids(filters.users) }
  const view: ReportView = {
    ...firstView(),
    dateFrom: from ?? to ?? today(),
    dateTo: to ?? lastDayFrom(from),
    openHours,
    ...lists,
    ...change,
  }
  return `/reports?${addressOf(view)}`
}
export const finalized = { dateField: 'closedAt' } as const
export const created = { dateField: 'createdAt', counted: true } as const
/** The report's id for tickets without an agent, a queue or a tag. */
export const noValueId = 0
