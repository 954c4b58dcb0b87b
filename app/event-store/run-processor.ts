import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import type { TypedMessage } from '#domain/decider.ts'
import { prefixOf } from '#domain/stream.ts'
import type { Database } from '#projections/database.ts'
import { NewerProcessorRunning, type PersistedEvent } from '#projections/projector.ts'
import { abortableSleep } from '../concurrency/abortable-sleep.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import { createSerializer } from '../concurrency/keyed-serializer.ts'
import { createBackoff, createLoggedBackoff, repeatUntilAborted } from '../concurrency/retry.ts'
import { lockIds } from '../scheduler/locks.ts'
import { decodeTolerant } from './event-codec.ts'
import { type Deps as ApplierDeps, applyPage, type EventProcessor, resumeReleased } from './event-processor.ts'
import { Unavailable } from './event-store.ts'
import { findSkippedEvents } from './parked-streams.ts'
import { isTransient } from './transient-errors.ts'

export type ProcessorOptions = EventProcessor & {
  version: number
  /** A projector starts at the first event, a new reactor at the head, so that it never reacts to old events. */
  from: 'start' | 'head'
  /** Pause after a page in milliseconds, to collect more events for the next page. Absent if a caller waits for the result. */
  restMs?: number
  /** Called before the subscription; throws if this process must not run the processor. */
  begin?: () => Promise<void>
  /** Called when a newer release built the tables but no process of that release runs any more. */
  deserted?: () => Promise<void>
}
export type Deps = ApplierDeps & { connectionString: string }

const releasedPollMs = 2000
/** How long, and how often, an older release waits for a process of the newer one before it takes the tables back. */
const supersededMs = 10_000
const supersededTimes = 3

/**
 * Runs a processor until `signal` aborts. A lock by name allows one process at a time. Transient errors are retried; an event that
 * cannot be applied parks its stream.
 */
export async function runProcessor(of: ProcessorOptions, deps: Deps, signal: AbortSignal): Promise<void> {
  const wait = createLoggedBackoff(createBackoff(200, 5000), deps.logger, `processor ${of.name}`)
  let lastError = ''
  const over = () => {
    lastError = ''
    wait.over()
  }
  let superseded = 0
  while (!signal.aborted) {
    const lockLost = new AbortController()
    const release = await acquireProcessorLock(of.name, deps, signal, () => lockLost.abort())
    if (!release) return
    let fault: unknown = new Unavailable('Processor lock lost')
    try {
      await pump(of, deps, over, AbortSignal.any([signal, lockLost.signal]))
    } catch (error) {
      fault = error
      const isRepeated = lastError === String(error) // log a lasting error once
      lastError = String(error)
      if (error instanceof NewerProcessorRunning) superseded++
      else
        deps.logger[isTransient(error) || isRepeated ? 'debug' : 'error'](
          { err: error, processor: of.name },
          'Processor failed; restarting',
        )
    } finally {
      await release()
    }
    if (signal.aborted) return
    if (!(fault instanceof NewerProcessorRunning)) {
      superseded = 0
      await wait.pause(fault, signal)
      continue
    }
    if (superseded === 1)
      deps.logger.warn({ processor: of.name, reason: fault.message }, 'Processor superseded by a newer release; standing by')
    if (superseded > supersededTimes) await of.deserted?.()
    else await abortableSleep(supersededMs, signal)
  }
}

async function pump(of: ProcessorOptions, deps: Deps, applied: () => void, signal: AbortSignal): Promise<void> {
  const { db, eventStore, contactKeys } = deps
  const checkpoint = await db.selectFrom('checkpoint').select('position').where('name', '=', of.name).executeTakeFirst()
  const start = checkpoint ? BigInt(checkpoint.position) : of.from === 'head' ? await eventStore.readHeadPosition() : null
  if (!checkpoint && start !== null) await of.apply([], start)
  await of.begin?.()
  const skipped = await findSkippedEvents(db, of.name)
  const over = new AbortController()
  const { run: inTurn } = createSerializer() // resuming a stream must not overlap with a page that skips the same stream
  const resuming = pollReleasedStreams(of, deps, inTurn, AbortSignal.any([signal, over.signal]))
  try {
    for await (const page of eventStore.subscribe(start, prefixOf(of.of), signal, { together: true })) {
      const events = skipped.size === 0 ? page.events : page.events.filter(({ id }) => !skipped.has(id))
      await inTurn(async () => applyPage(of, await decodeTolerant(of.of, events, contactKeys, of.opens), page.position, deps, signal))
      applied()
      if (of.restMs) await abortableSleep(of.restMs, signal)
      if (signal.aborted) return
    }
  } finally {
    over.abort()
    await resuming
  }
}

async function pollReleasedStreams(
  of: ProcessorOptions,
  deps: Deps,
  inTurn: ReturnType<typeof createSerializer>['run'],
  signal: AbortSignal,
): Promise<void> {
  const wait = createLoggedBackoff(createBackoff(releasedPollMs, 10_000), deps.logger, `resuming parked streams of ${of.name}`)
  async function resumeNext(): Promise<void> {
    await abortableSleep(releasedPollMs, signal)
    if (signal.aborted) return
    await inTurn(() => resumeReleased(of, deps, signal))
    wait.over()
  }
  await repeatUntilAborted(resumeNext, wait, signal)
}

/** Moves a reactor's checkpoint. A projector moves its checkpoint in the transaction of its rows. */
export async function moveCheckpoint(
  db: Kysely<Database>,
  { name, version }: Pick<ProcessorOptions, 'name' | 'version'>,
  events: PersistedEvent<TypedMessage>[],
  position: bigint,
): Promise<void> {
  const last = events.at(-1)
  const now = {
    version,
    position: String(position),
    ...(last && {
      eventId: last.eventId,
      eventAt: last.at,
      eventStream: last.stream,
      eventRevision: last.revision,
    }),
    appliedAt: sql<string>`clock_timestamp()`,
  }
  await db
    .insertInto('checkpoint')
    .values({ name, eventId: null, eventAt: null, eventStream: null, eventRevision: null, ...now })
    .onConflict((row) => row.column('name').doUpdateSet(now).where('checkpoint.position', '<=', String(position)))
    .execute()
}

/** True if no process runs the processor of that name. */
export const isProcessorLockFree = async (db: Kysely<Database>, name: string): Promise<boolean> => {
  const { rows } = await sql<{ taken: boolean }>`
    select exists (select from pg_locks where locktype = 'advisory' and granted and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())
      and classid = ${lockIds.follower}::int::oid and objid::bigint = hashtext(${name})::bigint & 4294967295) as taken`.execute(db)
  return !rows[0]!.taken
}

/** Waits for the processor lock, an advisory lock of its own connection, so that a killed process releases it. */
export async function acquireProcessorLock(
  name: string,
  { connectionString }: Pick<Deps, 'connectionString'>,
  signal: AbortSignal,
  lost: () => void,
): Promise<(() => Promise<void>) | null> {
  while (!signal.aborted) {
    const client = new pg.Client({ connectionString, keepAlive: true, connectionTimeoutMillis: 5000, application_name: `guiche ${name}` })
    const end = () => ignoreErrors(client.end(), 'the session has ended')
    client.on('error', lost)
    client.on('end', lost)
    try {
      await client.connect()
      while (!signal.aborted) {
        const { rows } = await client.query('select pg_try_advisory_lock($1, hashtext($2)) as mine', [lockIds.follower, name])
        if (rows[0].mine) return end
        await abortableSleep(500, signal)
      }
    } catch {
      await abortableSleep(500, signal)
    }
    await end()
  }
  return null
}
