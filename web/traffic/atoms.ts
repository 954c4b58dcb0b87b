import { ranges } from '#domain/traffic/contract.ts'
import { api } from '#web/api.ts'
import { createLruCache } from '#web/ui/lru-cache.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'

export const usual = 30
/** The range in the address, or the usual one. */
export const rangeIn = (asked: string | null): number => ranges.find((days) => `${days}` === asked) ?? usual

/** The provider's quality rating, loaded once. */
export const qualityOf = createLruCache((id: number) => createRemoteAtom(() => api.traffic.quality({ params: { id } })))
/** The traffic of a connection over a number of days. */
export const trafficOf = createLruCache(({ id, days }: { id: number; days: number }) =>
  createRemoteAtom(() => api.traffic.ofConnection({ params: { id }, query: { days } })),
)
