import type { StoredEvent } from './event-store.ts'

const maxEvents = 500

export type TailCache = {
  /** Cached events after a position; null if the position is older or newer than the cached range. */
  eventsAfter: (position: bigint) => StoredEvent[] | null
  /** Reads new events into the cache. Concurrent callers share one read. */
  refresh: () => Promise<void>
  /** The notification count up to which the cache is complete. */
  completeUpTo: () => number
  /** Starts the cache at a position behind which the store has no event yet. */
  start: (position: bigint) => void
}

/**
 * Caches the newest events, so that all subscriptions of this process share one read. `read` returns the next events after a position,
 * and fewer than `page` at the end. `notificationCount` counts the notifications about new events.
 */
export function createTailCache(read: (after: bigint) => Promise<StoredEvent[]>, page: number, notificationCount: () => number): TailCache {
  let cached: { from: bigint; events: StoredEvent[] } | null = null
  let completeUpTo = -1
  let refreshing: Promise<void> | null = null
  const end = () => cached && (cached.events.at(-1)?.position ?? cached.from)

  async function refresh(): Promise<void> {
    const before = notificationCount()
    const of = cached!
    const more = await read(end()!)
    if (cached !== of) return // the cache was restarted during the read
    const all = [...of.events, ...more]
    const evicted = all.splice(0, Math.max(0, all.length - maxEvents)).at(-1)
    cached = { from: evicted?.position ?? of.from, events: all }
    if (more.length < page) completeUpTo = before
  }
  return {
    eventsAfter(position) {
      if (cached === null || position < cached.from || position > end()!) return null
      return cached.events.slice(cached.events.findLastIndex((event) => event.position <= position) + 1)
    },
    refresh() {
      refreshing ??= refresh().finally(() => {
        refreshing = null
      })
      return refreshing
    },
    completeUpTo: () => completeUpTo,
    start(position) {
      if (cached === null || position > end()!) cached = { from: position, events: [] }
    },
  }
}
