import type { Listed, ReportFilter } from '#domain/report/contract.ts'
import { api } from '#web/api.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'
import { createLimitedCache } from './limit.ts'

/** One page of the report. */
export const reportPage = createLimitedCache((query: ReportFilter & { page: number; pageSize: number }) =>
  createRemoteAtom(() => api.report.tickets({ query })),
)
/** The report of a range that cannot be counted. */
export const emptyPage = createRemoteAtom(async (): Promise<Listed> => ({ tickets: [], totalTickets: { total: 0 } }))
/** The contact that the report is filtered by. */
export const reportContact = createLimitedCache((id: number) => createRemoteAtom(() => api.contacts.find({ params: { id } })))
export const reportChoices = createLimitedCache((_: null) => createRemoteAtom(() => api.report.choices()))
