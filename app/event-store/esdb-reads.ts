import { setImmediate as turn } from 'node:timers/promises'
import { type AllStreamResolvedEvent, BACKWARDS, END, ErrorType, type EventStoreDBClient } from '@eventstore/db-client'
import { ignoreErrors } from '#app/concurrency/ignore-errors.ts'
import { retryTransient, withTimeout } from '#app/concurrency/retry.ts'
import { isTransientEsdbError } from './esdb-errors.ts'
import { type StoredEvent, Unavailable } from './event-store.ts'
import { toStoredEvent } from './subscription.ts'

type ReadStream<E> = AsyncIterable<E> & { cancel(): Promise<void>; on(name: 'error', listener: () => void): unknown }

/** Reads of an EventStoreDB client, which are repeated after transient errors until `closed` aborts. */
export function createEsdbReads(client: EventStoreDBClient, { callMs, closed }: { callMs: number; closed: AbortSignal }) {
  const readWithRetry = <E>(open: () => ReadStream<E>, what: string) =>
    retryTransient(
      async () => {
        if (closed.aborted) throw new Unavailable('Event store is closed')
        await turn()
        return collect(open(), callMs, what)
      },
      (error) => isTransientEsdbError(error) && !closed.aborted,
      callMs,
    )

  return {
    /** Reads a page of a stream. A stream that does not exist is empty. */
    async page(stream: string, from: bigint, most: number): Promise<StoredEvent[]> {
      try {
        const read = await readWithRetry(() => client.readStream(stream, { fromRevision: from, maxCount: most }), `reading ${stream}`)
        return read.flatMap(({ event }) => (event ? [toStoredEvent(event, event.position?.commit ?? 0n)] : []))
      } catch (error) {
        if ((error as { type?: string }).type === ErrorType.STREAM_NOT_FOUND) return []
        throw error
      }
    },

    /** Finds the position of the newest event in streams with this prefix, in growing pages from the end. */
    async headPosition(prefix: string): Promise<bigint | null> {
      let from: typeof END | { commit: bigint; prepare: bigint } = END
      for (let count = 16; ; count = Math.min(count * 4, 1024)) {
        const fromPosition = from
        const read: AllStreamResolvedEvent[] = await readWithRetry(
          () => client.readAll({ direction: BACKWARDS, fromPosition, maxCount: count }),
          'reading the head',
        )
        const newest = read.find((one) => !isSystem(one) && one.event!.streamId.startsWith(prefix))
        if (newest?.event) return newest.event.position.commit
        const oldest = read.at(-1)?.event ?? read.findLast(({ event }) => event)?.event
        if (read.length < count || !oldest) return null
        from = oldest.position
      }
    },
  }
}

const isSystem = ({ event }: AllStreamResolvedEvent) => event === undefined || event.streamId.startsWith('$') || event.type.startsWith('$')

async function collect<E>(stream: ReadStream<E>, callMs: number, what: string): Promise<E[]> {
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
