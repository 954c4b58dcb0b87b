import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import type { TicketEvent } from '#domain/ticket/events.ts'
import type { Database } from '#projections/database.ts'
import type { Recorded } from '#projections/projector.ts'
import { type EventLog, Unavailable } from './eventlog.ts'
import { facts } from './facts.ts'
import type { ContactKeys } from './keys.ts'
import { passing } from './passing.ts'
import { announced, backoff } from './patience.ts'

type Fact = Recorded<TicketEvent>
export type Following = {
  name: string
  version: number
  /** A projector begins at the first event, a new reactor at the head: a rebuild or a late start never sends. */
  from: 'start' | 'head'
  /** Deals with a batch and, where the checkpoint is to move with it in one transaction, moves it. */
  apply: (events: Fact[], position: bigint) => Promise<void>
  /** Events whose sealed words it needs; absent: all. */
  opens?: (type: string) => boolean
  /** How long it lets events gather behind a page before it asks for the next, in milliseconds; absent: somebody waits for what it does. */
  restMs?: number
}
export type Deps = { db: Kysely<Database>; connectionString: string; log: EventLog; keys: ContactKeys; logger: Logger }

const strikes = 3

/** Follows the log for ever, one process at a time by name; a passing fault is waited out, a poisoned event stops it loudly. */
export async function follow(of: Following, deps: Deps, signal: AbortSignal): Promise<void> {
  const wait = announced(backoff(200, 5000), deps.logger, `follower ${of.name}`)
  while (!signal.aborted) {
    const alone = new AbortController()
    const release = await claim(of.name, deps, signal, () => alone.abort())
    if (!release) return
    let fault: unknown = new Unavailable('another process may follow now')
    try {
      await pump(of, deps, wait.over, AbortSignal.any([signal, alone.signal]))
    } catch (error) {
      fault = error
      deps.logger[passing(error) ? 'debug' : 'error']({ err: error, follower: of.name }, 'a follower was interrupted and comes back')
    } finally {
      await release()
    }
    if (!signal.aborted) await wait.pause(fault, signal)
  }
}

async function pump(of: Following, { db, log, keys, logger }: Deps, applied: () => void, signal: AbortSignal): Promise<void> {
  const checkpoint = await db.selectFrom('checkpoint').select('position').where('name', '=', of.name).executeTakeFirst()
  const start = checkpoint ? BigInt(checkpoint.position) : of.from === 'head' ? await log.head() : null
  if (!checkpoint && start !== null) await of.apply([], start)
  for await (const page of log.follow(start, 'ticket-', signal)) {
    const told = await facts(page.events, keys, of.opens)
    await patiently(
      of,
      { db, logger },
      () => of.apply(told, page.position),
      signal,
      async (error) => {
        logger.error({ err: error, follower: of.name }, 'a batch failed; its events go one by one')
        await oneByOne(of, told, page.position, { db, logger }, signal)
      },
    )
    applied()
    if (of.restMs) await sleep(of.restMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
  }
}

/** A passing fault is waited out. What fails again and again while the database answers is a fault of the event: `otherwise` deals with it. */
async function patiently(
  of: Following,
  { db, logger }: Pick<Deps, 'db' | 'logger'>,
  act: () => Promise<void>,
  signal: AbortSignal,
  otherwise: (error: unknown) => Promise<void>,
): Promise<void> {
  const wait = announced(backoff(100, 5000), logger, `follower ${of.name}`)
  for (let failed = 0; !signal.aborted; ) {
    try {
      await act()
      return wait.over()
    } catch (error) {
      const answers =
        !passing(error) &&
        (await sql`select 1`.execute(db).then(
          () => true,
          () => false,
        ))
      if (answers && ++failed >= strikes) return otherwise(error)
      await wait.pause(error, signal)
    }
  }
}

async function oneByOne(
  of: Following,
  events: Fact[],
  end: bigint,
  { db, logger }: Pick<Deps, 'db' | 'logger'>,
  signal: AbortSignal,
): Promise<void> {
  for (const event of events) {
    await patiently(
      of,
      { db, logger },
      () => of.apply([event], event.position),
      signal,
      async (error) => {
        const reason = error instanceof Error ? error.message : String(error)
        logger.fatal(
          { err: error, follower: of.name, eventId: event.eventId, position: String(event.position) },
          'stopped at a poisoned event',
        )
        await stop(db, of, event, reason, signal)
        logger.warn({ follower: of.name, eventId: event.eventId }, 'goes on without the event, as an operator said')
        await of.apply([], event.position)
      },
    )
    if (signal.aborted) return // what was not applied must not be passed over
  }
  await of.apply([], end)
}

/** Stands still until an operator says, on record, that this event may be left out (`npm run rebuild -- --skip`). */
async function stop(
  db: Kysely<Database>,
  { name }: Following,
  { eventId, position }: Fact,
  reason: string,
  signal: AbortSignal,
): Promise<void> {
  const row = { name, eventId, position: String(position), reason }
  await db
    .insertInto('projectorStop')
    .values(row)
    .onConflict((stopped) => stopped.column('name').doUpdateSet(row))
    .execute()
  for (;;) {
    const skip = await db
      .selectFrom('projectorSkip')
      .select('eventId')
      .where('name', '=', name)
      .where('eventId', '=', eventId)
      .executeTakeFirst()
    if (skip) break
    await sleep(2000, undefined, { signal })
  }
  await db.deleteFrom('projectorStop').where('name', '=', name).execute()
}

/** Moves a reactor's checkpoint; a projector moves its own with its rows. */
export async function moveCheckpoint(
  db: Kysely<Database>,
  { name, version }: Pick<Following, 'name' | 'version'>,
  events: Fact[],
  position: bigint,
): Promise<void> {
  const last = events.at(-1)
  const now = {
    version,
    position: String(position),
    ...(last && { eventId: last.eventId, eventAt: last.at }),
    appliedAt: sql<string>`clock_timestamp()`,
  }
  await db
    .insertInto('checkpoint')
    .values({ name, eventId: null, eventAt: null, ...now })
    .onConflict((row) => row.column('name').doUpdateSet(now).where('checkpoint.position', '<=', String(position)))
    .execute()
}

/** One process at a time: a lock of the database that ends with its connection, so that a killed holder holds nothing. */
export async function claim(
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
        const { rows } = await client.query('select pg_try_advisory_lock(7302, hashtext($1)) as mine', [name])
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
