import { api } from '#web/api.ts'
import { createLruCache } from '#web/ui/lru-cache.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'

export const savedFilters = createRemoteAtom(() => api.reportFilters.list())
/** The weekly mail of a filter. */
export const weeklyMails = createLruCache((id: number) => createRemoteAtom(() => api.reportFilters.mail({ params: { id } })))
