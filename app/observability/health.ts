import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ErrorCode } from '#domain/errors.ts'
import { prefixOf } from '#domain/stream.ts'
import { withTimeout } from '../concurrency/retry.ts'
import type { AppContext } from '../context.ts'
import { refusalText } from '../http/error-handler.ts'
import { isOperator } from '../http/operator-access.ts'
import { base } from '../http/serve.ts'
import { unknownKinds } from '../inbound/unknown-kinds.ts'
import { followers as known } from '../modules.ts'
import { countBroken, countConnections, countWaiting, readWorkersAndAnchorAge, webhookEvents } from './metrics.ts'

/** Shorter than the timeouts of proxies and supervisors. */
const timeoutMs = 2000

type Deps = Pick<AppContext, 'db' | 'eventStore' | 'config' | 'healthChecks'>

/** Replaces a late answer by `fallback`, so that a store that hangs does not make this process look dead. */
const orFallback = <T>(answer: Promise<T>, fallback: T): Promise<T> => withTimeout(answer, timeoutMs, 'an answer').catch(() => fallback)

/**
 * `/api/health`: the process is alive; operators also see the position of each processor. `/api/ready`: all stores answer, so the process
 * can serve. `/metrics`: the same for Prometheus, with times and counts. A stalled processor does not make a web process unready.
 */
