import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import websocket from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { refuse } from '#domain/errors.ts'
import { beatMs, type Emit, emits, protocol, type RoomName } from '#domain/live/contract.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import { createSerializer } from '../concurrency/keyed-serializer.ts'
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
  works: (session: SocketSession, data: unknown) => Promise<void>
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
const socketLimits = { session: 100, address: 4096 }
/** Frame limit of one session over all its sockets. */
const frameLimit = { burst: 1000, everyMs: 50 }
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
export async function mountSockets(server: FastifyInstance, deps: Deps): Promise<void> {
  const { presence, viewerCache, known } = deps
  await acceptUpgrades(server)
  const sessions = new WeakMap<FastifyRequest, ViewerSession>()
  const opened = createCounter()
  const sockets: Sockets = { alive: new WeakSet(), bySession: new Map(), opened }
  const frames = createRateLimiter(frameLimit)
  const gather = createWriteGatherer()

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
        if (opened.of(found.sessionId) >= socketLimits.session || opened.of(network(request.ip)) >= socketLimits.address)
          refuse('ERR_TOO_MANY_REQUESTS')
        known(request.raw.socket)
        sessions.set(request, found)
      },
    },
    (socket, request) => {
      const { session, leave } = openSession(socket, request.raw.socket, sessions.get(request)!, gather, deps.live)
      serveSession(session, socket, { sockets, address: network(request.ip), leave, frames }, deps)
    },
  )

  const { recheckLater, closeEnded } = createSessionChecks(deps)
  server.decorate('recheckSessions', recheckLater)
  void ignoreErrors(presence.renew(), 'the next beat tries again')
  let beats = 0
  const beat = setInterval(() => {
    for (const [session, socket] of sockets.bySession) {
      if (!sockets.alive.has(socket)) socket.terminate()
      sockets.alive.delete(socket)
      session.send(beatFrame) // both go out in one write
      socket.ping()
    }
    void ignoreErrors(closeEnded(), 'the next beat tries again')
    if (++beats % rightsCheckEvery === 0) server.recheckSessions('all')
    void ignoreErrors(presence.renew(), 'the next beat tries again')
  }, beatMs)
  server.addHook('preClose', async () => {
    clearInterval(beat)
    for (const session of sockets.bySession.keys()) session.close(codes.away, 'server shutting down')
  })
}

/** `opened`: open sockets by session and by address. `alive`: sockets that answered the last ping. */
type Sockets = { alive: WeakSet<WebSocket>; bySession: Map<SocketSession, WebSocket>; opened: ReturnType<typeof createCounter> }

async function acceptUpgrades(server: FastifyInstance): Promise<void> {
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
}

function createCounter() {
  const counts = new Map<string, number>()
  const of = (key: string) => counts.get(key) ?? 0
  return {
    of,
    add(key: string, by: 1 | -1): void {
      const now = of(key) + by
      if (now > 0) counts.set(key, now)
      else counts.delete(key)
    },
  }
}

/**
 * A message, its ticket and its counters are separate frames, and one write costs as much as all of them.
 * So they are gathered.
 */
function createWriteGatherer(): (line: Socket) => void {
  const gathering = new Set<Socket>()
  let writingMs = 0
  function flush(): void {
    const began = performance.now()
    for (const line of gathering) line.uncork()
    gathering.clear()
    writingMs = performance.now() - began
  }
  return (line) => {
    if (gathering.has(line)) return
    // leaves most of the time to other work
    if (gathering.size === 0) setTimeout(flush, Math.min(gatherMs.most, Math.max(gatherMs.least, 2 * writingMs)))
    gathering.add(line)
    line.cork()
  }
}

function openSession(
  socket: WebSocket,
  line: Socket,
  { viewer, sessionId, expired }: ViewerSession,
  gather: (line: Socket) => void,
  live: Gateway,
): { session: SocketSession; leave: () => void } {
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
  return { session, leave: live.addSession(session) }
}

