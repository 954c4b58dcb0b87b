import type { FastifyReply, FastifyRequest } from 'fastify'
import { network } from './connections.ts'
import { createRateLimiter } from './rate-limiter.ts'
import { base } from './serve.ts'

/** Where providers call. */
const isDoor = ({ routeOptions }: FastifyRequest) => routeOptions.url?.startsWith(`${base}/webhooks/`) === true
/** By its name as it was understood: an address may be spelled in many ways. */
const doorOf = ({ routeOptions: { url }, params, ip }: FastifyRequest) =>
  [url, ...Object.values(params as Record<string, string>), network(ip)].join(' ')

/**
 * Providers call in bursts from few addresses, and no stranger's limit may hold them: each address has a limit of its own at each door, so
 * that a flood at one door holds no other. Who is turned away there (a wrong signature, no such door) may come so often and no more, and is
 * told so before anything of theirs is read.
 */
export function webhookLimits({ burst, perSecond, wrongPerMinute } = { burst: 2000, perSecond: 500, wrongPerMinute: 60 }) {
  const calls = createRateLimiter({ burst, everyMs: 1000 / perSecond })
  const wrong = createRateLimiter({ burst: wrongPerMinute, everyMs: 60_000 / wrongPerMinute })
  return {
    isDoor,
    before(request: FastifyRequest, reply: FastifyReply): void {
      const wire = { header: (name: string, value: string) => void reply.header(name, value) }
      wrong.checkLimit(doorOf(request), wire)
      calls.take(doorOf(request), wire)
    },
    /** `known`: its connection is no stranger's any more. */
    after(request: FastifyRequest, { statusCode }: FastifyReply, known: () => void): void {
      if (statusCode < 300) known()
      else if (statusCode >= 400 && statusCode < 500 && statusCode !== 429) wrong.count(doorOf(request))
    },
  }
}
