import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import jwt from '@fastify/jwt'
import multipart from '@fastify/multipart'
import proxyAddr from '@fastify/proxy-addr'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { Refusal } from '#domain/errors.ts'
import type { ViewerCache } from '../session/viewers.ts'
import { type Connections, limitConnections } from './connections.ts'
import { refusalFor } from './error-handler.ts'
import { answerFailures, onClientError, sendRefusal } from './failure-replies.ts'
import { describe, type Shapes } from './openapi.ts'
import { authenticateRequests, longestBodyMs, receiveFiles } from './request-hooks.ts'
import { createValidatorCompiler, serializerCompiler } from './response-serializer.ts'
import { bodies } from './serve.ts'
import { webhookLimits } from './webhooks.ts'

type Options = {
  logger: FastifyBaseLogger
  secret: Buffer
  viewerCache: ViewerCache
  uploadDir: string
  /** Rejects while no file can be stored, because the disk of `uploadDir` is full. */
  assertDisk: () => Promise<unknown>
  trustProxy: string
  /** Schema names for /docs; null: /docs is disabled. */
  docs: Shapes | null
  /** Per user, with bursts of three times as many; 0: no limit. */
  callsPerSecond?: number
  strangersPerMinute?: number
}

/** Timeouts of a connection in milliseconds. */
const times = { headers: 15_000, idle: 120_000, kept: 72_000 }

/** Creates the Fastify server with all shared hooks: authentication, limits and error responses. */
export async function openServer({
  logger,
  secret,
  viewerCache,
  uploadDir,
  assertDisk,
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
    requestTimeout: longestBodyMs,
    keepAliveTimeout: times.kept,
    http: { headersTimeout: times.headers, connectionsCheckingInterval: 5000 },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    trustProxy,
    forceCloseConnections: 'idle', // requests in flight are answered before the server closes
    frameworkErrors: (error, request, reply) => void sendRefusal(request, reply, refusalFor(error)), // a malformed URL reaches no route
    clientErrorHandler: onClientError,
  })

  compileSchemas(server)
  await registerPlugins(server, { secret, strangersPerMinute })
  const limitStranger = createStrangerLimit(server)
  const webhooks = webhookLimits()
  const trusted = proxyAddr.compile(trustProxy.split(/\s*,\s*/))
  const connections = limitConnections(server.server, (address) => trusted(address, 0))
  if (docs) await describe(server, docs)

  server.decorate('known', connections.markSignedIn)
  server.decorate('limitStranger', limitStranger)
  authenticateRequests(server, { viewerCache, connections, webhooks, limitStranger, callsPerSecond })
  receiveFiles(server, uploadDir, assertDisk)
  answerFailures(server)
  logResponses(server, webhooks, connections)
  return server
}

/** Multipart bodies are validated after their files are received. */
function compileSchemas(server: FastifyInstance): void {
  const uploads = new Set<string>()
  server.setValidatorCompiler(createValidatorCompiler((url) => uploads.has(url)))
  server.setSerializerCompiler(serializerCompiler)
  server.addHook('onRoute', ({ config, url }) => {
    if (config?.call?.upload) uploads.add(url)
  })
}

async function registerPlugins(
  server: FastifyInstance,
  { secret, strangersPerMinute }: Pick<Options, 'secret'> & { strangersPerMinute: number },
) {
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
}

/** Creates the limit for anonymous callers, by address. */
function createStrangerLimit(server: FastifyInstance) {
  const checkAnonymousLimit = server.createRateLimit()
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const found = await checkAnonymousLimit(request)
    if (found.isAllowed || !found.isExceeded) return
    reply.headers({ 'retry-after': found.ttlInSeconds, connection: 'close' })
    throw new Refusal('ERR_TOO_MANY_REQUESTS')
  }
}

function logResponses(server: FastifyInstance, webhooks: ReturnType<typeof webhookLimits>, connections: Connections): void {
  server.addHook('onResponse', async (request, reply) => {
    if (webhooks.isWebhook(request)) webhooks.after(request, reply, () => connections.markSignedIn(request.raw.socket))
    const { url: route = 'unknown', config } = request.routeOptions
    const who = request.viewer && { companyId: request.viewer.companyId, userId: request.viewer.id }
    const line = { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime), ...who }
    request.log[config.call ? 'info' : 'debug'](line, 'Request completed') // the route pattern, never the query
  })
}

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
