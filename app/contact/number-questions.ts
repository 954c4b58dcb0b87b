import type { Viewer } from '#domain/access.ts'
import { asksForNumber } from '#domain/contact/rules.ts'
import { createRateLimiter } from '../http/rate-limiter.ts'
import type { HttpExchange } from '../http/serve.ts'

const asked = createRateLimiter({ burst: 30, everyMs: 2000 })

/** Whoever must not see numbers may ask for a whole one, but not for one after another until it is the right one (A-LGPD-04). */
export function countNumber({ id, masked }: Viewer, searched: string | undefined, wire: HttpExchange): void {
  if (masked && searched !== undefined && asksForNumber(searched)) asked.take(id, wire)
}
