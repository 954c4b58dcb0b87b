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
import { countBroken, countConnections, countHands, countWaiting, webhookEvents } from './metrics.ts'

/** Less than a proxy or a supervisor waits. */
const timeoutMs = 2000

type Deps = Pick<AppContext, 'db' | 'eventStore' | 'config' | 'healthChecks'>

/** What is not known in time is left out: a store that says nothing must not make this process look dead. */
const soon = <T>(asked: Promise<T>, instead: T): Promise<T> => withTimeout(asked, timeoutMs, 'an answer').catch(() => instead)

/**
 * `/api/health`: the process lives, and to who watches over it where each follower stands. `/api/ready`: it can serve, for its stores answer.
 * `/metrics`: all of that for Prometheus, with times and counts. A follower that stands still is no reason to take the webs away.
 */
export function mountHealth(server: FastifyInstance, ctx: Deps): void {
  const { db, eventStore, config, healthChecks } = ctx
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  registry.registerMetric(webhookEvents)
  registry.registerMetric(unknownKinds)
  const calls = new Histogram({
    name: 'guiche_call_seconds',
    help: 'Time to the answer of a call.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  })
  const gauge = (name: string, help: string, label: string) => new Gauge({ name, help, labelNames: [label], registers: [registry] })
  const lag = gauge('guiche_follower_lag', 'Positions between the head of the log and a follower.', 'name')
  const age = gauge('guiche_follower_age_seconds', 'Since a follower last applied a page.', 'name')
  const parked = gauge('guiche_parked', 'Streams that a follower waits with, each at an event that it cannot apply.', 'name')
  const here = gauge('guiche_store_up', '1 while a store answers.', 'store')
  const waiting = gauge('guiche_waiting', 'Rows that wait, by table.', 'table')
  const oldest = gauge('guiche_waiting_seconds', 'Since when the oldest of the rows waits that may be dealt with now, by table.', 'table')
  const standing = gauge('guiche_connections', 'Connections of all companies, by how they stand.', 'status')
  const broken = gauge('guiche_histories_broken', 'Tickets whose history was found to be no good, by the reason.', 'reason')
  const workers = new Gauge({ name: 'guiche_workers', help: 'Workers that live, of all processes.', registers: [registry] })
  const anchor = new Gauge({ name: 'guiche_anchor_age_seconds', help: 'Since the newest anchor was made.', registers: [registry] })
  const gone = gauge('guiche_connections_away', 'Connections that are away though nobody ended them, by the reason.', 'reason')

  server.addHook('onResponse', async ({ method, routeOptions }, reply) =>
    calls.observe({ method, route: routeOptions.url ?? 'unknown', status: reply.statusCode }, reply.elapsedTime / 1000),
  )

  async function followers() {
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

  server.get(`${base}/health`, { schema: { hide: true }, config: { rateLimit: false } }, async (request, reply) => {
    const inside = isOperator(request, config.metricsToken) && { roles: config.roles, followers: await soon(followers(), []) }
    return reply.send({ alive: true, ...inside })
  })

  /** Which stores do not answer in time. */
  async function away(): Promise<string[]> {
    const looks = Object.entries(healthChecks).map(([store, ask]) =>
      withTimeout(ask(), timeoutMs, `an answer of ${store}`).then(
        () => [],
        () => [store],
      ),
    )
    return (await Promise.all(looks)).flat()
  }
  server.get(`${base}/ready`, { schema: { hide: true }, config: { rateLimit: false } }, async (request, reply) => {
    const lacks = await away()
    const inside = isOperator(request, config.metricsToken) && { away: lacks }
    return reply.code(lacks.length === 0 ? 200 : 503).send({ ready: lacks.length === 0, ...inside })
  })

  server.get('/metrics', { schema: { hide: true }, config: { rateLimit: false } }, async (request, reply) => {
    if (!isOperator(request, config.metricsToken)) {
      const message = refusalText('ERR_NO_PERMISSION', request.headers['accept-language'])
      return reply.code(403).send({ error: 'ERR_NO_PERMISSION' satisfies ErrorCode, message })
    }
    const none = { standing: [], gone: [] }
    const [found, lacks, rows, unsound, hands, connections] = await Promise.all([
      soon(followers(), []),
      away(),
      soon(countWaiting(db), []),
      soon(countBroken(db), []),
      soon(countHands(db), null),
      soon(countConnections(db), none),
    ])
    for (const one of [lag, parked, age, waiting, oldest, broken, standing, gone]) one.reset() // what was read before is no answer
    for (const one of [workers, anchor]) one.remove() // one without labels would read 0
    for (const { name, lag: behind, parked: n, appliedAt } of found) {
      lag.set({ name }, behind)
      parked.set({ name }, n)
      age.set({ name }, (Date.now() - Date.parse(appliedAt)) / 1000)
    }
    for (const store of Object.keys(healthChecks)) here.set({ store }, lacks.includes(store) ? 0 : 1)
    for (const { table, n, seconds } of rows) {
      waiting.set({ table }, Number(n))
      oldest.set({ table }, Number(seconds ?? 0))
    }
    if (hands) workers.set(Number(hands.workers))
    if (hands?.anchorAge != null) anchor.set(Number(hands.anchorAge))
    for (const { reason, n } of unsound) broken.set({ reason: reason ?? 'unknown' }, Number(n))
    for (const { status, n } of connections.standing) standing.set({ status }, Number(n))
    for (const { why, n } of connections.gone) gone.set({ reason: why }, Number(n))
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

/** What a process without the web role answers. */
export function openHealthServer(ctx: Deps & Pick<AppContext, 'logger'>): FastifyInstance {
  const server = Fastify({
    loggerInstance: ctx.logger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
  })
  mountHealth(server as never, ctx)
  return server as never
}
