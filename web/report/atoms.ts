import type { ReportFilter } from '#domain/report/contract.ts'
import { api } from '#web/api.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'
import { createLimitedCache } from './limit.ts'

/** One page of the report. */
export const reportPage = createLimitedCache((query: ReportFilter & { page: number; pageSize: number }) =>
  createRemoteAtom(() => api.report.tickets({ query })),
)
export const reportChoices = createLimitedCache((_: null) => createRemoteAtom(() => api.report.choices()))
