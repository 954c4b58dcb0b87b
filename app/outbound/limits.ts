import { setTimeout as sleep } from 'node:timers/promises'

/** The rate limit of one connection: a burst of calls, then a number per second. */
export type Limit = {
  burst: number
  perSecond: number
  /** Random pause between two messages to people who did not write within a day, in milliseconds. */
  apart?: { fromMs: number; toMs: number }
}

/**
 * WhatsApp by QR code publishes no limit. It blocks accounts that send faster than people do, above all to many people who did not write
 * first. So replies leave at once, also when several agents share a number. Messages to other people leave one by one with random pauses.
 */
const cautious: Limit = { burst: 10, perSecond: 3, apart: { fromMs: 1000, toMs: 2000 } }
const limits: Record<string, Limit> = {
  sandbox: { burst: 1000, perSecond: 1000 },
  beta: cautious,
  cloud: { burst: 80, perSecond: 80 },
  graph: { burst: 10, perSecond: 30 }, // Meta allows 300 per second, but a page that sends more than 40 can no longer use its own inbox
}
/** Lower limits for messages with a file, below the number per second that Meta publishes. */
const withFile: Record<string, Limit> = { graph: { burst: 1, perSecond: 9 } }
/** Time limit of an upload in milliseconds, for a very slow line of 100 kB per second. */
export const uploadMs = (bytes: number): number => Math.ceil(bytes / 100)

export const limitOf = (provider: string): Limit => (Object.hasOwn(limits, provider) ? limits[provider] : undefined) ?? cautious

export const fileLimitOf = (provider: string): Limit =>
  (Object.hasOwn(withFile, provider) ? withFile[provider] : undefined) ?? limitOf(provider)

/** A token bucket: takes a token and returns 0, or returns the milliseconds until one is available. */
export function tokenBucket({ burst, perSecond }: Limit, now = () => performance.now()): () => number {
  let tokens = burst
  let at = now()
  return () => {
    const moment = now()
    tokens = Math.min(burst, tokens + ((moment - at) / 1000) * perSecond)
    at = moment
    if (tokens < 1) return Math.ceil(((1 - tokens) / perSecond) * 1000)
    tokens -= 1
    return 0
  }
}

/** Spaces sends by a random pause. `ms`: milliseconds until the next may leave. `left`: records that one left. */
export function pauses({ fromMs, toMs }: NonNullable<Limit['apart']>, now = () => performance.now()) {
  let next = Number.NEGATIVE_INFINITY
  return {
    ms: () => Math.max(0, Math.ceil(next - now())),
    left: () => {
      next = now() + fromMs + Math.random() * (toMs - fromMs)
    },
  }
}

/** Waits for a token of the connection's bucket. Rejects when `signal` aborts. */
export function turns(limit: Limit) {
  const buckets = new Map<number, () => number>()
  return async (connectionId: number, signal: AbortSignal): Promise<void> => {
    const take = buckets.get(connectionId) ?? tokenBucket(limit)
    buckets.set(connectionId, take)
    for (let ms = take(); ms > 0; ms = take()) await sleep(ms, undefined, { signal })
  }
}
