import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import websocket from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { refuse } from '#domain/errors.ts'
import { beatMs, type Emit, emits, protocol, type RoomName } from '#domain/live/contract.ts'
import { closeWithError, network } from '../http/connections.ts'
import { createRateLimiter } from '../http/rate-limiter.ts'
import { base } from '../http/serve.ts'
import { lingerMs, type Presence } from '../session/presence.ts'
import { type AffectedSessions, isAffected, type ViewerCache, type ViewerSession } from '../session/viewers.ts'
import { type Gateway, noRooms, type SocketSession } from './gateway.ts'

type Deps = {
  live: Gateway
  presence: Presence
  viewerCache: ViewerCache
  known: (socket: Socket) => void
  joins: (session: SocketSession, room: RoomName, data: unknown) => Promise<void>
  leaves: (session: SocketSession, room: RoomName, data: unknown) => void
  types: (session: SocketSession, data: unknown) => Promise<void>
}

/**
 * Every so many heartbeats the rights are checked again, for changes without a notification, such as the end
 * of a paid period.
 */
const rightsCheckEvery = 20
const backlog = 1024 * 1024
const beatFrame = Buffer.from(JSON.stringify({ channel: 'live', action: 'beat' }))
/**
 * How long a frame waits for the next ones, so that they share a write. The time grows with the number of
 * sockets (P10).
 */
const gatherMs = { least: 10, most: 50 }
/** Maximum sockets. Each tab has one, and an office shares an address. */
const socketLimits = { session: 40, address: 4096 }
/** Frame limit of one session over all its sockets. */
const frameLimit = { burst: 300, everyMs: 50 }
const codes = { garbage: 1008, session: 4001, away: 1001 }

/** A client offers two protocols: ours, and its token. */
const longestOffer = 4096
function offeredToken(header: string | undefined): string | undefined {
  if (header === undefined || header.length > longestOffer) return undefined
  const offered = header.split(',').map((one) => one.trim())
  return offered.includes(protocol) ? offered.find((one) => one.startsWith('bearer.'))?.slice(7) : undefined
}

/**
 * Mounts the socket at /api/live: authenticates before the upgrade, sends heartbeats, and closes on malformed
 * frames or unread data.
 */
