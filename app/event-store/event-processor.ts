import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { TypedMessage } from '#domain/decider.ts'
import type { StreamCategory } from '#domain/stream.ts'
import type { Database } from '#projections/database.ts'
import type { Parked } from '#projections/parked.ts'
import { NewerProcessorRunning, type PersistedEvent } from '#projections/projector.ts'
import { createBackoff, createLoggedBackoff } from '../concurrency/retry.ts'
import type { ContactKeys } from '../crypto/contact-keys.ts'
import { type DecodedPage, decodeTolerant } from './event-codec.ts'
import type { EventStore } from './event-store.ts'
import { findSkippedEvents, park, parkAgain, unpark } from './parked-streams.ts'
import { isTransient } from './transient-errors.ts'

type AnyEvent = PersistedEvent<TypedMessage>
/** A projector or a reactor: processes events in the order of the store. */
export type EventProcessor = {
  name: string
  /** The stream category that it subscribes to. */
  of: StreamCategory
  /** Processes a batch and skips parked streams. A projector also moves its checkpoint in the same transaction. */
  apply: (events: AnyEvent[], position: bigint) => Promise<void>
  /** Processes deferred events of a released stream. `next`: the revision at which it stays parked, null when it is no longer parked. */
  late: (events: AnyEvent[], parked: Parked, next: number | null) => Promise<void>
  /** Selects the event types whose sealed fields it needs; absent means all. */
  opens?: (type: string) => boolean
}
export type Deps = { db: Kysely<Database>; eventStore: EventStore; contactKeys: ContactKeys; logger: Logger }

const maxFailures = 3
const batchSize = 500

/** Applies a page. An event that cannot be applied parks its stream; all other streams continue. */
export async function applyPage(
  of: EventProcessor,
  { decoded, unopened }: DecodedPage,
  end: bigint,
  deps: Deps,
  signal: AbortSignal,
): Promise<void> {
  async function oneByOne(): Promise<void> {
    for (const event of decoded) {
      const parkEvent = (error: unknown) => parkStream(of, event, error, deps)
      if (unopened.has(event.eventId)) await parkEvent(unopened.get(event.eventId))
      else await retryOrElse(of, deps, () => of.apply([event], event.position), signal, parkEvent)
      if (signal.aborted) return // an event that was not applied must not be skipped
    }
    await of.apply([], end)
  }
  if (unopened.size > 0) return oneByOne()
  await retryOrElse(
    of,
    deps,
    () => of.apply(decoded, end),
    signal,
    async (error) => {
      deps.logger.error({ err: error, processor: of.name }, 'Batch failed; applying its events one by one')
      await oneByOne()
    },
  )
}

/**
 * Retries transient errors without limit. If `act` fails several times while the database answers, the event itself is the cause, and
 * `otherwise` handles it.
 */
async function retryOrElse(
  of: EventProcessor,
  { db, logger }: Deps,
  act: () => Promise<void>,
  signal: AbortSignal,
  otherwise: (error: unknown) => Promise<void>,
): Promise<void> {
  const wait = createLoggedBackoff(createBackoff(100, 5000), logger, `processor ${of.name}`)
  for (let failed = 0; !signal.aborted; ) {
    try {
      await act()
      return wait.over()
    } catch (error) {
      if (error instanceof NewerProcessorRunning) throw error
      if (isTransient(error)) {
        await wait.pause(error, signal)
        continue
      }
      const answers = await sql`select 1`.execute(db).then(
        () => true,
        () => false,
      )
      if (answers && ++failed >= maxFailures) return otherwise(error)
      await wait.pause(error, signal)
    }
  }
}

async function parkStream(of: EventProcessor, event: AnyEvent, error: unknown, { db, logger }: Deps): Promise<void> {
  const { eventId, type, stream, revision } = event
  await park(db, of.name, event, error)
  try {
    await of.apply([event], event.position) // skips the event, because its stream is parked now
  } catch (other) {
    await unpark(db, of.name, event)
    throw other
  }
  logger.error({ err: error, processor: of.name, stream, revision, eventId, type }, 'Stream parked: event cannot be applied')
}

/** Resumes the streams that an operator released, each from its parked event, without the events that an operator skipped. */
export async function resumeReleased(of: EventProcessor, deps: Deps, signal: AbortSignal): Promise<void> {
  const { db, logger } = deps
  const released = await db
    .selectFrom('parkedStream')
    .select(['id', 'stream', 'revision', 'behind'])
    .where('follower', '=', of.name)
    .where('releasedAt', 'is not', null)
    .orderBy('id')
    .execute()
  if (released.length === 0) return
  const skipped = await findSkippedEvents(db, of.name)
  for (const row of released) {
    if (signal.aborted) return
    const { events } = await deps.eventStore.read(row.stream, BigInt(row.revision))
    const due = events.filter(({ id, revision }) => revision <= BigInt(row.behind) && !skipped.has(id))
    if (await resumeOne(of, row, due, deps)) logger.warn({ processor: of.name, stream: row.stream }, 'Parked stream resumed')
  }
}

async function resumeOne(
  of: EventProcessor,
  row: Parked,
  due: Awaited<ReturnType<EventStore['read']>>['events'],
  deps: Deps,
): Promise<boolean> {
  const { db, contactKeys, logger } = deps
  const nextOf = (i: number) => (i < due.length ? Number(due[i]!.revision) : null)
  for (let from = 0; from === 0 || from < due.length; from += batchSize) {
    const { decoded, unopened } = await decodeTolerant(of.of, due.slice(from, from + batchSize), contactKeys, of.opens)
    try {
      if (unopened.size > 0) throw new Error('Some events cannot be unsealed')
      await of.late(decoded, row, nextOf(from + batchSize))
      continue
    } catch (error) {
      if (isTransient(error)) throw error
    }
    for (const [i, event] of decoded.entries())
      try {
        if (unopened.has(event.eventId)) throw unopened.get(event.eventId)
        await of.late([event], row, nextOf(from + i + 1))
      } catch (error) {
        if (isTransient(error)) throw error
        const { eventId, type, stream, revision } = event
        await parkAgain(db, row, event, error)
        logger.error({ err: error, processor: of.name, stream, revision, eventId, type }, 'Released stream parked again')
        return false
      }
  }
  return true
}
