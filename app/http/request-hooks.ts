import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Call } from '#domain/contract.ts'
import { minuteMs } from '#domain/duration/rules.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import type { ViewerCache } from '../session/viewers.ts'
import { type Connections, closeWithError } from './connections.ts'
import { createRateLimiter } from './rate-limiter.ts'
import { bearer, commandId, isCommandId } from './request-headers.ts'
import { base } from './serve.ts'
import { receiveUploads } from './uploads.ts'
import type { webhookLimits } from './webhooks.ts'

/** How long a body may take, in milliseconds. */
const bodyTimes = { usual: 20_000, upload: 10 * minuteMs }
export const longestBodyMs = bodyTimes.upload

type Session = Awaited<ReturnType<ViewerCache['ofToken']>>
type Deps = {
  viewerCache: ViewerCache
  connections: Connections
  webhooks: ReturnType<typeof webhookLimits>
  limitStranger: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
  /** Per user, with bursts of three times as many; 0: no limit. */
  callsPerSecond: number
}

/** Identifies the caller of each request and applies the limits, before the body is read. */
export function authenticateRequests(
  server: FastifyInstance,
  { viewerCache, connections, webhooks, limitStranger, callsPerSecond }: Deps,
): void {
  const userLimit = callsPerSecond > 0 ? createRateLimiter({ burst: 3 * callsPerSecond, everyMs: 1000 / callsPerSecond }) : null
  server.decorateRequest('viewer', null)
  server.decorateRequest('sessionId', null)
  server.decorateRequest('language', '')
  server.decorateRequest('commandId', '')
  server.decorateRequest('uploads', null as never)
  server.addHook('onRequest', async (request, reply) => {
    const bodyTimeout = startBodyTimeout(request, reply)
    setHeaders(request, reply)
    const token = bearer(request.headers.authorization)
    const session = token && request.url.startsWith(base) ? await viewerCache.ofToken(token) : null
    identify(request, session)
    const { call } = request.routeOptions.config
    if (session) {
      connections.markSignedIn(request.raw.socket)
      if (call?.upload && request.isMultipart()) bodyTimeout.extend()
      if (!request.url.startsWith(`${base}/sandbox/`))
        userLimit?.consumeOrRefuse(session.viewer.id, { header: (name, value) => void reply.header(name, value) })
    } else if (webhooks.isWebhook(request)) webhooks.before(request, reply)
    // static files are not counted, because an office shares an address
    else if (call) await limitStranger(request, reply)
    if (session && call && call.method !== 'GET' && !isCommandId(request.headers['x-command-id']))
      // if a malformed id were ignored, a retry would execute the command twice
      throw new Refusal('ERR_INVALID_INPUT', { field: 'x-command-id', rule: 'pattern' })
    if (session?.expired && !(call && isAllowedWhenExpired(call))) throw new Refusal('ERR_SUBSCRIPTION_EXPIRED')
  })
}

/** Receives the files of an upload after its call has allowed them. Without room on the disk it refuses before it reads them. */
export function receiveFiles(server: FastifyInstance, uploadDir: string, assertDisk: () => Promise<unknown>): void {
  server.addHook('preValidation', async (request, reply) => {
    const { call, first } = request.routeOptions.config
    if (!call?.upload || !request.isMultipart()) return
    const { viewer, commandId } = request
    const limits = await first!({ viewer: viewer!, params: numbers(request.params), commandId })
    await assertDisk().catch(() => refuse('ERR_DISK_FULL'))
    await receiveUploads(request, reply, uploadDir, limits)
  })
}

function startBodyTimeout(request: FastifyRequest, reply: FastifyReply): { extend: () => void } {
  const start = (ms: number) => setTimeout(() => closeSlowRequest(request, reply), ms).unref()
  let timeout = start(bodyTimes.usual)
  request.raw.once('close', () => clearTimeout(timeout))
  return {
    /** An upload may take longer. */
    extend(): void {
      clearTimeout(timeout)
      timeout = start(bodyTimes.upload)
    },
  }
}

/** Stops waiting for a body after the time limit, also if the response was sent before the body arrived. */
function closeSlowRequest({ raw, headers, language }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete) return
  if (reply.sent) raw.socket.destroy()
  else closeWithError(raw.socket, 408, 'ERR_TOO_SLOW', headers['accept-language'], language)
}

function setHeaders({ url, protocol }: FastifyRequest, reply: FastifyReply): void {
  reply.header('permissions-policy', permissions)
  if (url.startsWith(base)) reply.header('cache-control', 'no-store')
  if (protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
}

function identify(request: FastifyRequest, session: Session | null): void {
  request.viewer = session?.viewer ?? null
  request.sessionId = session?.sessionId ?? null
  request.language = session?.viewer.companyLanguage ?? ''
  request.commandId = commandId(request)
  request.uploads = []
}

/** Calls that stay allowed for a company whose subscription has expired (A-AUTH-06). */
const isAllowedWhenExpired = ({ method, path }: Call): boolean =>
  /^\/(auth|version)/.test(path) || (method === 'GET' && /^\/(settings?|public-settings|companySetting\w*)(\/|$)/.test(path))

const numbers = (params: unknown) =>
  Object.fromEntries(Object.entries(params as object).map(([name, text]) => [name, /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0]))

/** The features that the client uses: voice recording and the camera. */
const permissions = 'camera=(self), microphone=(self), geolocation=(), payment=(), usb=(), browsing-topics=()'
