import type { Viewer } from '#domain/access.ts'
import { asksForNumber } from '#domain/contact/rules.ts'
import { createRateLimiter } from '../http/rate-limiter.ts'
import type { HttpExchange } from '../http/serve.ts'

const asked = createRateLimiter({ burst: 30, everyMs: 2000 })

/**
 * A masked viewer may search for a whole number. The limit prevents guessing one number after another
 * (A-LGPD-04).
 */
export function countNumber({ id, masked }: Viewer, searched: string | undefined, wire: HttpExchange): void {
  if (masked && searched !== undefined && asksForNumber(searched)) asked.consumeOrRefuse(id, wire)
}
