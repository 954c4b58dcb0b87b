import { readFileSync } from 'node:fs'
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type { AppendReq, AppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js'
import {
  Server,
  ServerCredentials,
  type ServerReadableStream,
  type ServerWritableStream,
  type ServiceError,
  type sendUnaryData,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import * as wire from '#tests/support/eventstore-wire.ts'

type Reader = ServerWritableStream<ReadReq, ReadResp>
type Answer = sendUnaryData<AppendResp>
type Follower = { tell(): void; drop(error: Partial<ServiceError> | null): void }

const searchWindow = 32

export type EventStoreDouble = Awaited<ReturnType<typeof eventStoreDouble>>

/** What the client's account lacks. */
type Denies = 'account' | 'read' | 'append'

/** EventStoreDB in memory, on the real wire protocol. `tls`: with a certificate of an unknown authority. */
export async function eventStoreDouble({ tls = false } = {}) {
  const events: wire.Stored[] = []
  const streams = new Map<string, wire.Stored[]>()
  const followers = new Set<Follower>()
  /** `read`: of one stream; `head`: of all streams, from the end. */
  const calls = { append: 0, batchAppend: 0, read: 0, head: 0, subscribe: 0 }
  const faults = { denies: null as Denies | null, loseAnswers: 0, silent: false, notLeader: 0, impossibleCheckpoint: false }
  let died: (() => void) | null = null
  let position = 0n
  let port = 0
  let server: Server | null = null

  function store(stream: string, offered: wire.Offered[]): wire.Stored[] {
    const own = streams.get(stream) ?? []
    const written = offered.map((event, i) => {
      // Positions are file offsets: they grow with gaps.
      position += 97n + BigInt(event.data.length)
      return { ...event, stream, position, revision: BigInt(own.length + i) }
    })
    streams.set(stream, [...own, ...written])
    events.push(...written)
    for (const follower of followers) follower.tell()
    return written
  }

  /** The events right after the expected revision, if they are exactly the offered ones. */
  function repeated(own: wire.Stored[], expected: number, offered: wire.Offered[]): wire.Stored[] | null {
    const there = own.slice(expected + 1, expected + 1 + offered.length)
    return there.length === offered.length && there.every(({ id }, i) => id === offered[i]!.id) ? there : null
  }

  function write(options: AppendReq.Options, offered: wire.Offered[], reply: Answer) {
    const stream = wire.nameOf(options.getStreamIdentifier())
    const own = streams.get(stream) ?? []
    const expected = options.hasNoStream() ? -1 : Number(options.getRevision())
    if (options.hasAny() || options.hasStreamExists()) return reply({ code: status.UNIMPLEMENTED, details: 'always an explicit revision' })
    if (faults.notLeader > 0) {
      faults.notLeader -= 1
      return reply(wire.notLeader('127.0.0.1', port))
    }
    if (wire.weight(offered) > wire.maxAppend) return reply(wire.tooLarge())
    const known = expected < own.length - 1 ? repeated(own, expected, offered) : null
    if (!known && expected !== own.length - 1) return reply(null, wire.conflict(options, own.length))
    const there = known ?? store(stream, offered)
    if (died) {
      kill()
      died()
      died = null
      return
    }
    if (faults.loseAnswers > 0) {
      faults.loseAnswers -= 1
      return reply({ code: status.UNAVAILABLE, details: 'the answer was lost' })
    }
    reply(null, wire.success(there.at(-1)!))
  }

  function denied(what: Denies): Partial<ServiceError> | null {
    if (faults.denies === 'account') return { code: status.UNAUTHENTICATED, details: 'Received http2 header with status: 401' }
    return faults.denies === what ? wire.accessDenied() : null
  }

  function append(call: ServerReadableStream<AppendReq, AppendResp>, reply: Answer): void {
    calls.append += 1
    let options: AppendReq.Options | undefined
    const offered: wire.Offered[] = []
    call.on('data', (message: AppendReq) => {
      options ??= message.getOptions()
      const proposed = message.getProposedMessage()
      if (proposed) offered.push(wire.offeredIn(proposed))
    })
    call.on('end', () => {
      const no = denied('append')
      if (no) reply(no)
      else if (!faults.silent && options && offered.length > 0) write(options, offered, reply) // a client that was killed meanwhile offers no events
    })
    call.on('error', () => undefined)
  }

  function read(call: Reader) {
    call.on('error', () => undefined)
    if (faults.silent) return
    const no = denied('read')
    if (no) return call.emit('error', no)
    const options = call.request.getOptions()!
    if (options.hasSubscription()) return subscribe(call, options)
    const stream = options.hasStream() ? wire.nameOf(options.getStream()!.getStreamIdentifier()) : null
    calls[stream === null ? 'head' : 'read'] += 1
    const source = stream === null ? events : streams.get(stream)
    if (!source) {
      call.write(wire.streamNotFound(stream!))
      return call.end()
    }
    for (const event of wire.slice(source, options)) call.write(wire.readAnswer(event, stream !== null))
    call.end()
  }

  function subscribe(call: Reader, options: ReadReq.Options) {
    calls.subscribe += 1
    const prefixes = options.getFilter()?.getStreamIdentifier()?.getPrefixList() ?? ['']
    const interval = (options.getFilter()?.getCheckpointintervalmultiplier() ?? 1) * searchWindow
    const after = BigInt(options.getAll()?.getPosition()?.getCommitPosition() ?? 0)
    let next = events.findIndex((event) => event.position > after)
    if (next < 0) next = events.length
    let considered = 0
    let live = false
    call.write(wire.confirmation())
    if (faults.impossibleCheckpoint) call.write(wire.checkpoint(2n ** 64n - 1n))
    const follower: Follower = {
      tell() {
        for (; next < events.length; next += 1) {
          const event = events[next]!
          if (prefixes.some((prefix) => event.stream.startsWith(prefix))) call.write(wire.readAnswer(event, false))
          considered += 1
          if (considered % interval === 0) call.write(wire.checkpoint(event.position))
        }
        if (live) return
        live = true
        call.write(wire.caughtUp())
      },
      drop(error) {
        followers.delete(follower)
        if (error) call.emit('error', error)
        else call.end()
      },
    }
    followers.add(follower)
    for (const over of ['cancelled', 'close']) call.on(over, () => followers.delete(follower))
    setImmediate(follower.tell)
  }

  function service(): Server {
    const fresh = new Server()
    const unary =
      <T>(message: () => T) =>
      (_: unknown, reply: sendUnaryData<T>) =>
        faults.silent ? undefined : reply(null, message())
    const batchAppend = (call: { end(): void }) => {
      calls.batchAppend += 1
      call.end()
    }
    fresh.addService(
      StreamsService as never,
      { append, read, batchAppend, delete: wire.missing, tombstone: wire.missing } as UntypedServiceImplementation,
    )
    fresh.addService(ServerFeaturesService as never, { getSupportedMethods: unary(wire.supportedMethods) } as UntypedServiceImplementation)
    fresh.addService(GossipService as never, { read: unary(() => wire.members('127.0.0.1', port)) } as UntypedServiceImplementation)
    return fresh
  }

  async function start(): Promise<void> {
    const fresh = service()
    const pem = readFileSync(new URL('unknown-authority.pem', import.meta.url))
    const credentials = tls
      ? ServerCredentials.createSsl(null, [{ private_key: pem, cert_chain: pem }])
      : ServerCredentials.createInsecure()
    port = await new Promise<number>((resolve, reject) =>
      fresh.bindAsync(`127.0.0.1:${port}`, credentials, (error, bound) => (error ? reject(error) : resolve(bound))),
    )
    server = fresh
  }

  function kill(): void {
    followers.clear()
    server?.forceShutdown()
    server = null
  }

  await start()
  store('$settings', [wire.system('$user-created')])
  return {
    url: tls ? `esdb://localhost:${port}` : `esdb://127.0.0.1:${port}?tls=false`,
    discoveryUrl: `esdb+discover://127.0.0.1:${port}?tls=false`,
    calls,
    faults,
    /** Adds events of other streams and of the server itself. */
    strangers(stream: string, count: number) {
      for (let i = 0; i < count; i += 1) store(stream, [wire.system('$metrics')])
    },
    /** Rewrites a stream, as the owner of the server's files could. */
    forge(stream: string, change: (own: wire.Stored[]) => wire.Stored[]) {
      const own = change(streams.get(stream) ?? [])
      if (own.length > 0) streams.set(stream, own)
      else streams.delete(stream)
      const others = events.filter((event) => event.stream !== stream)
      const all = [...others, ...own].sort((a, b) => (a.position < b.position ? -1 : 1))
      events.splice(0, events.length, ...all)
    },
    /** A copy of its data, for a later restore. */
    copy: () => ({ events: [...events], streams: new Map(streams) }),
    /** Replaces its data. Subscribers must subscribe again. */
    put(disk: { events: wire.Stored[]; streams: Map<string, wire.Stored[]> }) {
      events.splice(0, events.length, ...disk.events)
      streams.clear()
      for (const [name, own] of disk.streams) streams.set(name, own)
    },
    /** Dies between the next write and its answer. The write persists. */
    dieAfterWrite(then: () => void) {
      died = then
    },
    drop(how: 'error' | 'end') {
      for (const follower of followers) follower.drop(how === 'error' ? { code: status.UNAVAILABLE, details: 'dropped' } : null)
    },
    kill,
    start,
    running: () => server !== null,
    followers: () => followers.size,
  }
}
