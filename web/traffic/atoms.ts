import { ranges } from '#domain/traffic/contract.ts'
import { api } from '#web/api.ts'
import { createLruCache } from '#web/ui/lru-cache.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'

export const usual = 30
/** The range that an address names, where it is one. */
export const rangeIn = (asked: string | null): number => ranges.find((days) => `${days}` === asked) ?? usual

/** What the provider thinks of it, asked for once. */
export const qualityOf = createLruCache((id: number) => createRemoteAtom(() => api.traffic.quality({ params: { id } })))
/** How a connection has been, over so many days. */
export const trafficOf = createLruCache(({ id, days }: { id: number; days: number }) =>
  createRemoteAtom(() => api.traffic.ofConnection({ params: { id }, query: { days } })),
)
