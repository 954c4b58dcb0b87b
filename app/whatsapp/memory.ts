import type { CacheStore, GroupMetadata } from '@whiskeysockets/baileys'

/** What outlives a socket while this process has the account. */
export type Memory = {
  /** Who is in which group. */
  groups: Map<string, GroupMetadata>
  /** What people are called by the phone of the account, or as a business, by each id of theirs. */
  names: Lasting<string>
  /** Who rings, by the call: it may be turned down by the next socket. */
  callers: Lasting<string>
  /** How often a message was asked for again. */
  retries: Lasting<unknown>
  /** Which messages the phone was asked for, whose words it has alone. */
  resends: Lasting<unknown>
  devices: Lasting<unknown>
  calls: Lasting<unknown>
}

const minute = 60_000
const day = 24 * 60 * minute
/** As long as the client itself keeps such. */
export const memory = (): Memory => ({
  ...{ groups: new Map(), names: lasting(7 * day), callers: lasting(5 * minute), calls: lasting(5 * minute) },
  ...{ devices: lasting(5 * minute), retries: lasting(60 * minute), resends: lasting(60 * minute) },
})

export type Lasting<T> = Pick<Map<string, T>, 'get' | 'delete' | 'clear'> & { set: (key: string, value: T) => void }
/** Entries that are gone so long after they were made; the oldest make room. */
export function lasting<T>(ms: number, most = 10_000, now = () => performance.now()): Lasting<T> {
  const all = new Map<string, { value: T; until: number }>()
  const isOver = (one?: { until: number }) => one === undefined || one.until <= now()
  return {
    get: (key) => (isOver(all.get(key)) ? undefined : all.get(key)!.value),
    set(key, value) {
      all.delete(key) // so that they lie in the order in which they end
      all.set(key, { value, until: now() + ms })
      for (const [oldest, one] of all) {
        if (all.size <= most && !isOver(one)) break
        all.delete(oldest)
      }
    },
    delete: (key) => all.delete(key),
    clear: () => all.clear(),
  }
}

/** As the client wants it. */
export const cacheOf = (kept: Lasting<unknown>): CacheStore => ({
  get: <T>(key: string) => kept.get(key) as T | undefined,
  set: <T>(key: string, value: T) => kept.set(key, value),
  del: (key) => void kept.delete(key),
  flushAll: () => kept.clear(),
})
