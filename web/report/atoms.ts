import type { ReportFilter } from '#domain/report/contract.ts'
import { api } from '#web/api.ts'
import { createLruCache } from '#web/ui/lru-cache.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'

/** One page of the report. */
export const reportPage = createLruCache((query: ReportFilter & { page: number; pageSize: number }) =>
  createRemoteAtom(() => api.report.tickets({ query })),
)
export const reportChoices = createRemoteAtom(() => api.report.choices())
