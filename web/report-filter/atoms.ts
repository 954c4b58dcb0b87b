import { api } from '#web/api.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'

export const savedFilters = createRemoteAtom(() => api.reportFilters.list())
