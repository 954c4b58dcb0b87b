import { setImmediate as turn } from 'node:timers/promises'
import {
  type AllStreamResolvedEvent,
  type AllStreamSubscription,
  ErrorType,
  type EventStoreDBClient,
  type RecordedEvent,
  START,
  streamNameFilter,
} from '@eventstore/db-client'
import type { LoggedBackoff } from '#app/concurrency/retry.ts'
import { type JsonObject, type Page, type StoredEvent, Unavailable } from '#app/event-store/event-store.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'

/** Markers that we push into the subscription between its events, so that they keep their place. */
type Marker = { mark: 'checkpoint'; position: bigint } | { mark: 'caughtUp' } | { mark: 'behind' }
type Delivered = AllStreamResolvedEvent | Marker
type SubscriptionOptions = { after: bigint | null; prefix: string; callMs: number; wait: LoggedBackoff; signal: AbortSignal }

const pageSize = 500

/** Servers 24.2 to 24.10 may send 2^64-1 on a fresh database; a processor that stored it would skip every event. */
export const isUsablePosition = (position: bigint) => position >= 0n && position <= 0x7fff_ffff_ffff_ffffn

/** Old servers return no position when a single stream is read; the position is 0n then. */
export const toStoredEvent = (event: RecordedEvent, position: bigint): StoredEvent => ({
  stream: event.streamId,
  revision: event.revision,
  position: isUsablePosition(position) ? position : 0n,
  id: event.id,
  type: event.type,
  data: event.data as JsonObject,
  meta: (event.metadata ?? {}) as JsonObject,
})

function positionOf({ commitPosition, event }: AllStreamResolvedEvent): bigint {
  const position = [commitPosition, event?.position.commit].find((one) => one !== undefined && isUsablePosition(one))
  if (position === undefined) throw new Error(`Event of ${event?.streamId} has no usable position`)
  return position
}

/** Reads the events that a subscription has buffered; waits only when the buffer is empty. */
function createBatchReader(sub: AllStreamSubscription, callMs: number, signal: AbortSignal) {
  let over = false
  let failure: unknown = null
  let wake = () => {}
  const end = (error: unknown = null) => {
    over = true
    failure ??= error
    wake()
  }
  // Without this timeout a server that accepts the connection and never answers would block the processor forever.
  const unconfirmed = setTimeout(() => end(new Unavailable('Subscription was not confirmed')), callMs)
  const aborted = () => end()
  signal.addEventListener('abort', aborted)
  sub.on('confirmation', () => clearTimeout(unconfirmed))
  sub.on('readable', () => wake())
  sub.on('error', end)
  sub.on('end', () => end())
  sub.on('close', () => end())
  return {
    readBuffered(): Delivered[] {
      const batch: Delivered[] = []
      for (let one = sub.read(); one !== null; one = sub.read()) {
        batch.push(one)
        if (batch.length === pageSize) break
      }
      return batch
    },
    /** Waits for more events; false when the subscription has ended. */
    async waitForMore(): Promise<boolean> {
      if (!over) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        // The client delivers the other events of the same packet within this turn.
        await turn()
      }
      if (failure) throw failure
      return !over
    },
    stop() {
      clearTimeout(unconfirmed)
      signal.removeEventListener('abort', aborted)
      void ignoreErrors(sub.unsubscribe(), 'the subscription has ended')
    },
  }
}

/** Pages of a subscription by stream prefix. It resumes from its own position after a dropped connection and after a clean end. */
export async function* subscribeInPages(
  client: EventStoreDBClient,
  { after, prefix, callMs, wait, signal }: SubscriptionOptions,
): AsyncGenerator<Page> {
  let at = after !== null && isUsablePosition(after) ? after : 0n
  while (!signal.aborted) {
    await turn()
    const sub = client.subscribeToAll(
      {
        fromPosition: at === 0n ? START : { commit: at, prepare: at },
        filter: streamNameFilter({
          prefixes: [prefix],
          checkpointInterval: 32,
          checkpointReached: (own, { commit }) => void own.push({ mark: 'checkpoint', position: commit }),
        }),
      },
      { highWaterMark: pageSize },
    )
    sub.on('caughtUp', () => sub.push({ mark: 'caughtUp' }))
    sub.on('fellBehind', () => sub.push({ mark: 'behind' }))
    const reader = createBatchReader(sub, callMs, signal)
    let live = false
    let reported = false
    let fault: unknown = new Unavailable('Server ended the subscription')
    try {
      do {
        for (let batch = reader.readBuffered(); batch.length > 0 || (live && !reported); batch = reader.readBuffered()) {
          wait.over()
          const before = at
          const events: StoredEvent[] = []
          for (const one of batch) {
            if ('mark' in one) {
              if (one.mark !== 'checkpoint') live = one.mark === 'caughtUp'
              else if (isUsablePosition(one.position) && one.position > at) at = one.position
            } else {
              const position = positionOf(one)
              // Events at or before our position were delivered already.
              if (position <= at) continue
              at = position
              if (one.event) events.push(toStoredEvent(one.event, position))
            }
          }
          const caughtUp: boolean = live && batch.length < pageSize
          if (signal.aborted) return
          if (at > before || (caughtUp && !reported)) yield { events, position: at, caughtUp }
          reported = live && (reported || caughtUp)
        }
      } while (await reader.waitForMore())
    } catch (error) {
      if ((error as { type?: string }).type === ErrorType.ACCESS_DENIED || !isRemote(error)) throw error
      fault = error
    } finally {
      reader.stop()
    }
    if (!signal.aborted) await wait.pause(fault, signal)
  }
}

/** Errors of the store end the subscription, which then resumes; errors of our own code end the processor. */
const isRemote = (error: unknown) =>
  error instanceof Unavailable || (error as { code?: unknown }).code !== undefined || 'type' in (error as object)