export async function mountSockets(
  server: FastifyInstance,
  { live, presence, viewerCache, known, joins, leaves, types }: Deps,
): Promise<void> {
  const upgrades = new EventEmitter()
  server.server.on('upgrade', (request, socket, head) => {
    if (request.url?.split('?')[0] === `${base}/live`) upgrades.emit('upgrade', request, socket, head)
    else closeWithError(socket as Socket, 404, 'ERR_NOT_FOUND', request.headers['accept-language'])
  })
  await server.register(websocket, {
    /** A malformed frame is an error of the client. */
    errorHandler(error, socket, request) {
      request.log.warn({ err: error }, 'Socket closed after an invalid frame')
      socket.terminate()
    },
    options: {
      server: upgrades as never, // the plugin uses only the `upgrade` event of the server
      maxPayload: 16 * 1024,
      perMessageDeflate: false,
      handleProtocols: (offered) => (offered.has(protocol) ? protocol : false),
    },
  })
  const sessions = new WeakMap<FastifyRequest, ViewerSession>()
  const alive = new WeakSet<WebSocket>()
  const sockets = new Map<SocketSession, WebSocket>()

  server.get(
    `${base}/live`,
    {
      websocket: true,
      schema: { hide: true },
      preValidation: async (request, reply) => {
        const token = offeredToken(request.headers['sec-websocket-protocol'])
        const found = token ? await viewerCache.ofToken(token) : null
        if (!found) {
          await server.limitStranger(request, reply)
          refuse('ERR_SESSION_EXPIRED/ended')
        }
        if (opened(found.sessionId) >= socketLimits.session || opened(network(request.ip)) >= socketLimits.address)
          refuse('ERR_TOO_MANY_REQUESTS')
        known(request.raw.socket)
        sessions.set(request, found)
      },
    },
    (socket, request) => openSession(socket, request.raw.socket, sessions.get(request)!, network(request.ip)),
  )

  /** By session and by address. */
  const open = new Map<string, number>()
  const opened = (key: string) => open.get(key) ?? 0
  function count(key: string, by: 1 | -1): void {
    const now = opened(key) + by
    if (now > 0) open.set(key, now)
    else open.delete(key)
  }
  const frames = createRateLimiter(frameLimit)

  /**
   * A message, its ticket and its counters are separate frames, and one write costs as much as all of them.
   * So they are gathered.
   */
  const gathering = new Set<Socket>()
  let writingMs = 0
  function gather(line: Socket): void {
    if (gathering.has(line)) return
    // leaves most of the time to other work
    if (gathering.size === 0) setTimeout(flush, Math.min(gatherMs.most, Math.max(gatherMs.least, 2 * writingMs)))
    gathering.add(line)
    line.cork()
  }
  function flush(): void {
    const began = performance.now()
    for (const line of gathering) line.uncork()
    gathering.clear()
    writingMs = performance.now() - began
  }

  function openSession(socket: WebSocket, line: Socket, { viewer, sessionId, expired }: ViewerSession, address: string): void {
    for (const key of [sessionId, address]) count(key, 1)
    const session: SocketSession = {
      viewer,
      sessionId,
      expired,
      rooms: noRooms(),
      send(frame) {
        if (socket.bufferedAmount > backlog) return socket.terminate()
        gather(line)
        socket.send(frame, { binary: false })
      },
      close: (code, reason) => socket.close(code, reason),
    }
    const leave = live.addSession(session)
    let turn = Promise.resolve() // joins and leaves of a session run in order, because a join has to read the ticket first
    sockets.set(session, socket)
    alive.add(socket)
    let presenceUpdate = presence.recordActivity(session, false).catch(() => undefined)
    socket.on('pong', () => alive.add(socket))
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      leave()
      sockets.delete(session)
      for (const key of [sessionId, address]) count(key, -1)
      setTimeout(() => void presence.recordDisconnect(viewer).catch(() => undefined), lingerMs).unref()
    })
    socket.on('message', (data, binary) => {
      const message = binary ? null : read((data as Buffer).toString())
      if (!message) return socket.close(codes.garbage, 'malformed frame')
      if (!frames.tryConsume(sessionId)) return socket.close(codes.garbage, 'frame limit exceeded')
      const { emit, data: about } = message
      if (emit === 'beat') return session.send(beatFrame)
      if (emit === 'userStatus')
        presenceUpdate = presenceUpdate.then(() => presence.recordActivity(session, idleIn(about))).catch(() => undefined)
      else turn = turn.then(() => act(session, emit, about)).catch(() => undefined)
    })
    session.send(Buffer.from(JSON.stringify({ channel: `company-${viewer.companyId}-live`, action: 'ready' })))
  }

  async function act(session: SocketSession, emit: string, data: unknown): Promise<void> {
    if (!isKnown(emit)) return session.send(Buffer.from(JSON.stringify({ channel: 'live', action: 'unknown', emit })))
    if (emit === 'typing') return types(session, data)
    const [, way, room] = /^(join|leave)(.+)$/.exec(emit) as unknown as [string, 'join' | 'leave', RoomName]
    return way === 'join' ? joins(session, room, data) : leaves(session, room, data)
  }

  /** Checks each session again, because its rights may have changed or its login may have ended. */
  async function recheck(liveSessions: SocketSession[]): Promise<void> {
    for (const session of liveSessions) {
      const now = await viewerCache.ofSession(session.sessionId).catch(() => undefined)
      if (now === null) session.close(codes.session, 'session ended')
      else if (now && (now.expired !== session.expired || JSON.stringify(now.viewer) !== JSON.stringify(session.viewer)))
        session.close(codes.away, 'rights changed')
    }
  }

  async function closeEnded(): Promise<void> {
    const liveSessions = live.sessions()
    const ended = await viewerCache.ended([...new Set(liveSessions.map(({ sessionId }) => sessionId))])
    for (const session of liveSessions) if (ended.has(session.sessionId)) session.close(codes.session, 'session ended')
  }

  void presence.renew().catch(() => undefined)
  let beats = 0
  const beat = setInterval(() => {
    for (const [session, socket] of sockets) {
      if (!alive.has(socket)) socket.terminate()
      alive.delete(socket)
      session.send(beatFrame) // both go out in one write
      socket.ping()
    }
    void closeEnded().catch(() => undefined)
    if (++beats % rightsCheckEvery === 0) server.recheckSeats('all')
    void presence.renew().catch(() => undefined)
  }, beatMs)
  server.addHook('preClose', async () => {
    clearInterval(beat)
    for (const session of sockets.keys()) session.close(codes.away, 'server shutting down')
  })
  /** Changes within 100 ms are checked together, and only one check runs at a time. */
  let pendingChecks: AffectedSessions[] = []
  let checking = Promise.resolve()
  server.decorate('recheckSeats', (whose: AffectedSessions) => {
    if (pendingChecks.push(whose) > 1) return
    setTimeout(() => {
      checking = checking.then(() => {
        const named = pendingChecks
        pendingChecks = []
        return recheck(live.sessions().filter((session) => named.some((one) => isAffected(one, session))))
      })
    }, 100).unref()
  })
}

const isKnown = (emit: string): emit is Emit => emits.includes(emit as Emit)
/** A client of another version may send an unknown event (A-RT-05). A frame without this shape is malformed. */
function read(text: string): { emit: string; data: unknown } | null {
  try {
    const message = JSON.parse(text)
    return typeof message?.emit === 'string' && /^\w{1,50}$/.test(message.emit) ? { emit: message.emit, data: message.data ?? null } : null
  } catch {
    return null
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    recheckSeats: (whose: AffectedSessions) => void
    presence: Presence
  }
}

/** Published clients send no data with it. */
function idleIn(data: unknown): boolean | undefined {
  const { idle } = (data ?? {}) as { idle?: unknown }
  return typeof idle === 'boolean' ? idle : undefined
}