type Serving = { sockets: Sockets; address: string; leave: () => void; frames: ReturnType<typeof createRateLimiter> }
/** Connects a socket with its session: presence, frames from the client, and the end. */
function serveSession(session: SocketSession, socket: WebSocket, { sockets, address, leave, frames }: Serving, deps: Deps): void {
  const { presence } = deps
  const { alive, bySession, opened } = sockets
  const { viewer, sessionId } = session
  for (const key of [sessionId, address]) opened.add(key, 1)
  const roomChanges = createSerializer() // of one session in order, because a join has to read the ticket first
  const presenceUpdates = createSerializer()
  bySession.set(session, socket)
  alive.add(socket)
  const recordActivity = (isIdle: boolean | undefined) =>
    void ignoreErrors(
      presenceUpdates.run(() => presence.recordActivity(session, isIdle)),
      'the next activity is recorded again',
    )
  recordActivity(false)
  socket.on('pong', () => alive.add(socket))
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    leave()
    bySession.delete(session)
    for (const key of [sessionId, address]) opened.add(key, -1)
    setTimeout(() => void ignoreErrors(presence.recordDisconnect(viewer), 'the user goes offline by silence'), lingerMs).unref()
  })
  socket.on('message', (data, binary) => {
    const message = binary ? null : read((data as Buffer).toString())
    if (!message) return socket.close(codes.garbage, 'malformed frame')
    if (!frames.tryConsume(sessionId)) return socket.close(codes.garbage, 'frame limit exceeded')
    const { emit, data: about } = message
    if (emit === 'beat') return session.send(beatFrame)
    if (emit === 'userStatus') recordActivity(idleIn(about))
    else
      void ignoreErrors(
        roomChanges.run(() => act(session, emit, about, deps)),
        'the session joins again when it reconnects',
      )
  })
  session.send(Buffer.from(JSON.stringify({ channel: `company-${viewer.companyId}-live`, action: 'ready' })))
}

async function act(session: SocketSession, emit: string, data: unknown, { joins, leaves, types, works }: Deps): Promise<void> {
  if (!isKnown(emit)) return session.send(Buffer.from(JSON.stringify({ channel: 'live', action: 'unknown', emit })))
  if (emit === 'typing') return types(session, data)
  if (emit === 'working') return works(session, data)
  const [, way, room] = /^(join|leave)(.+)$/.exec(emit) as unknown as [string, 'join' | 'leave', RoomName]
  return way === 'join' ? joins(session, room, data) : leaves(session, room, data)
}

function createSessionChecks({ live, viewerCache }: Deps) {
  /** Checks each session again, because its rights may have changed or its login may have ended. */
  async function recheck(liveSessions: SocketSession[]): Promise<void> {
    for (const session of liveSessions) {
      const now = await ignoreErrors(viewerCache.ofSession(session.sessionId), 'the next check tries again')
      if (now === null) session.close(codes.session, 'session ended')
      else if (now && (now.expired !== session.expired || JSON.stringify(now.viewer) !== JSON.stringify(session.viewer)))
        session.close(codes.away, 'rights changed')
    }
  }
  /** Changes within 100 ms are checked together, and only one check runs at a time. */
  const checks = createSerializer()
  let pendingChecks: AffectedSessions[] = []
  return {
    async closeEnded(): Promise<void> {
      const liveSessions = live.sessions()
      const ended = await viewerCache.ended([...new Set(liveSessions.map(({ sessionId }) => sessionId))])
      for (const session of liveSessions) if (ended.has(session.sessionId)) session.close(codes.session, 'session ended')
    },
    recheckLater(whose: AffectedSessions): void {
      if (pendingChecks.push(whose) > 1) return
      setTimeout(() => {
        void checks.run(() => {
          const named = pendingChecks
          pendingChecks = []
          return recheck(live.sessions().filter((session) => named.some((one) => isAffected(one, session))))
        })
      }, 100).unref()
    },
  }
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
    recheckSessions: (whose: AffectedSessions) => void
    presence: Presence
  }
}

/** Published clients send no data with it. */
function idleIn(data: unknown): boolean | undefined {
  const { idle } = (data ?? {}) as { idle?: unknown }
  return typeof idle === 'boolean' ? idle : undefined
}
