/** What a provider bears on one connection: so many calls at once, and from then on so many a second. */
export type Limit = { burst: number; perSecond: number }

/** WhatsApp by QR code says no number; who sends faster than people do is taken for a machine and shut out. */
const cautious: Limit = { burst: 10, perSecond: 3 }
const limits: Record<string, Limit> = {
  sandbox: { burst: 1000, perSecond: 1000 },
  beta: cautious,
  cloud: { burst: 80, perSecond: 80 },
  graph: { burst: 100, perSecond: 100 },
}
/** So long a file may take on its way there, by the slowest line that one would still call one. */
export const uploadMs = (bytes: number): number => Math.ceil(bytes / 100)

export const limitOf = (provider: string): Limit => (Object.hasOwn(limits, provider) ? limits[provider] : undefined) ?? cautious

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
