import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']
const loopback = /^(127\.|::1$|::ffff:127\.)/

/** Any other name may be one that a page of somebody else has had pointed at this machine. */
const ownNames = /^(localhost|127(\.\d{1,3}){3}|\[(::1|::ffff:127(\.\d{1,3}){3}|::ffff:7f[\da-f]{2}:[\da-f]{1,4})\])(:\d{1,5})?$/i

/** Asked on this machine itself and by its own name, by no proxy for somebody else. */
export const isLocal = ({ raw, headers }: FastifyRequest): boolean =>
  loopback.test(raw.socket.remoteAddress ?? '') &&
  ownNames.test(headers.host ?? '') &&
  !forwarding.some((name) => headers[name] !== undefined)

/** Whoever watches over the process: who has the token of METRICS_TOKEN, or sits at this machine. */
export function isOperator(request: FastifyRequest, token: string | null): boolean {
  const given = Buffer.from(/^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '')
  const wanted = Buffer.from(token ?? '')
  return (token !== null && given.length === wanted.length && timingSafeEqual(given, wanted)) || isLocal(request)
}
