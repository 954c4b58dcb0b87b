import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']
const loopback = /^(127\.|::1$|::ffff:127\.)/

/** Asked on this machine itself, by no proxy for somebody else. */
export const isLocal = ({ raw, headers }: FastifyRequest): boolean =>
  loopback.test(raw.socket.remoteAddress ?? '') && !forwarding.some((name) => headers[name] !== undefined)

/** Whoever watches over the process: who has the token of METRICS_TOKEN, or sits at this machine. */
export function watches(request: FastifyRequest, token: string | null): boolean {
  const given = Buffer.from(/^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '')
  const wanted = Buffer.from(token ?? '')
  return (token !== null && given.length === wanted.length && timingSafeEqual(given, wanted)) || isLocal(request)
}
