import type { Socket } from 'node:net'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import jwt from '@fastify/jwt'
import multipart from '@fastify/multipart'
import proxyAddr from '@fastify/proxy-addr'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Call } from '#domain/contract.ts'
import { minuteMs } from '#domain/duration/rules.ts'
import { Refusal } from '#domain/errors.ts'
import type { ViewerCache } from '../session/viewers.ts'
import { closeWithError, limitConnections } from './connections.ts'
import { refusalFor, refusalText } from './error-handler.ts'
import { describe, type Shapes } from './openapi.ts'
import { createRateLimiter } from './rate-limiter.ts'
import { createValidatorCompiler, serializerCompiler } from './response-serializer.ts'
import { base, bodies } from './serve.ts'
import { receiveUploads } from './uploads.ts'
import { webhookLimits } from './webhooks.ts'

type Options = {
  logger: FastifyBaseLogger
  secret: Buffer
  viewerCache: ViewerCache
  uploadDir: string
  trustProxy: string
  /** Schema names for /docs; null: /docs is disabled. */
  docs: Shapes | null
  /** Per user, with bursts of three times as many; 0: no limit. */
  callsPerSecond?: number
  strangersPerMinute?: number
}

/** Timeouts of a connection in milliseconds. */
const times = { headers: 15_000, body: 20_000, upload: 10 * minuteMs, idle: 120_000, kept: 72_000 }

/** Creates the Fastify server with all shared hooks: authentication, limits and error responses. */
export async function openServer({
  logger,
  secret,
  viewerCache,
  uploadDir,
  trustProxy,
  docs,
  callsPerSecond = 0,
  strangersPerMinute = 600,
}: Options): Promise<FastifyInstance> {
  const server = Fastify({
    loggerInstance: logger.child({}, { serializers: { req: ({ method }) => ({ method }), res: ({ statusCode }) => ({ statusCode }) } }),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodies.usual,
    connectionTimeout: times.idle,
    requestTimeout: times.upload,
    keepAliveTimeout: times.kept,
    http: { headersTimeout: times.headers, connectionsCheckingInterval: 5000 },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    trustProxy,
    forceCloseConnections: 'idle', // requests in flight are answered before the server closes
    frameworkErrors: (error, request, reply) => void sendRefusal(request, reply, refusalFor(error)), // a malformed URL reaches no route
    clientErrorHandler: onClientError,
  })

  const uploads = new Set<string>()
  server.setValidatorCompiler(createValidatorCompiler((url) => uploads.has(url)))
  server.setSerializerCompiler(serializerCompiler)
  server.addHook('onRoute', ({ config, url }) => {
    if (config?.call?.upload) uploads.add(url)
  })

  await server.register(helmet, {
    contentSecurityPolicy: { useDefaults: true, directives: policy },
    crossOriginEmbedderPolicy: false,
    frameguard: { action: 'deny' },
    hsts: false,
  })
  await server.register(cookie)
  await server.register(jwt, { secret, sign: { algorithm: 'HS256', expiresIn: '15m' }, verify: { algorithms: ['HS256'] } })
  await server.register(multipart, { limits: { fileSize: 64 * 1024 * 1024, files: 20, fields: 50, fieldSize: 64 * 1024 } })
  /**
   * Only anonymous callers are limited by address, before their body is read. Signed-in users have a limit of
   * their own.
   */
  await server.register(rateLimit, { global: false, max: strangersPerMinute, ipv6Subnet: 64 })
  const checkAnonymousLimit = server.createRateLimit()
  const userLimit = callsPerSecond > 0 ? createRateLimiter({ burst: 3 * callsPerSecond, everyMs: 1000 / callsPerSecond }) : null
  const webhooks = webhookLimits()
  const trusted = proxyAddr.compile(trustProxy.split(/\s*,\s*/))
  const connections = limitConnections(server.server, (address) => trusted(address, 0))
  if (docs) await describe(server, docs)

  server.decorate('known', connections.markSignedIn)
  server.decorate('limitStranger', limitStranger)
  server.decorateRequest('viewer', null)
  server.decorateRequest('sessionId', null)
  server.decorateRequest('language', '')
  server.decorateRequest('commandId', '')
  server.decorateRequest('uploads', null as never)
  server.addHook('onRequest', async (request, reply) => {
    const startBodyTimeout = (ms: number) => setTimeout(() => closeSlowRequest(request, reply), ms).unref()
    let bodyTimeout = startBodyTimeout(times.body)
    request.raw.once('close', () => clearTimeout(bodyTimeout))
    reply.header('permissions-policy', permissions)
    if (request.url.startsWith(base)) reply.header('cache-control', 'no-store')
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
    const token = bearer(request.headers.authorization)
    const session = token && request.url.startsWith(base) ? await viewerCache.ofToken(token) : null
    request.viewer = session?.viewer ?? null
    request.sessionId = session?.sessionId ?? null
    request.language = session?.viewer.companyLanguage ?? ''
    request.commandId = commandId(request)
    request.uploads = []
    if (session) {
      connections.markSignedIn(request.raw.socket)
      if (request.routeOptions.config.call?.upload && request.isMultipart()) {
        clearTimeout(bodyTimeout)
        bodyTimeout = startBodyTimeout(times.upload) // an upload may take longer
      }
      if (!request.url.startsWith(`${base}/sandbox/`))
        userLimit?.consumeOrRefuse(session.viewer.id, { header: (name, value) => void reply.header(name, value) })
    } else if (webhooks.isWebhook(request)) webhooks.before(request, reply)
    // static files are not counted, because an office shares an address
    else if (request.routeOptions.config.call) await limitStranger(request, reply)
    const { call } = request.routeOptions.config
    if (session && call && call.method !== 'GET' && !isCommandId(request.headers['x-command-id']))
      // if a malformed id were ignored, a retry would execute the command twice
      throw new Refusal('ERR_INVALID_INPUT', { field: 'x-command-id', rule: 'pattern' })
    if (session?.expired && !(call && isAllowedWhenExpired(call))) throw new Refusal('ERR_SUBSCRIPTION_EXPIRED')
  })
  async function limitStranger(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const found = await checkAnonymousLimit(request)
    if (found.isAllowed || !found.isExceeded) return
    reply.headers({ 'retry-after': found.ttlInSeconds, connection: 'close' })
    throw new Refusal('ERR_TOO_MANY_REQUESTS')
  }
  server.addHook('preValidation', async (request, reply) => {
    const { call, first } = request.routeOptions.config
    if (!call?.upload || !request.isMultipart()) return
    const { viewer, commandId } = request
    await receiveUploads(request, reply, uploadDir, await first!({ viewer: viewer!, params: numbers(request.params), commandId }))
  })

  server.setErrorHandler((error: Error & { code?: string; statusCode?: number; validation?: unknown[] }, request, reply) => {
    const refusal = isAborted(request) ? new Refusal('ERR_INVALID_INPUT') : refusalFor(error, request.routeOptions.config.call)
    const of = { err: error, route: request.routeOptions.url, method: request.method }
    if (refusal.code === 'ERR_BUSY') request.log.warn(of, 'Request timed out waiting for a database lock')
    else if (refusal.code === 'ERR_UNAVAILABLE')
      // the store monitor logs the error itself
      request.log.warn({ ...of, err: undefined, why: error.message }, 'Request failed; a store is unavailable')
    else if (refusal.status >= 500) request.log.error(of, 'Request failed')
    discardBody(request, isStale(server, request) ? bodies.stale : bodies.usual)
    return sendRefusal(request, reply, refusal)
  })
  server.setNotFoundHandler((request, reply) => {
    discardBody(request, bodies.usual)
    return sendRefusal(request, reply, new Refusal('ERR_NOT_FOUND'))
  })
  server.addHook('onResponse', async (request, reply) => {
    if (webhooks.isWebhook(request)) webhooks.after(request, reply, () => connections.markSignedIn(request.raw.socket))
    const { url: route = 'unknown', config } = request.routeOptions
    const who = request.viewer && { companyId: request.viewer.companyId, userId: request.viewer.id }
    const line = { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime), ...who }
    request.log[config.call ? 'info' : 'debug'](line, 'Request completed') // the route pattern, never the query
  })
  return server
}

