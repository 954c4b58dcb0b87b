import type { FastifyReply, FastifyRequest } from 'fastify'
import { minuteMs } from '#domain/duration/rules.ts'
import { refuse } from '#domain/errors.ts'
import { network } from '../http/connections.ts'
import { createRateLimiter } from '../http/rate-limiter.ts'

const reloadEveryMs = 250
const unknownPerMinute = 60
/** Memory for request bodies in bytes. Meta's bodies have a few thousand bytes each. */
const memoryLimits = { network: 16 * 1024 * 1024, all: 64 * 1024 * 1024 }

/**
 * Caches the known webhook paths in the process. An unknown path waits for the next load, of which there are
 * few per second. So a new connection is found at once, and a flood of invented paths costs no more than one.
 */
export function createWebhookPathCache(load: () => Promise<string[]>, everyMs = reloadEveryMs) {
  let known = new Set<string>()
  let loadedAt = Number.NEGATIVE_INFINITY
  let loading: Promise<void> | null = null
  async function reload(): Promise<void> {
    const rests = loadedAt + everyMs - performance.now()
    if (rests > 0) await new Promise((next) => setTimeout(next, rests))
    loadedAt = performance.now()
    known = new Set(await load())
  }
  return async (path: string): Promise<boolean> => {
    if (known.has(path)) return true
    loading ??= reload().finally(() => {
      loading = null
    })
    await loading
    return known.has(path)
  }
}

/**
 * Limits callers of unknown paths per network, before a body is read. Calls to a known path are never limited
 * here.
 */
export function limitUnknownPaths(channels: Pick<Set<string>, 'has'>, load: () => Promise<string[]>) {
  const isKnownPath = createWebhookPathCache(load)
  const unknownPaths = createRateLimiter({ burst: unknownPerMinute, everyMs: minuteMs / unknownPerMinute })
  return async ({ params, ip }: Pick<FastifyRequest, 'params' | 'ip'>, reply: FastifyReply): Promise<void> => {
    const { channel, token } = params as { channel: string; token?: string }
    if (channels.has(channel) && (token === undefined || (await isKnownPath(token)))) return
    unknownPaths.consumeOrRefuse(network(ip), { header: (name, value) => void reply.header(name, value) })
    refuse('ERR_NOT_FOUND')
  }
}

/**
 * Limits the memory of request bodies until they are answered, over all webhooks. A signature can only be
 * checked on the whole body, so slow senders could fill the memory. Each network has a share. A body without
 * a length counts as the maximum.
 */
export function limitBodyMemory(mostBytes: number, { network: ofNetwork, all } = memoryLimits) {
  const by = new Map<string, number>()
  let used = 0
  return ({ headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>, reply: FastifyReply): void => {
    const bytes = Math.min(Number(headers['content-length'] ?? mostBytes), mostBytes)
    const from = network(ip)
    const own = by.get(from) ?? 0
    if (own + bytes > ofNetwork || used + bytes > all) {
      reply.header('retry-after', '1')
      refuse('ERR_TOO_MANY_REQUESTS', { retryAfter: 1 })
    }
    by.set(from, own + bytes)
    used += bytes
    reply.raw.once('close', () => {
      const left = by.get(from)! - bytes
      if (left > 0) by.set(from, left)
      else by.delete(from)
      used -= bytes
    })
  }
}
