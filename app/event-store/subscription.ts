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
import type { Announced } from '#app/concurrency/retry.ts'
import { type JsonObject, type Page, type StoredEvent, Unavailable } from '#app/event-store/event-store.ts'

/** What we push into the subscription among its events, so that it comes out in its place. */
type Marker = { mark: 'checkpoint'; position: bigint } | { mark: 'caughtUp' } | { mark: 'behind' }
type Delivered = AllStreamResolvedEvent | Marker
type Following = { after: bigint | null; prefix: string; callMs: number; wait: Announced; signal: AbortSignal }

const pageSize = 500

/** Servers 24.2 to 24.10 may send 2^64-1 on a fresh database; a follower that stored it would skip everything. */
export const possible = (position: bigint) => position >= 0n && position <= 0x7fff_ffff_ffff_ffffn

/** Old servers do not tell an event's position when its own stream is read; 0n then. */
export const logged = (event: RecordedEvent, position: bigint): StoredEvent => ({
  stream: event.streamId,
  revision: event.revision,
  position: possible(position) ? position : 0n,
  id: event.id,
  type: event.type,
  data: event.data as JsonObject,
  meta: (event.metadata ?? {}) as JsonObject,
})

function positionOf({ commitPosition, event }: AllStreamResolvedEvent): bigint {
  const position = [commitPosition, event?.position.commit].find((one) => one !== undefined && possible(one))
  if (position === undefined) throw new Error(`an event of ${event?.streamId} came without a usable position`)
  return position
}

/** Reads whatever a subscription holds at the moment; waits only when it holds nothing. */
function gatherer(sub: AllStreamSubscription, callMs: number, signal: AbortSignal) {
  let over = false
  let failure: unknown = null
  let wake = () => {}
  const end = (error: unknown = null) => {
    over = true
    failure ??= error
    wake()
  }
  // A server that takes the connection and says nothing would otherwise hold the follower for ever.
  const unconfirmed = setTimeout(() => end(new Unavailable('the subscription was not confirmed')), callMs)
  const aborted = () => end()
  signal.addEventListener('abort', aborted)
  sub.on('confirmation', () => clearTimeout(unconfirmed))
  sub.on('readable', () => wake())
  sub.on('error', end)
  sub.on('end', () => end())
  sub.on('close', () => end())
  return {
    now(): Delivered[] {
      const batch: Delivered[] = []
      for (let one = sub.read(); one !== null; one = sub.read()) {
        batch.push(one)
        if (batch.length === pageSize) break
      }
      return batch
    },
    /** False when the subscription is over. */
    async more(): Promise<boolean> {
      if (!over) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        // The rest of what came in the same packet is handed over within this turn.
        await turn()
      }
      if (failure) throw failure
      return !over
    },
    stop() {
      clearTimeout(unconfirmed)
      signal.removeEventListener('abort', aborted)
      sub.unsubscribe().catch(() => undefined)
    },
  }
}

/** A subscription by stream prefix in pages, which resumes from its own position after a drop and after a clean end alike. */
export async function* pagesOf(client: EventStoreDBClient, { after, prefix, callMs, wait, signal }: Following): AsyncGenerator<Page> {
  let at = after !== null && possible(after) ? after : 0n
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
    const gather = gatherer(sub, callMs, signal)
    let live = false
    let reported = false
    let fault: unknown = new Unavailable('the server ended the subscription')
    try {
      do {
        for (let batch = gather.now(); batch.length > 0 || (live && !reported); batch = gather.now()) {
          wait.over()
          const before = at
          const events: StoredEvent[] = []
          for (const one of batch) {
            if ('mark' in one) {
              if (one.mark !== 'checkpoint') live = one.mark === 'caughtUp'
              else if (possible(one.position) && one.position > at) at = one.position
            } else {
              const position = positionOf(one)
              // What stands at or before our position was delivered already.
              if (position <= at) continue
              at = position
              if (one.event) events.push(logged(one.event, position))
            }
          }
          const caughtUp: boolean = live && batch.length < pageSize
          if (signal.aborted) return
          if (at > before || (caughtUp && !reported)) yield { events, position: at, caughtUp }
          reported = live && (reported || caughtUp)
        }
      } while (await gather.more())
    } catch (error) {
      if ((error as { type?: string }).type === ErrorType.ACCESS_DENIED || !isRemote(error)) throw error
      fault = error
    } finally {
      gather.stop()
    }
    if (!signal.aborted) await wait.pause(fault, signal)
  }
}

/** Failures of the store end a subscription; failures of our own code end the follower. */
const isRemote = (error: unknown) =>
  error instanceof Unavailable || (error as { code?: unknown }).code !== undefined || 'type' in (error as object)
