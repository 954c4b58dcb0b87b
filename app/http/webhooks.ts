import type { FastifyReply, FastifyRequest } from 'fastify'
import { minuteMs } from '#domain/duration/rules.ts'
import { network } from './connections.ts'
import { createRateLimiter } from './rate-limiter.ts'
import { base } from './serve.ts'

/** Whether the request goes to a provider's webhook. */
const isWebhook = ({ routeOptions }: FastifyRequest) => routeOptions.url?.startsWith(`${base}/webhooks/`) === true
/** The decoded parameters identify the webhook, because a URL can be spelled in many ways. */
const webhookKey = ({ routeOptions: { url }, params, ip }: FastifyRequest) =>
  [url, ...Object.values(params as Record<string, string>), network(ip)].join(' ')

/**
 * Providers call in bursts from few addresses, so the anonymous limit does not apply. Each address has a
 * limit per webhook, so that a flood at one webhook does not block others. Failed calls (wrong signature,
 * unknown webhook) have a lower limit, which is checked before the body is read.
 */
export function webhookLimits({ burst, perSecond, wrongPerMinute } = { burst: 2000, perSecond: 500, wrongPerMinute: 60 }) {
  const calls = createRateLimiter({ burst, everyMs: 1000 / perSecond })
  const failedCalls = createRateLimiter({ burst: wrongPerMinute, everyMs: minuteMs / wrongPerMinute })
  return {
    isWebhook,
    before(request: FastifyRequest, reply: FastifyReply): void {
      const wire = { header: (name: string, value: string) => void reply.header(name, value) }
      failedCalls.checkLimit(webhookKey(request), wire)
      calls.consumeOrRefuse(webhookKey(request), wire)
    },
    /** `known` marks the connection as no longer anonymous. */
    after(request: FastifyRequest, { statusCode }: FastifyReply, markSignedIn: () => void): void {
      if (statusCode < 300) markSignedIn()
      else if (statusCode >= 400 && statusCode < 500 && statusCode !== 429) failedCalls.count(webhookKey(request))
    },
  }
}
