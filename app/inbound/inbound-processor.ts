import { setTimeout as sleep } from 'node:timers/promises'
import type { LeasedConnection } from '../channels/channel.ts'
import { abortableSleep } from '../concurrency/abortable-sleep.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import { createKeyedSerializer } from '../concurrency/keyed-serializer.ts'
import { createBackoff, createLoggedBackoff, repeatUntilAborted } from '../concurrency/retry.ts'
import { isTransient } from '../event-store/transient-errors.ts'
import { assertCaughtUp } from '../projection/wait-for-projection.ts'
import { createAcknowledgementBatch } from './acknowledgement-batch.ts'
import { countDeaths, recordInFlight } from './deaths.ts'
import { createDeferredEvents } from './deferred-events.ts'
import type { Claims } from './handle-inbound-event.ts'
import { createInFlightTracker } from './in-flight-tracker.ts'
import { canProcess, createJournalReader, type FoundEntry, type JournalEntry, type Page } from './journal-reader.ts'
import { type Deps, processEntry } from './process-entry.ts'

/** Pause after a page, so that more rows collect. Without it, every second message under load is read in a page of its own (P5, P19). */
const collectMs = 4
/** A longer pause while a person is at the limit, because each page then skips all of that person's waiting rows. */
const collectFullMs = 200
/** How long an event that may have ended a process is processed alone. */
const aloneMs = 5000

/** Processes the journal of a connection until `signal` aborts: people in parallel, the events of one person in order. */
export async function processInbound(leased: LeasedConnection, deps: Deps, signal: AbortSignal): Promise<void> {
  const wait = createLoggedBackoff(createBackoff(200, 5000), deps.logger, `Inbound processing of connection ${leased.connection.id}`)
  const log = (err: unknown) =>
    deps.logger[isTransient(err) ? 'debug' : 'error']({ err, connectionId: leased.connection.id }, 'Inbound processing failed; retrying')
  const pauseAfter = async (error: unknown) => {
    log(error)
    await wait.pause(error, signal)
  }
  await repeatUntilAborted(() => processJournal(leased, deps, { over: wait.over, pauseAfter }, signal), wait, signal, log)
}

/** `over`: reading works again. `pauseAfter`: logs an error of reading and pauses. */
type Wait = { over: () => void; pauseAfter: (error: unknown) => Promise<void> }

/** Reads pages and starts their entries. At its end every started entry has ended, and what is finished is marked as done. */
async function processJournal(leased: LeasedConnection, deps: Deps, wait: Wait, signal: AbortSignal): Promise<void> {
  await assertCaughtUp(deps)
  signal.addEventListener('abort', leased.journal.set, { once: true })
  const { tracker, readPage, start, end } = createEntryRunner(leased, deps, signal)
  let unsure = true // rows from before the start may have been partly applied by another process

  /** Processes each entry alone, so that only the one that ends the process is in flight when it ends. */
  async function retryAfterDeath(ids: number[]): Promise<void> {
    for (const id of ids) {
      const page = await readPage({ unsure, only: [id] })
      if (page.isConnectionEnded) return
      const { over } = await start(page.found)
      await Promise.race([over, abortableSleep(aloneMs, signal, { ref: false })])
    }
  }

  try {
    await retryAfterDeath(await countDeaths(deps.db, leased, deps.logger))
    while (!signal.aborted) {
      if (!canProcess(leased.connection, deps)) {
        wait.over()
        await leased.journal.wait() // new rows wait until the connection is back
        continue
      }
      let page: Page
      try {
        page = await readPage({ unsure })
      } catch (error) {
        await wait.pauseAfter(error) // entries in flight go on; they may wait for a file
        continue
      }
      wait.over()
      if (page.isConnectionEnded) {
        await leased.journal.wait()
        continue
      }
      await start(page.found)
      unsure &&= page.isFull || tracker.isFull()
      while (!tracker.hasRoom() && !signal.aborted) await sleep(5)
      if (page.isFull || signal.aborted) continue
      await sleep(tracker.isFull() ? collectFullMs : collectMs)
      await leased.journal.wait()
    }
  } finally {
    await end()
  }
}

/**
 * Connects the five parts: the reader fills pages, the serializer keeps the order of each person, the tracker limits what is in flight, the
 * deferred events wait for their targets, and the batch marks finished entries as done.
 */
function createEntryRunner(leased: LeasedConnection, deps: Deps, signal: AbortSignal) {
  const { db } = deps
  const claims: Claims = new Map()
  const tracker = createInFlightTracker()
  const readPage = createJournalReader(leased, tracker, deps)
  const people = createKeyedSerializer<string>()
  const acknowledgements = createAcknowledgementBatch(db, (ids) => {
    if (tracker.finish(ids)) leased.journal.set()
  })
  const deferredEvents = createDeferredEvents<JournalEntry>(
    {
      retry: async (entry) => (await processEntry(leased, claims, entry, deps)) === 'done',
      finish: acknowledgements.add,
      runInOrder: people.run,
    },
    signal,
  )

  /** A failed entry is retried and delays the later ones. A deferred entry does not delay them, because its target may be one of them. */
  async function run(entry: JournalEntry, keys: string[]): Promise<void> {
    tracker.start(entry.id)
    while (!signal.aborted) {
      const outcome = await processEntry(leased, claims, entry, deps)
      if (outcome === 'deferred') {
        tracker.defer(entry.id)
        return deferredEvents.add(entry, keys)
      }
      if (outcome === 'done') {
        acknowledgements.add(entry.id)
        if (entry.payload?.type === 'message') await deferredEvents.retryOf(keys) // before later changes of the same message
        return
      }
      await abortableSleep(Math.min(100 * 2 ** entry.tries++, 10_000), signal)
    }
  }
  return {
    tracker,
    readPage,
    /** Resolves when the entries in flight are recorded. `over` resolves when all of them are processed. */
    async start(found: FoundEntry[]): Promise<{ over: Promise<unknown> }> {
      const added = found.filter(({ entry, keys }) => tracker.tryAdd(entry, keys))
      await recordInFlight(db, leased, tracker.active())
      return { over: Promise.all(added.map(({ entry, keys }) => people.run(keys, () => run(entry, keys)))) }
    },
    async end(): Promise<void> {
      await people.idle()
      await acknowledgements.flush()
      await ignoreErrors(recordInFlight(db, leased, []), 'finished entries count no death')
    },
  }
}
