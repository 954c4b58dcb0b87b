import { ranges } from '#domain/traffic/contract.ts'
import { api } from '#web/api.ts'
import { recent } from '#web/ui/lru-cache.ts'
import { loaded } from '#web/ui/remote-atom.ts'

export const usual = 30
/** The range that an address names, where it is one. */
export const rangeIn = (asked: string | null): number => ranges.find((days) => `${days}` === asked) ?? usual

/** What the provider thinks of it, asked for once. */
export const qualityOf = recent((id: number) => loaded(() => api.traffic.quality({ params: { id } })))
/** How a connection has been, over so many days. */
export const trafficOf = recent(({ id, days }: { id: number; days: number }) =>
  loaded(() => api.traffic.ofConnection({ params: { id }, query: { days } })),
)
