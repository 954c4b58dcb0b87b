import { setImmediate as turn } from 'node:timers/promises'
import { type Credentials, EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client'
import type { Logger } from 'pino'
import { ignoreErrors } from '#app/concurrency/ignore-errors.ts'
import { createBackoff, createLoggedBackoffOnce, retryTransient, withTimeout } from '#app/concurrency/retry.ts'
import { createSemaphore } from '#app/concurrency/semaphore.ts'
import { serializeEvents } from '#app/event-store/event-size.ts'
import {
  type Appended,
  type EventStore,
  type NewEvent,
  type Revision,
  type StoredEvent,
  Unavailable,
} from '#app/event-store/event-store.ts'
import { isUsablePosition, subscribeInPages } from '#app/event-store/subscription.ts'
import { appendError, isTransientEsdbError } from './esdb-errors.ts'
import { createEsdbReads } from './esdb-reads.ts'

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
/** Always returns credentials: without them the client appends by its batch call, which has no deadline. An insecure server ignores them. */
function credentialsIn(connectionString: string): Credentials {
  const [, username, password] = /^[^:]+:\/\/([^:/?@]+):([^@/]*)@/.exec(connectionString) ?? []
  return username
    ? { username: decodeURIComponent(username), password: decodeURIComponent(password ?? '') }
    : { username: '-', password: '-' }
}

export function createEsdbEventStore(connectionString: string, options: EventStoreLogOptions = {}): EventStore {
  const { credentials = credentialsIn(connectionString), callMs = 5000, giveUpMs = 30_000, inFlight = 64, logger } = options
  const client = EventStoreDBClient.connectionString(connectionString)
  const closing = new AbortController()
  const createWait = createLoggedBackoffOnce(logger, 'event subscription')
  const appends = createSemaphore(inFlight)
  const reads = createEsdbReads(client, { callMs, closed: closing.signal })

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

  return {
    async read(stream, from = 0n, most = Number.POSITIVE_INFINITY) {
      const events: StoredEvent[] = []
      for (;;) {
        const next = await reads.page(stream, from + BigInt(events.length), Math.min(pageSize, most - events.length))
        events.push(...next)
        if (next.length < pageSize || events.length >= most) return { events }
      }
    },

    async append(stream, expected, events) {
      serializeEvents(stream, events)
      return appends.run(async () => {
        if (closing.signal.aborted) throw new Unavailable('Event store is closed')
        try {
          return await retryTransient(
            () => tryAppend(stream, expected, events),
            (error) => isTransientEsdbError(error) && !closing.signal.aborted,
            giveUpMs,
          )
        } catch (error) {
          throw appendError(error, stream)
        }
      })
    },

    async *subscribe(after, prefix, signal) {
      const wait = createWait(createBackoff(100, 5000))
      try {
        yield* subscribeInPages(client, { after, prefix, callMs, wait, signal: AbortSignal.any([signal, closing.signal]) })
      } finally {
        wait.leave()
      }
    },

    readHeadPosition: async (prefix = '') => reads.headPosition(prefix),

    async close() {
      closing.abort()
      await ignoreErrors(withTimeout(client.dispose(), callMs, 'closing'), 'the process ends')
    },
  }
}
