import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { sql } from 'kysely'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ErrorCode } from '#domain/errors.ts'
import { prefixOf } from '#domain/stream.ts'
import { followers as known } from '../areas.ts'
import { within } from '../eventlog/patience.ts'
import type { House } from '../house.ts'
import { countBroken, countConnections, webhookEvents } from './counts.ts'
import { watches } from './insider.ts'
import { refusalText } from './refusals.ts'
import { base } from './serve.ts'

/** Less than a proxy or a supervisor waits. */
const patienceMs = 2000

type Deps = Pick<House, 'db' | 'log' | 'settings' | 'stores'>

/**
 * `/api/health`: the process lives, and to who watches over it where each follower stands. `/api/ready`: it can serve, for its stores answer.
 * `/metrics`: all of that for Prometheus, with times and counts. A follower that stands still is no reason to take the webs away.
 */
export function mountHealth(server: FastifyInstance, house: Deps): void {
  const { db, log, settings, stores } = house
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  registry.registerMetric(webhookEvents)
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
  const standing = gauge('guiche_connections', 'Connections of all companies, by how they stand.', 'status')
  const broken = gauge('guiche_histories_broken', 'Tickets whose history was found to be no good, by the reason.', 'reason')
  const gone = gauge('guiche_connections_away', 'Connections that are away though nobody ended them, by the reason.', 'reason')

  server.addHook('onResponse', async ({ method, routeOptions }, reply) =>
    calls.observe({ method, route: routeOptions.url ?? 'unknown', status: reply.statusCode }, reply.elapsedTime / 1000),
  )

  async function followers() {
    const [heads, rows, parked] = await Promise.all([
      Promise.all(
        [...new Set(known.map(({ of }) => prefixOf(of)))].map(async (prefix) => [prefix, (await log.head(prefix)) ?? 0n] as const),
      ),
      db.selectFrom('checkpoint').select(['name', 'position', 'eventAt', 'appliedAt']).execute(),
      db
        .selectFrom('parked')
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
    const inside = watches(request, settings.metricsToken) && { roles: settings.roles, followers: await followers().catch(() => []) }
    return reply.send({ alive: true, ...inside })
  })

  /** Which stores do not answer in time. */
  async function away(): Promise<string[]> {
    const looks = Object.entries(stores).map(([store, ask]) =>
      within(ask(), patienceMs, `an answer of ${store}`).then(
        () => [],
        () => [store],
      ),
    )
    return (await Promise.all(looks)).flat()
  }
  server.get(`${base}/ready`, { schema: { hide: true }, config: { rateLimit: false } }, async (request, reply) => {
    const lacks = await away()
    const inside = watches(request, settings.metricsToken) && { away: lacks }
    return reply.code(lacks.length === 0 ? 200 : 503).send({ ready: lacks.length === 0, ...inside })
  })

  server.get('/metrics', { schema: { hide: true }, config: { rateLimit: false } }, async (request, reply) => {
    if (!watches(request, settings.metricsToken)) {
      const message = refusalText('ERR_NO_PERMISSION', request.headers['accept-language'])
      return reply.code(403).send({ error: 'ERR_NO_PERMISSION' satisfies ErrorCode, message })
    }
    const found = await followers().catch(() => [])
    for (const one of found) {
      lag.set({ name: one.name }, one.lag)
      parked.set({ name: one.name }, one.parked)
      age.set({ name: one.name }, (Date.now() - Date.parse(one.appliedAt)) / 1000)
    }
    const lacks = await away()
    for (const store of Object.keys(stores)) here.set({ store }, lacks.includes(store) ? 0 : 1)
    const { rows } = await sql<{ table: string; n: number }>`
      select 'journal' as table, count(*) as n from journal where done_at is null
      union all select 'outbox', count(*) from outbox where state = 'waiting'
      union all select 'set aside', count(*) from journal where refused is not null and heard is not null`
      .execute(db)
      .catch(() => ({ rows: [] }))
    for (const { table, n } of rows) waiting.set({ table }, Number(n))
    broken.reset()
    for (const { reason, n } of await countBroken(db).catch(() => [])) broken.set({ reason: reason ?? 'unknown' }, Number(n))
    const connections = await countConnections(db).catch(() => ({ standing: [], gone: [] }))
    for (const one of [standing, gone]) one.reset()
    for (const { status, n } of connections.standing) standing.set({ status }, Number(n))
    for (const { why, n } of connections.gone) gone.set({ reason: why }, Number(n))
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

/** What a process without the web role answers. */
export function openHealthServer(house: Deps & Pick<House, 'logger'>): FastifyInstance {
  const server = Fastify({
    loggerInstance: house.logger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
  })
  mountHealth(server as never, house)
  return server as never
}
