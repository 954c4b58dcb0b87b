import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { ignoreErrors } from '#app/concurrency/ignore-errors.ts'
import type { ContactKeys } from '#app/crypto/contact-keys.ts'
import { createDecryptabilityCheck, lostLines, unopenedOf } from '#app/verification/decryptability.ts'
import { prefixOf } from '#domain/stream.ts'
import type { Database } from '#projections/database.ts'
import { decodeTolerant } from './event-codec.ts'
import { applyPage, type EventProcessor } from './event-processor.ts'
import type { EventStore, StoredEvent } from './event-store.ts'

type Stores = { db: Kysely<Database>; eventStore: EventStore; contactKeys: ContactKeys; logger: Logger }
type Options = {
  /** Folds into the shadow tables. */
  processor: EventProcessor
  skipped: Pick<ReadonlySet<string>, 'has'>
  report: (events: number) => void
  signal: AbortSignal
}
export type ShadowFold = ReturnType<typeof createShadowFold>

/** No request waits for a transaction of a rebuild, so they are large. That is 40 % more events a second than pages of 500 (P12). */
const eventsAtOnce = 2000

/** Folds events into the shadow tables of a rebuild, and counts the sealed fields that cannot be read. */
export function createShadowFold({ processor, skipped, report, signal }: Options, stores: Stores) {
  const { eventStore, contactKeys } = stores
  const reading = createDecryptabilityCheck(contactKeys)
  let events = 0
  let at = -1n

  async function* pages(from: bigint | null, until: bigint | null, signal: AbortSignal) {
    let batch: StoredEvent[] = []
    for await (const { events, position, caughtUp } of eventStore.subscribe(from, prefixOf(processor.of), signal)) {
      batch.push(...events.filter((event) => (until === null || event.position <= until) && !skipped.has(event.id)))
      const end = until !== null && position > until ? until : position
      const last = caughtUp || end === until
      if (!last && batch.length < eventsAtOnce) continue
      yield { batch, opened: await decodeTolerant(processor.of, batch, contactKeys), end, last }
      batch = []
    }
  }

  return {
    /** Folds up to a position, inclusive; null means up to the current end of the store. */
    async advance(until: bigint | null): Promise<void> {
      if (until !== null && until <= at) return
      const enough = new AbortController()
      const over = AbortSignal.any([signal, enough.signal])
      try {
        for await (const page of prefetch(pages(at < 0n ? null : at, until, over))) {
          signal.throwIfAborted()
          await applyPage(processor, page.opened, page.end, stores, over)
          await reading.take(await unopenedOf(page.batch, page.opened.unopened, contactKeys))
          events += page.opened.decoded.length
          at = page.end
          report(events)
          if (page.last) break // the prefetched page belongs to the next call
        }
      } finally {
        enough.abort() // the prefetched page may still wait for new events
      }
      signal.throwIfAborted()
      if (until !== null && until > at) at = until // no events exist between the last one and `until`
    },
    /** The position up to which events are folded. */
    position: () => at,
    eventCount: () => events,
    /** Descriptions of sealed fields that cannot be read although they were not erased. */
    lostFields: () => lostLines(reading.illegible),
  }
}

/** Reads and decodes the next page while the current page is processed. */
async function* prefetch<T>(pages: AsyncGenerator<T>): AsyncGenerator<T> {
  const request = () => {
    const next = pages.next()
    void ignoreErrors(next, 'thrown where the page is awaited')
    return next
  }
  for (let next = request(), page = await next; !page.done; page = await next) {
    next = request()
    yield page.value
  }
}
