import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { TypedMessage } from '#domain/decider.ts'
import type { StreamCategory } from '#domain/stream.ts'
import type { Database } from '#projections/database.ts'
import type { Parked } from '#projections/parked.ts'
import { type PersistedEvent, Superseded } from '#projections/projector.ts'
import { createBackoff, createLoggedBackoff } from '../concurrency/retry.ts'
import type { ContactKeys } from '../crypto/contact-keys.ts'
import { decodeTolerant, type Opened } from './event-codec.ts'
import type { EventStore } from './event-store.ts'
import { givenUp, park, parkAgain, unpark } from './parked-streams.ts'
import { isTransient } from './transient-errors.ts'

type Fact = PersistedEvent<TypedMessage>
/** Whoever deals with the events of the log: a projector or a reactor. */
export type EventProcessor = {
  name: string
  /** The kind of stream that it follows. */
  of: StreamCategory
  /** Deals with a batch and, where the checkpoint is to move with it in one transaction, moves it; what is parked is passed over. */
  apply: (events: Fact[], position: bigint) => Promise<void>
  /** Deals with what a parked stream waited with; `next`: the revision that it waits at from then on, null where it waits no longer. */
  late: (events: Fact[], parked: Parked, next: number | null) => Promise<void>
  /** Events whose sealed words it needs; absent: all. */
  opens?: (type: string) => boolean
}
export type Deps = { db: Kysely<Database>; eventStore: EventStore; contactKeys: ContactKeys; logger: Logger }

const strikes = 3
const batch = 500

/** Applies a page; an event that cannot be applied parks its stream, and everything else goes on. */
export async function applyPage(
  of: EventProcessor,
  { facts, unopened }: Opened,
  end: bigint,
  deps: Deps,
  signal: AbortSignal,
): Promise<void> {
  async function oneByOne(): Promise<void> {
    for (const event of facts) {
      const aside = (error: unknown) => setAside(of, event, error, deps)
      if (unopened.has(event.eventId)) await aside(unopened.get(event.eventId))
      else await patiently(of, deps, () => of.apply([event], event.position), signal, aside)
      if (signal.aborted) return // what was not applied must not be passed over
    }
    await of.apply([], end)
  }
  if (unopened.size > 0) return oneByOne()
  await patiently(
    of,
    deps,
    () => of.apply(facts, end),
    signal,
    async (error) => {
      deps.logger.error({ err: error, follower: of.name }, 'a batch failed; its events go one by one')
      await oneByOne()
    },
  )
}

/** A passing fault is waited out. What fails again and again while the database answers is a fault of the event: `otherwise` deals with it. */
async function patiently(
  of: EventProcessor,
  { db, logger }: Deps,
  act: () => Promise<void>,
  signal: AbortSignal,
  otherwise: (error: unknown) => Promise<void>,
): Promise<void> {
  const wait = createLoggedBackoff(createBackoff(100, 5000), logger, `follower ${of.name}`)
  for (let failed = 0; !signal.aborted; ) {
    try {
      await act()
      return wait.over()
    } catch (error) {
      if (error instanceof Superseded) throw error
      if (isTransient(error)) {
        await wait.pause(error, signal)
        continue
      }
      const answers = await sql`select 1`.execute(db).then(
        () => true,
        () => false,
      )
      if (answers && ++failed >= strikes) return otherwise(error)
      await wait.pause(error, signal)
    }
  }
}

async function setAside(of: EventProcessor, event: Fact, error: unknown, { db, logger }: Deps): Promise<void> {
  const { eventId, type, stream, revision } = event
  await park(db, of.name, event, error)
  try {
    await of.apply([event], event.position) // passed over
  } catch (other) {
    await unpark(db, of.name, event)
    throw other
  }
  logger.error(
    { err: error, follower: of.name, stream, revision, eventId, type },
    'a stream is parked at an event that cannot be applied; all others go on',
  )
}

/** Goes on with the streams that an operator released, each from the event at which it waited; without those that were given up. */
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
  const left = await givenUp(db, of.name)
  for (const row of released) {
    if (signal.aborted) return
    const { events } = await deps.eventStore.read(row.stream, BigInt(row.revision))
    const due = events.filter(({ id, revision }) => revision <= BigInt(row.behind) && !left.has(id))
    if (await resumed(of, row, due, deps)) logger.warn({ follower: of.name, stream: row.stream }, 'a parked stream goes on')
  }
}

async function resumed(
  of: EventProcessor,
  row: Parked,
  due: Awaited<ReturnType<EventStore['read']>>['events'],
  deps: Deps,
): Promise<boolean> {
  const { db, contactKeys, logger } = deps
  const nextOf = (i: number) => (i < due.length ? Number(due[i]!.revision) : null)
  for (let from = 0; from === 0 || from < due.length; from += batch) {
    const { facts, unopened } = await decodeTolerant(of.of, due.slice(from, from + batch), contactKeys, of.opens)
    try {
      if (unopened.size > 0) throw new Error('some do not open')
      await of.late(facts, row, nextOf(from + batch))
      continue
    } catch (error) {
      if (isTransient(error)) throw error
    }
    for (const [i, event] of facts.entries())
      try {
        if (unopened.has(event.eventId)) throw unopened.get(event.eventId)
        await of.late([event], row, nextOf(from + i + 1))
      } catch (error) {
        if (isTransient(error)) throw error
        const { eventId, type, stream, revision } = event
        await parkAgain(db, row, event, error)
        logger.error({ err: error, follower: of.name, stream, revision, eventId, type }, 'a stream that was released is parked again')
        return false
      }
  }
  return true
}