/** Calls that stay allowed for a company whose subscription has expired (A-AUTH-06). */
const isAllowedWhenExpired = ({ method, path }: Call): boolean =>
  /^\/(auth|version)/.test(path) || (method === 'GET' && /^\/(settings?|public-settings|companySetting\w*)(\/|$)/.test(path))

/** Malformed, oversized or slow input never becomes a request. */
function onClientError({ code = '' }: Error & { code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET') socket.destroy()
  else if (code === 'HPE_HEADER_OVERFLOW') closeWithError(socket, 431, 'ERR_TOO_LARGE')
  else if (code.endsWith('REQUEST_TIMEOUT')) closeWithError(socket, 408, 'ERR_TOO_SLOW')
  else closeWithError(socket, 400, 'ERR_INVALID_INPUT')
}
/** Stops waiting for a body after the time limit, also if the response was sent before the body arrived. */
function closeSlowRequest({ raw, headers, language }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete) return
  if (reply.sent) raw.socket.destroy()
  else closeWithError(raw.socket, 408, 'ERR_TOO_SLOW', headers['accept-language'], language)
}
/**
 * Discards the rest of a refused body, so that the sender can read the response. Beyond `most` bytes the
 * connection is closed.
 */
function discardBody({ raw }: FastifyRequest, most: number): void {
  if (raw.complete || raw.readableDidRead) return
  let discarded = 0
  raw.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > most) raw.socket.destroy()
  })
}

const sendRefusal = ({ headers, language }: FastifyRequest, reply: FastifyReply, { which, status, code, detail }: Refusal) =>
  reply.code(status).send({ ...detail, error: code, message: refusalText(which, headers['accept-language'], language, detail) })

/** A caller who disconnects during a request is not a server error. */
const isAborted = ({ raw }: FastifyRequest) => raw.destroyed && !raw.complete

/**
 * Returns whether the token is valid but expired. The client repeats the request with a new token after the
 * response.
 */
function isStale(server: FastifyInstance, { headers }: FastifyRequest): boolean {
  const token = bearer(headers.authorization)
  if (!token) return false
  try {
    return Boolean(server.jwt.verify(token, { ignoreExpiration: true }))
  } catch {
    return false
  }
}

export const bearer = (header: string | undefined) => /^Bearer ([\w.-]+)$/i.exec(header ?? '')?.[1] ?? null

const isCommandId = (given: string | string[] | undefined) => given === undefined || /^[\w-]{8,64}$/.test(String(given))
const commandId = ({ headers: { 'x-command-id': given } }: FastifyRequest): string =>
  typeof given === 'string' && isCommandId(given) ? given : crypto.randomUUID()

const numbers = (params: unknown) =>
  Object.fromEntries(Object.entries(params as object).map(([name, text]) => [name, /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0]))
/** The features that the client uses: voice recording and the camera. */
const permissions = 'camera=(self), microphone=(self), geolocation=(), payment=(), usb=(), browsing-topics=()'
const policy = {
  'default-src': ["'self'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'media-src': ["'self'", 'blob:'],
  'connect-src': ["'self'"],
  'font-src': ["'self'"],
  'frame-src': ['https://www.youtube-nocookie.com'],
  'frame-ancestors': ["'none'"],
  'upgrade-insecure-requests': null,
}
