import { setImmediate as turn } from 'node:timers/promises'
import {
  type AllStreamResolvedEvent,
  BACKWARDS,
  type Credentials,
  END,
  ErrorType,
  EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import type { Logger } from 'pino'
import { createBackoff, createLoggedBackoffOnce, retryTransient, withTimeout } from '#app/concurrency/retry.ts'
import { serializeEvents } from '#app/event-store/event-size.ts'
import {
  type Appended,
  ConcurrencyConflict,
  type EventStore,
  EventTooLarge,
  type NewEvent,
  type Revision,
  type StoredEvent,
  Unavailable,
} from '#app/event-store/event-store.ts'
import { isUsablePosition, subscribeInPages, toStoredEvent } from '#app/event-store/subscription.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'

export type EventStoreLogOptions = {
  /** Defaults to those of the connection string. */
  credentials?: Credentials
  callMs?: number
  giveUpMs?: number
  /** Maximum number of concurrent appends. */
  inFlight?: number
  logger?: Logger
}

const pageSize = 500
const transientTypes = new Set<unknown>([
  ErrorType.UNAVAILABLE,
  ErrorType.CANCELLED,
  ErrorType.DEADLINE_EXCEEDED,
  ErrorType.TIMEOUT,
  ErrorType.NOT_LEADER,
])
// CANCELLED, DEADLINE_EXCEEDED, ABORTED, UNAVAILABLE: some client calls throw the plain gRPC error.
const transientCodes = new Set<unknown>([1, 4, 10, 14])
/** Beginnings of messages without a code: failed discovery, a replaced channel, a call that the server aborted. */
const transientMessages = ['Failed to discover after ', 'Channel has been shut down', '13 INTERNAL: Received RST_STREAM with code ']

export function passing(error: unknown): boolean {
  const { type, code, message = '' } = error as { type?: string; code?: number; message?: string }
  return (
    error instanceof Unavailable ||
    transientTypes.has(type) ||
    transientCodes.has(code) ||
    transientMessages.some((beginning) => message.startsWith(beginning))
  )
}

/** Always returns credentials: without them the client appends by its batch call, which has no deadline. An insecure server ignores them. */
function credentialsIn(connectionString: string): Credentials {
  const [, username, password] = /^[^:]+:\/\/([^:/?@]+):([^@/]*)@/.exec(connectionString) ?? []
  return username
    ? { username: decodeURIComponent(username), password: decodeURIComponent(password ?? '') }
    : { username: '-', password: '-' }
}

const isSystem = ({ event }: AllStreamResolvedEvent) => event === undefined || event.streamId.startsWith('$') || event.type.startsWith('$')

export function createEsdbEventStore(connectionString: string, options: EventStoreLogOptions = {}): EventStore {
  const { credentials = credentialsIn(connectionString), callMs = 5000, giveUpMs = 30_000, inFlight = 64, logger } = options
  const client = EventStoreDBClient.connectionString(connectionString)
  const closing = new AbortController()
  const createWait = createLoggedBackoffOnce(logger, 'event subscription')
  const waiting: (() => void)[] = []
  let busy = 0

  const enter = async () => {
    if (busy >= inFlight) return new Promise<void>((resolve) => waiting.push(resolve))
    busy += 1
  }
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else busy -= 1
  }

  async function collect<E>(
    stream: AsyncIterable<E> & { cancel(): Promise<void>; on(name: 'error', listener: () => void): unknown },
    what: string,
  ): Promise<E[]> {
    const all: E[] = []
    // An error that arrives after the loop has ended must not end the process.
    stream.on('error', () => undefined)
    const drain = async () => {
      for await (const one of stream) all.push(one)
    }
    try {
      await withTimeout(drain(), callMs, what)
    } catch (error) {
      void ignoreErrors(stream.cancel(), 'the read has failed already')
      throw error
    }
    return all
  }

  const readWithRetry = <T>(act: () => Promise<T>) =>
    retryTransient(
      async () => {
        if (closing.signal.aborted) throw new Unavailable('Event store is closed')
        await turn()
        return act()
      },
      (error) => passing(error) && !closing.signal.aborted,
      callMs,
    )

  async function page(stream: string, from: bigint, most: number): Promise<StoredEvent[]> {
    try {
      const read = await readWithRetry(() =>
        collect(client.readStream(stream, { fromRevision: from, maxCount: most }), `reading ${stream}`),
      )
      return read.flatMap(({ event }) => (event ? [toStoredEvent(event, event.position?.commit ?? 0n)] : []))
    } catch (error) {
      if ((error as { type?: string }).type === ErrorType.STREAM_NOT_FOUND) return []
      throw error
    }
  }

  async function tryAppend(stream: string, expected: Revision, events: NewEvent[]): Promise<Appended> {
    const offered = events.map(({ id, type, data, meta }) => jsonEvent({ id, type, data, metadata: meta }))
    // Start in a new turn: if the client replaces its channel between finding and using it, the error becomes an unhandled rejection.
    await turn()
    const call = client.appendToStream(stream, offered, {
      expectedRevision: expected === 'none' ? NO_STREAM : expected,
      credentials,
      deadline: callMs,
    })
    const { nextExpectedRevision: revision, position } = await withTimeout(call, callMs + 1000, `appending to ${stream}`)
    return { position: position && isUsablePosition(position.commit) ? position.commit : 0n, revision }
  }

  function translateError(error: unknown, stream: string): unknown {
    if (error instanceof WrongExpectedVersionError) {
      const { actualVersion } = error
      return new ConcurrencyConflict(stream, typeof actualVersion === 'bigint' ? actualVersion : 'none')
    }
    if ((error as { type?: string }).type === ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED) return new EventTooLarge((error as Error).message)
    return error
  }

  return {
    async read(stream, from = 0n, most = Number.POSITIVE_INFINITY) {
      const events: StoredEvent[] = []
      for (;;) {
        const next = await page(stream, from + BigInt(events.length), Math.min(pageSize, most - events.length))
        events.push(...next)
        if (next.length < pageSize || events.length >= most) return { events }
      }
    },

    async append(stream, expected, events) {
      serializeEvents(stream, events)
      await enter()
      try {
        if (closing.signal.aborted) throw new Unavailable('Event store is closed')
        return await retryTransient(
          () => tryAppend(stream, expected, events),
          (error) => passing(error) && !closing.signal.aborted,
          giveUpMs,
        )
      } catch (error) {
        throw translateError(error, stream)
      } finally {
        leave()
      }
    },

    async *subscribe(after, prefix, signal) {
      const wait = createWait(createBackoff(100, 5000))
      try {
        yield* subscribeInPages(client, { after, prefix, callMs, wait, signal: AbortSignal.any([signal, closing.signal]) })
      } finally {
        wait.leave()
      }
    },

    async readHeadPosition(prefix = '') {
      let from: typeof END | { commit: bigint; prepare: bigint } = END
      for (let count = 16; ; count = Math.min(count * 4, 1024)) {
        const fromPosition = from
        const read: AllStreamResolvedEvent[] = await readWithRetry(() =>
          collect(client.readAll({ direction: BACKWARDS, fromPosition, maxCount: count }), 'reading the head'),
        )
        const newest = read.find((one) => !isSystem(one) && one.event!.streamId.startsWith(prefix))
        if (newest?.event) return newest.event.position.commit
        const oldest = read.at(-1)?.event ?? read.findLast(({ event }) => event)?.event
        if (read.length < count || !oldest) return null
        from = oldest.position
      }
    },

    async close() {
      closing.abort()
      await ignoreErrors(withTimeout(client.dispose(), callMs, 'closing'), 'the process ends')
    },
  }
}
