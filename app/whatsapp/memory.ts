import type { CacheStore, GroupMetadata } from '@whiskeysockets/baileys'
import { dayMs, hourMs, minuteMs } from '#domain/duration/rules.ts'

/** Caches that outlive a socket while this process has the account. */
export type Memory = {
  /** The groups with their participants. */
  groups: Map<string, GroupMetadata>
  /** Names from the account's address book, or of businesses, by each id of the person. */
  names: Lasting<string>
  /** The caller by call id, because the next socket may have to reject the call. */
  callers: Lasting<string>
  /** How often a message was requested again. */
  retries: Lasting<unknown>
  /** The messages whose content was requested from the phone. */
  resends: Lasting<unknown>
  devices: Lasting<unknown>
  calls: Lasting<unknown>
}

/** Lifetimes as in the client's own caches. */
export const memory = (): Memory => ({
  ...{ groups: new Map(), names: lasting(7 * dayMs), callers: lasting(5 * minuteMs), calls: lasting(5 * minuteMs) },
  ...{ devices: lasting(5 * minuteMs), retries: lasting(hourMs), resends: lasting(hourMs) },
})

export type Lasting<T> = Pick<Map<string, T>, 'get' | 'delete' | 'clear'> & { set: (key: string, value: T) => void }
/** A map whose entries expire after `ms`. Beyond `most` entries the oldest are deleted. */
export function lasting<T>(ms: number, most = 10_000, now = () => performance.now()): Lasting<T> {
  const all = new Map<string, { value: T; until: number }>()
  const isOver = (one?: { until: number }) => one === undefined || one.until <= now()
  return {
    get: (key) => (isOver(all.get(key)) ? undefined : all.get(key)!.value),
    set(key, value) {
      all.delete(key) // keeps the entries in the order of their expiry
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

/** The client's cache interface. */
export const cacheOf = (kept: Lasting<unknown>): CacheStore => ({
  get: <T>(key: string) => kept.get(key) as T | undefined,
  set: <T>(key: string, value: T) => kept.set(key, value),
  del: (key) => void kept.delete(key),
  flushAll: () => kept.clear(),
})
