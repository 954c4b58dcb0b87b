import { setTimeout as sleep } from 'node:timers/promises'

/** What a provider bears on one connection: so many calls at once, and from then on so many a second. */
export type Limit = {
  burst: number
  perSecond: number
  /** Between two that go to people who did not write within a day: from so many milliseconds to so many. */
  apart?: { fromMs: number; toMs: number }
}

/**
 * WhatsApp by QR code says no number; who sends faster than people do is taken for a machine and shut out, and above all who writes to many
 * that did not ask. So an answer leaves at once, as whoever waits for it and whoever wrote it expect, by as many agents as share a number;
 * and what goes to others leaves as a person would write it, one after the other and never in a beat.
 */
const cautious: Limit = { burst: 10, perSecond: 3, apart: { fromMs: 1000, toMs: 2000 } }
const limits: Record<string, Limit> = {
  sandbox: { burst: 1000, perSecond: 1000 },
  beta: cautious,
  cloud: { burst: 80, perSecond: 80 },
  graph: { burst: 10, perSecond: 30 }, // Meta bears 300 a second; a page that says more than 40 cannot speak from its inbox any more
}
/** What carries a file, where a provider bears fewer of those: in no second more than Meta says. */
const withFile: Record<string, Limit> = { graph: { burst: 1, perSecond: 9 } }
/** So long a file may take on its way there, by the slowest line that one would still call one. */
export const uploadMs = (bytes: number): number => Math.ceil(bytes / 100)

export const limitOf = (provider: string): Limit => (Object.hasOwn(limits, provider) ? limits[provider] : undefined) ?? cautious

export const fileLimitOf = (provider: string): Limit =>
  (Object.hasOwn(withFile, provider) ? withFile[provider] : undefined) ?? limitOf(provider)

/** A token bucket: takes a token and answers 0, or answers in how many milliseconds there is one. */
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

/** Keeps two apart by a pause that is never the same: in how many milliseconds the next may leave, and that one left. */
export function pauses({ fromMs, toMs }: NonNullable<Limit['apart']>, now = () => performance.now()) {
  let next = Number.NEGATIVE_INFINITY
  return {
    ms: () => Math.max(0, Math.ceil(next - now())),
    left: () => {
      next = now() + fromMs + Math.random() * (toMs - fromMs)
    },
  }
}

/** Waits for one’s turn, by a bucket for each connection; gives up with `signal`. */
export function turns(limit: Limit) {
  const buckets = new Map<number, () => number>()
  return async (connectionId: number, signal: AbortSignal): Promise<void> => {
    const take = buckets.get(connectionId) ?? tokenBucket(limit)
    buckets.set(connectionId, take)
    for (let ms = take(); ms > 0; ms = take()) await sleep(ms, undefined, { signal })
  }
}
