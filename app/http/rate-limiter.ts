import { refuse } from '#domain/errors.ts'
import type { HttpExchange } from './serve.ts'

type Key = string | number

/** Allows `burst` calls per key at once, and one more each `everyMs`. Each process counts separately. */
export function createRateLimiter({ burst, everyMs, most = 20_000 }: { burst: number; everyMs: number; most?: number }) {
  /** When each key will have its whole burst again. */
  const fullAt = new Map<Key, number>()

  /** Milliseconds until the next call is allowed; 0 or less means now. */
  const waitMs = (key: Key) => (fullAt.get(key) ?? 0) - Date.now() - (burst - 1) * everyMs
  /** Refuses with `retry-after` if the key is over its limit. */
  function checkLimit(key: Key, wire: Pick<HttpExchange, 'header'>): void {
    const over = waitMs(key)
    if (over <= 0) return
    const retryAfter = Math.ceil(over / 1000)
    wire.header('retry-after', String(retryAfter))
    refuse('ERR_TOO_MANY_REQUESTS', { retryAfter })
  }
  function count(key: Key): void {
    const next = Math.max(fullAt.get(key) ?? 0, Date.now()) + everyMs
    fullAt.delete(key)
    fullAt.set(key, next)
    if (fullAt.size > most) fullAt.delete(fullAt.keys().next().value!)
  }
  return {
    checkLimit,
    count,
    /** Counts a call and returns whether it was allowed. */
    tryConsume(key: Key): boolean {
      if (waitMs(key) > 0) return false
      count(key)
      return true
    },
    consumeOrRefuse(key: Key, wire: Pick<HttpExchange, 'header'>): void {
      checkLimit(key, wire)
      count(key)
    },
  }
}
