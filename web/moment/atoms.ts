import { atom } from 'jotai'
import type { DashboardFilters, MomentCounts } from '#domain/dashboard/contract.ts'
import { api } from '#web/api.ts'
import { createLimitedCache } from '#web/report/limit.ts'
import { createFollower } from '#web/ui/follower.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'

/** A moment that the slider shows and the address does not contain yet. */
export const pickedAtom = atom<string | null>(null)

type Film = { day: string; filters: DashboardFilters }
export const filmOf = createLimitedCache(({ day, filters }: Film) =>
  createRemoteAtom(() => api.dashboard.film({ query: { day, ...filters } })),
)

/** The counts of a moment between two steps, or before the film has loaded. */
export const countsAtom = createFollower((key): Promise<MomentCounts> => {
  const { moment, filters } = JSON.parse(key) as { moment: string; filters: DashboardFilters }
  return api.dashboard.at({ query: { moment, ...filters } })
})
