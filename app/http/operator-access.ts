import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']
const loopback = /^(127\.|::1$|::ffff:127\.)/

/** Any other host name may belong to a foreign page that resolves to this machine (DNS rebinding). */
const ownNames = /^(localhost|127(\.\d{1,3}){3}|\[(::1|::ffff:127(\.\d{1,3}){3}|::ffff:7f[\da-f]{2}:[\da-f]{1,4})\])(:\d{1,5})?$/i

/** Returns whether the request comes from this machine, by a local host name and without a proxy. */
export const isLocal = ({ raw, headers }: FastifyRequest): boolean =>
  loopback.test(raw.socket.remoteAddress ?? '') &&
  ownNames.test(headers.host ?? '') &&
  !forwarding.some((name) => headers[name] !== undefined)

/** Returns whether the caller is an operator: it has `METRICS_TOKEN` or runs on this machine. */
export function isOperator(request: FastifyRequest, token: string | null): boolean {
  const given = Buffer.from(/^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '')
  const wanted = Buffer.from(token ?? '')
  return (token !== null && given.length === wanted.length && timingSafeEqual(given, wanted)) || isLocal(request)
}
