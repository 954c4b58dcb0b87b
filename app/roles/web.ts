import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { Unavailable } from '#app/event-store/event-store.ts'
import { isTransient } from '#app/event-store/transient-errors.ts'
import { notifyTyping } from '../channels/typing.ts'
import type { AppContext } from '../context.ts'
import { demoAccounts } from '../demo/accounts.ts'
import { whoRemain } from '../demo/remain.ts'
import { isLocal } from '../http/operator-access.ts'
import { base } from '../http/serve.ts'
import { openServer } from '../http/server.ts'
import { sweepUploads } from '../http/uploads.ts'
import { createLiveGateway, type Gateway, type SocketSession } from '../live/gateway.ts'
import { mountSockets } from '../live/sockets.ts'
import type { FeatureModule, Rooms } from '../module.ts'
import { modulesFor } from '../modules.ts'
import { mountHealth } from '../observability/health.ts'
import { openPresence } from '../session/presence.ts'
import { type AffectedSessions, rightsAffectedBy, settingsAffectedBy } from '../session/viewers.ts'

/** How long a slow database may take to deliver a notification. */
const barrierTimeoutMs = 10_000

const client = path.resolve(import.meta.dirname, '../../web/dist')

/** Maximum number of rooms of one kind per socket session. */
const maxRooms = 20

/** The web role: HTTP calls, live sockets and the static client. */
export async function openWeb(ctx: AppContext, areas = modulesFor(ctx.config)): Promise<FastifyInstance> {
  const { db, notifications, viewerCache, media, logger, config, systemClock } = ctx
  const server = await openServer({
    logger,
    secret: ctx.secret,
    viewerCache,
    uploadDir: ctx.uploadDir,
    assertDisk: async () => ctx.healthChecks.Disk?.(),
    trustProxy: config.trustProxy,
    docs: config.docs ? Object.assign({}, ...areas.map(({ openApiSchemas: shapes }) => shapes)) : null,
    callsPerSecond: config.userCallsPerSecond,
  })
  ctx.jwt.current = server.jwt
  const rooms: Rooms = Object.assign({}, ...areas.map((area) => area.rooms))
  const topics = areas.flatMap((area) => area.topics?.(ctx) ?? [])
  const { flushNotifications, resolveBarrier } = createNotificationBarriers(db)
  const live = createLiveGateway(
    topics,
    (error) => logger[isTransient(error) ? 'debug' : 'error']({ err: error }, 'Live gateway could not read changed rows'),
    flushNotifications,
  )

  await media.mount(server)
  await sweepUploads(ctx.uploadDir)
  for (const mount of areas.flatMap((area) => area.calls ?? [])) mount(server, ctx)
  const presence = openPresence({ db, clock: systemClock, sessionsOf: live.sessions })
  server.decorate('presence', presence)
  await mountSockets(server, {
    ...{ live, presence, viewerCache, known: server.known },
    async joins(session, name, data) {
      const room = rooms[name]
      const key = room?.of(data) ?? null
      if (!room || key === null || session.rooms[name].has(key) || session.rooms[name].size >= maxRooms) return
      if (!room.may || (await room.may(ctx, session, key))) session.rooms[name].add(key)
    },
    leaves(session, name, data) {
      const key = rooms[name]?.of(data) ?? null
      if (key !== null) session.rooms[name].delete(key)
    },
    works: workHandler(ctx, areas, live),
    async types(session, data) {
      const key = rooms.ChatBox?.of(data) ?? null
      if (key !== null && session.rooms.ChatBox.has(key)) await notifyTyping(db, session.viewer, key as number)
    },
  })
  server.get(`${base}/demo`, { schema: { hide: true } }, async (request, reply) => {
    const known = config.demo && isLocal(request) ? await whoRemain(db) : []
    const accounts = demoAccounts.filter(({ email }) => known.some((one) => one.email === email))
    if (accounts.length === 0) return reply.callNotFound()
    return accounts.map(({ email, name, role, password }) => ({ email, name, role, password }))
  })
  mountHealth(server, ctx)
  await mountClient(server)

  const moved = (whose: AffectedSessions | null) => {
    if (!whose) return
    viewerCache.forget(whose)
    server.recheckSessions(whose)
  }
  notifications.on('changes', (line) => {
    if (line.startsWith('* ') || line === '*') return live.refresh() // a rebuilt read model replaced the live one
    if (line.startsWith('fence ')) return resolveBarrier(line.slice(6))
    moved(rightsAffectedBy(line))
    if (line.startsWith('setting ')) settingsAffectedBy(db, line).then(moved, () => moved('all'))
    live.onChange(line)
  })
  notifications.on('frames', (text) => {
    const { to, ...frame } = JSON.parse(text) as { channel: string; to?: number }
    live.broadcast(Number(/^company-(\d+)-/.exec(frame.channel)?.[1]), frame, to)
  })
  notifications.onMissed(() => {
    viewerCache.forget()
    server.recheckSessions('all')
    live.refresh()
  })
  return server
}

/** Passes the socket event `working` to the modules that handle it. */
function workHandler(ctx: AppContext, areas: FeatureModule[], live: Gateway) {
  const handlers = areas.flatMap(({ onWorking }) => onWorking?.(ctx, live) ?? [])
  return async (session: SocketSession, data: unknown): Promise<void> => {
    for (const handle of handlers) await handle(session, data)
  }
}

function createNotificationBarriers(db: AppContext['db']) {
  const barriers = new Map<string, () => void>()
  /** Waits for a notification of its own. Notifications arrive in commit order, so all earlier ones have been received then. */
  function flushNotifications(): Promise<void> {
    const name = randomUUID()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const late = setTimeout(() => reject(new Unavailable('Notification barrier timed out')), barrierTimeoutMs).unref()
    barriers.set(name, resolve)
    sql`select pg_notify('changes', ${`fence ${name}`})`.execute(db).catch(reject)
    return promise.finally(() => {
      clearTimeout(late)
      barriers.delete(name)
    })
  }
  return { flushNotifications, resolveBarrier: (name: string) => barriers.get(name)?.() }
}

/** Serves the built client: its files, read at each request, and its page at every address that is no API call. */
async function mountClient(server: FastifyInstance): Promise<void> {
  await server.register(fastifyStatic, { root: client, serve: false, cacheControl: false, preCompressed: true })
  const page = path.join(client, 'index.html')
  server.get<{ Params: { '*': string } }>('/*', { schema: { hide: true } }, async (request, reply) => {
    const wanted = path.join(client, request.params['*'].replaceAll('\0', ''))
    if (/^\/(api|docs)(\/|$)/.test(request.url)) return reply.callNotFound()
    const file = wanted.startsWith(client + path.sep) && (await stat(wanted).catch(() => null))?.isFile() ? wanted : null
    if (!file && (/\.\w{2,5}$/.test(wanted) || !(await stat(page).catch(() => null)))) return reply.callNotFound()
    const frozen = file?.includes(`${path.sep}assets${path.sep}`)
    reply.header('cache-control', frozen ? 'public, max-age=31536000, immutable' : 'no-cache')
    return reply.sendFile(path.relative(client, file ?? page), client)
  })
}
