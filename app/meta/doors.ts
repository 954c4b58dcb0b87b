import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '#domain/errors.ts'
import { network } from '../http/connections.ts'
import { createRateLimiter } from '../http/rate-limiter.ts'

const gatherMs = 250
const wrongPerMinute = 60
/** Bytes of bodies. Meta's have a few thousand each. */
const buffered = { network: 16 * 1024 * 1024, all: 64 * 1024 * 1024 }

/**
 * Which ends of addresses are a connection's, held by the process. Who names another waits for the next look, of which there are few a
 * second however many ask: a new connection is known at once, and a flood of made-up ones costs no more than one.
 */
export function knownDoors(load: () => Promise<string[]>, everyMs = gatherMs) {
  let known = new Set<string>()
  let looked = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | null = null
  async function look(): Promise<void> {
    const rests = looked + everyMs - performance.now()
    if (rests > 0) await new Promise((next) => setTimeout(next, rests))
    looked = performance.now()
    known = new Set(await load())
  }
  return async (door: string): Promise<boolean> => {
    if (known.has(door)) return true
    looking ??= look().finally(() => {
      looking = null
    })
    await looking
    return known.has(door)
  }
}

/** Strangers who try made-up addresses are held by their network, each try before anything of theirs is read; whoever comes to one that is there is never held for it. */
export function strangersAtDoors(channels: Pick<Set<string>, 'has'>, load: () => Promise<string[]>) {
  const knows = knownDoors(load)
  const strangers = createRateLimiter({ burst: wrongPerMinute, everyMs: 60_000 / wrongPerMinute })
  return async ({ params, ip }: Pick<FastifyRequest, 'params' | 'ip'>, reply: FastifyReply): Promise<void> => {
    const { channel, token } = params as { channel: string; token?: string }
    if (channels.has(channel) && (token === undefined || (await knows(token)))) return
    strangers.take(network(ip), { header: (name, value) => void reply.header(name, value) })
    refuse('ERR_NOT_FOUND')
  }
}

/**
 * Room for bodies while they come in and until they are answered, over all doors: a signature is looked at when the whole is here, and who
 * sends slowly could fill the memory until then. Each network has a part of it. A body without a length may be as long as any.
 */
export function roomForBodies(mostBytes: number, { network: ofNetwork, all } = buffered) {
  const by = new Map<string, number>()
  let taken = 0
  return ({ headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>, reply: FastifyReply): void => {
    const bytes = Math.min(Number(headers['content-length'] ?? mostBytes), mostBytes)
    const from = network(ip)
    const own = by.get(from) ?? 0
    if (own + bytes > ofNetwork || taken + bytes > all) {
      reply.header('retry-after', '1')
      refuse('ERR_TOO_MANY_REQUESTS', { retryAfter: 1 })
    }
    by.set(from, own + bytes)
    taken += bytes
    reply.raw.once('close', () => {
      const left = by.get(from)! - bytes
      if (left > 0) by.set(from, left)
      else by.delete(from)
      taken -= bytes
    })
  }
}
