import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import type { TypedMessage } from '#domain/decider.ts'
import { prefixOf } from '#domain/stream.ts'
import type { Database } from '#projections/database.ts'
import { type PersistedEvent, Superseded } from '#projections/projector.ts'
import { createBackoff, createLoggedBackoff } from '../concurrency/retry.ts'
import { lockIds } from '../scheduler/locks.ts'
import { decodeTolerant } from './event-codec.ts'
import { type Deps as ApplierDeps, applyPage, type EventProcessor, resumeReleased } from './event-processor.ts'
import { Unavailable } from './event-store.ts'
import { givenUp } from './parked-streams.ts'
import { isTransient } from './transient-errors.ts'

export type ProcessorOptions = EventProcessor & {
  version: number
  /** A projector begins at the first event, a new reactor at the head: a rebuild or a late start never sends. */
  from: 'start' | 'head'
  /** How long it lets events gather behind a page before it asks for the next, in milliseconds; absent: somebody waits for what it does. */
  restMs?: number
  /** Asked before it follows: throws where it must not. */
  begin?: () => Promise<void>
  /** A newer release built what it writes, and nobody of that release follows any more. */
  deserted?: () => Promise<void>
}
export type Deps = ApplierDeps & { connectionString: string }

const lookMs = 2000
/** So long a process of a newer release is waited for, so many times, before an older one takes the tables back. */
const supersededMs = 10_000
const supersededTimes = 3

/** Follows the log for ever, one process at a time by name; a passing fault is waited out, a poisoned event parks its stream. */
export async function runProcessor(of: ProcessorOptions, deps: Deps, signal: AbortSignal): Promise<void> {
  const wait = createLoggedBackoff(createBackoff(200, 5000), deps.logger, `follower ${of.name}`)
  let lastError = ''
  const over = () => {
    lastError = ''
    wait.over()
  }
  let superseded = 0
  while (!signal.aborted) {
    const alone = new AbortController()
    const release = await acquireProcessorLock(of.name, deps, signal, () => alone.abort())
    if (!release) return
    let fault: unknown = new Unavailable('another process may follow now')
    try {
      await pump(of, deps, over, AbortSignal.any([signal, alone.signal]))
    } catch (error) {
      fault = error
      const again = lastError === String(error) // what lasts is told once
      lastError = String(error)
      if (error instanceof Superseded) superseded++
      else
        deps.logger[isTransient(error) || again ? 'debug' : 'error'](
          { err: error, follower: of.name },
          'a follower was interrupted and comes back',
        )
    } finally {
      await release()
    }
    if (signal.aborted) return
    if (!(fault instanceof Superseded)) {
      superseded = 0
      await wait.pause(fault, signal)
      continue
    }
    if (superseded === 1) deps.logger.warn({ follower: of.name, reason: fault.message }, 'a newer release follows now; this one stands by')
    if (superseded > supersededTimes) await of.deserted?.()
    else await sleep(supersededMs, undefined, { signal }).catch(() => undefined)
  }
}

async function pump(of: ProcessorOptions, deps: Deps, applied: () => void, signal: AbortSignal): Promise<void> {
  const { db, eventStore, contactKeys } = deps
  const checkpoint = await db.selectFrom('checkpoint').select('position').where('name', '=', of.name).executeTakeFirst()
  const start = checkpoint ? BigInt(checkpoint.position) : of.from === 'head' ? await eventStore.readHeadPosition() : null
  if (!checkpoint && start !== null) await of.apply([], start)
  await of.begin?.()
  const left = await givenUp(db, of.name)
  const over = new AbortController()
  const inTurn = turns()
  const looking = lookForReleased(of, deps, inTurn, AbortSignal.any([signal, over.signal]))
  try {
    for await (const page of eventStore.subscribe(start, prefixOf(of.of), signal, { together: true })) {
      const events = left.size === 0 ? page.events : page.events.filter(({ id }) => !left.has(id))
      await inTurn(async () => applyPage(of, await decodeTolerant(of.of, events, contactKeys, of.opens), page.position, deps, signal))
      applied()
      if (of.restMs) await sleep(of.restMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
    }
  } finally {
    over.abort()
    await looking
  }
}

/** One after another: what is applied late must not meet a page that passes the same stream over. */
function turns() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(act: () => Promise<T>): Promise<T> => {
    const mine = last.then(act)
    last = mine.catch(() => undefined)
    return mine
  }
}

async function lookForReleased(of: ProcessorOptions, deps: Deps, inTurn: ReturnType<typeof turns>, signal: AbortSignal): Promise<void> {
  const wait = createLoggedBackoff(createBackoff(lookMs, 10_000), deps.logger, `going on with what was parked for ${of.name}`)
  while (!signal.aborted) {
    await sleep(lookMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    try {
      await inTurn(() => resumeReleased(of, deps, signal))
      wait.over()
    } catch (error) {
      await wait.pause(error, signal)
    }
  }
}

/** Moves a reactor's checkpoint; a projector moves its own with its rows. */
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
      eventThere: last.eventId,
    }),
    appliedAt: sql<string>`clock_timestamp()`,
  }
  await db
    .insertInto('checkpoint')
    .values({ name, eventId: null, eventAt: null, eventStream: null, eventRevision: null, eventThere: null, ...now })
    .onConflict((row) => row.column('name').doUpdateSet(now).where('checkpoint.position', '<=', String(position)))
    .execute()
}

/** Whether nobody follows under that name now. */
export const isProcessorLockFree = async (db: Kysely<Database>, name: string): Promise<boolean> => {
  const { rows } = await sql<{ taken: boolean }>`
    select exists (select from pg_locks where locktype = 'advisory' and granted and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())
      and classid = ${lockIds.follower}::int::oid and objid::bigint = hashtext(${name})::bigint & 4294967295) as taken`.execute(db)
  return !rows[0]!.taken
}

/** One process at a time: a lock of the database that ends with its connection, so that a killed holder holds nothing. */
export async function acquireProcessorLock(
  name: string,
  { connectionString }: Pick<Deps, 'connectionString'>,
  signal: AbortSignal,
  lost: () => void,
): Promise<(() => Promise<void>) | null> {
  while (!signal.aborted) {
    const client = new pg.Client({ connectionString, keepAlive: true, connectionTimeoutMillis: 5000, application_name: `guiche ${name}` })
    client.on('error', lost)
    client.on('end', lost)
    try {
      await client.connect()
      while (!signal.aborted) {
        const { rows } = await client.query('select pg_try_advisory_lock($1, hashtext($2)) as mine', [lockIds.follower, name])
        if (rows[0].mine) return () => client.end().catch(() => undefined)
        await sleep(500, undefined, { signal }).catch(() => undefined)
      }
    } catch {
      await sleep(500, undefined, { signal }).catch(() => undefined)
    }
    await client.end().catch(() => undefined)
  }
  return null
}