export function mountHealth(server: FastifyInstance, ctx: Deps): void {
  const { db, config, healthChecks } = ctx
  const metrics = createMetrics()

  server.addHook('onResponse', async ({ method, routeOptions }, reply) =>
    metrics.calls.observe({ method, route: routeOptions.url ?? 'unknown', status: reply.statusCode }, reply.elapsedTime / 1000),
  )

  server.get(`${base}/health`, { schema: { hide: true }, config: { rateLimit: false } }, async (request, reply) => {
    const inside = isOperator(request, config.metricsToken) && { roles: config.roles, followers: await orFallback(followers(ctx), []) }
    return reply.send({ alive: true, ...inside })
  })

  server.get(`${base}/ready`, { schema: { hide: true }, config: { rateLimit: false } }, async (request, reply) => {
    const unavailable = await findUnavailableStores(healthChecks)
    const inside = isOperator(request, config.metricsToken) && { away: unavailable }
    return reply.code(unavailable.length === 0 ? 200 : 503).send({ ready: unavailable.length === 0, ...inside })
  })

  server.get('/metrics', { schema: { hide: true }, config: { rateLimit: false } }, async (request, reply) => {
    if (!isOperator(request, config.metricsToken)) {
      const message = refusalText('ERR_NO_PERMISSION', request.headers['accept-language'])
      return reply.code(403).send({ error: 'ERR_NO_PERMISSION' satisfies ErrorCode, message })
    }
    const none = { standing: [], gone: [] }
    const [found, unavailable, rows, brokenHistories, workersAndAnchor, connections] = await Promise.all([
      orFallback(followers(ctx), []),
      findUnavailableStores(healthChecks),
      orFallback(countWaiting(db), []),
      orFallback(countBroken(db), []),
      orFallback(readWorkersAndAnchorAge(db), null),
      orFallback(countConnections(db), none),
    ])
    report(metrics, { found, unavailable, stores: Object.keys(healthChecks), rows, brokenHistories, workersAndAnchor, connections })
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}

type Metrics = ReturnType<typeof createMetrics>
function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  registry.registerMetric(webhookEvents)
  registry.registerMetric(unknownKinds)
  const calls = new Histogram({
    name: 'guiche_call_seconds',
    help: 'Duration of a call in seconds.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  })
  const gauge = (name: string, help: string, label: string) => new Gauge({ name, help, labelNames: [label], registers: [registry] })
  const lag = gauge('guiche_follower_lag', 'Positions between the head of the event store and a processor.', 'name')
  const age = gauge('guiche_follower_age_seconds', 'Seconds since a processor last applied a page.', 'name')
  const parked = gauge('guiche_parked', 'Streams that are parked for a processor, each at an event that cannot be applied.', 'name')
  const storeUp = gauge('guiche_store_up', '1 while a store answers.', 'store')
  const waiting = gauge('guiche_waiting', 'Waiting rows, by table.', 'table')
  const oldest = gauge('guiche_waiting_seconds', 'Seconds that the oldest row that is due has waited, by table.', 'table')
  const connectionsByState = gauge('guiche_connections', 'Connections of all companies, by state.', 'status')
  const broken = gauge('guiche_histories_broken', 'Tickets whose history failed verification, by reason.', 'reason')
  const workers = new Gauge({ name: 'guiche_workers', help: 'Live workers of all processes.', registers: [registry] })
  const anchor = new Gauge({ name: 'guiche_anchor_age_seconds', help: 'Seconds since the newest anchor was made.', registers: [registry] })
  const connectionsDown = gauge(
    'guiche_connections_away',
    'Connections that are down although nobody disconnected them, by reason.',
    'reason',
  )
  return { registry, calls, lag, age, parked, storeUp, waiting, oldest, connectionsByState, broken, workers, anchor, connectionsDown }
}

async function followers({ db, eventStore }: Pick<Deps, 'db' | 'eventStore'>) {
  const [heads, rows, parked] = await Promise.all([
    Promise.all(
      [...new Set(known.map(({ of }) => prefixOf(of)))].map(
        async (prefix) => [prefix, (await eventStore.readHeadPosition(prefix)) ?? 0n] as const,
      ),
    ),
    db.selectFrom('checkpoint').select(['name', 'position', 'eventAt', 'appliedAt']).execute(),
    db
      .selectFrom('parkedStream')
      .select(['follower', (eb) => eb.fn.countAll<number>().as('n')])
      .groupBy('follower')
      .execute(),
  ])
  const headOf = new Map(heads)
  return rows.flatMap(({ name, position, eventAt, appliedAt }) => {
    const one = known.find((follower) => follower.name === name)
    if (!one) return []
    const lag = Math.max(0, Number(headOf.get(prefixOf(one.of))! - BigInt(position)))
    return [{ name, position, eventAt, appliedAt, lag, parked: parked.find(({ follower }) => follower === name)?.n ?? 0 }]
  })
}

/** Names of the stores that do not answer in time. */
async function findUnavailableStores(healthChecks: Deps['healthChecks']): Promise<string[]> {
  const checks = Object.entries(healthChecks).map(([store, ask]) =>
    withTimeout(ask(), timeoutMs, `an answer of ${store}`).then(
      () => [],
      () => [store],
    ),
  )
  return (await Promise.all(checks)).flat()
}
type Reported = {
  found: Awaited<ReturnType<typeof followers>>
  unavailable: string[]
  stores: string[]
  rows: Awaited<ReturnType<typeof countWaiting>>
  brokenHistories: Awaited<ReturnType<typeof countBroken>>
  workersAndAnchor: Awaited<ReturnType<typeof readWorkersAndAnchorAge>> | null
  connections: Awaited<ReturnType<typeof countConnections>>
}
function report(
  { lag, parked, age, waiting, oldest, broken, connectionsByState, connectionsDown, workers, anchor, storeUp }: Metrics,
  { found, unavailable, stores, rows, brokenHistories, workersAndAnchor, connections }: Reported,
): void {
  // The values of the previous request are outdated.
  for (const one of [lag, parked, age, waiting, oldest, broken, connectionsByState, connectionsDown]) one.reset()
  for (const one of [workers, anchor]) one.remove() // a gauge without labels would report 0
  for (const { name, lag: behind, parked: n, appliedAt } of found) {
    lag.set({ name }, behind)
    parked.set({ name }, n)
    age.set({ name }, (Date.now() - Date.parse(appliedAt)) / 1000)
  }
  for (const store of stores) storeUp.set({ store }, unavailable.includes(store) ? 0 : 1)
  for (const { table, n, seconds } of rows) {
    waiting.set({ table }, Number(n))
    oldest.set({ table }, Number(seconds ?? 0))
  }
  if (workersAndAnchor) workers.set(Number(workersAndAnchor.workers))
  if (workersAndAnchor?.anchorAge != null) anchor.set(Number(workersAndAnchor.anchorAge))
  for (const { reason, n } of brokenHistories) broken.set({ reason: reason ?? 'unknown' }, Number(n))
  for (const { status, n } of connections.standing) connectionsByState.set({ status }, Number(n))
  for (const { why, n } of connections.gone) connectionsDown.set({ reason: why }, Number(n))
}

/** The HTTP server of a process without the web role. */
export function openHealthServer(ctx: Deps & Pick<AppContext, 'logger'>): FastifyInstance {
  const server = Fastify({
    loggerInstance: ctx.logger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
  })
  mountHealth(server as never, ctx)
  return server as never
}
