import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { ErrorCode } from '#domain/errors.ts'
import type { AppContext } from '../context.ts'
import { refusalText } from '../http/error-handler.ts'
import { isOperator } from '../http/operator-access.ts'
import { base } from '../http/serve.ts'
import { readFollowers } from './followers.ts'
import { createMetrics, type ObservedContext } from './registry.ts'
import { findUnavailableStores, orFallback } from './stores.ts'

/** Stores without which a web process still answers its calls: jobs wait, and calls with files are refused. */
const optionalForWeb = new Set(['Redis', 'Disk', 'S3'])

/**
 * `/api/health`: the process is alive; operators also see the position of each processor, the waiting jobs and the stores that are down.
 * `/api/ready`: the process can serve, because the stores that its roles need answer. `/metrics`: the same for Prometheus, with times and
 * counts. A stalled processor does not make a web process unready (A-READY-01).
 */
export function mountHealth(server: FastifyInstance, ctx: ObservedContext): void {
  const { config, jobs } = ctx
  const metrics = createMetrics(ctx)
  server.addHook('onResponse', async ({ method, routeOptions }, reply) =>
    metrics.observeCall({ method, route: routeOptions.url ?? 'unknown', status: reply.statusCode }, reply.elapsedTime / 1000),
  )

  async function readDetails() {
    const [followers, waiting, away] = await Promise.all([
      orFallback(readFollowers(ctx), []),
      orFallback(jobs.countWaiting(), null),
      findUnavailableStores(ctx),
    ])
    return { roles: config.roles, followers, jobs: { waiting, unsent: jobs.countUnsent() }, away }
  }
  server.get(`${base}/health`, { schema: { hide: true }, config: { rateLimit: false } }, async (request, reply) => {
    const details = isOperator(request, config.metricsToken) && (await readDetails())
    return reply.send({ alive: true, ...details })
  })

  const isOptional = (store: string) => config.roles.includes('web') && optionalForWeb.has(store)
  server.get(`${base}/ready`, { schema: { hide: true }, config: { rateLimit: false } }, async (request, reply) => {
    const unavailable = await findUnavailableStores(ctx)
    const ready = unavailable.every(isOptional)
    const details = isOperator(request, config.metricsToken) && { away: unavailable }
    return reply.code(ready ? 200 : 503).send({ ready, ...details })
  })

  server.get('/metrics', { schema: { hide: true }, config: { rateLimit: false } }, async (request, reply) => {
    if (!isOperator(request, config.metricsToken)) {
      const message = refusalText('ERR_NO_PERMISSION', request.headers['accept-language'])
      return reply.code(403).send({ error: 'ERR_NO_PERMISSION' satisfies ErrorCode, message })
    }
    return reply.type(metrics.contentType).send(await metrics.read())
  })
}

/** The HTTP server of a process without the web role. */
export function openHealthServer(ctx: ObservedContext & Pick<AppContext, 'logger'>): FastifyInstance {
  const server = Fastify({
    loggerInstance: ctx.logger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
  })
  mountHealth(server as never, ctx)
  return server as never
}
