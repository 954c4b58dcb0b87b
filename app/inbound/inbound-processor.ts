import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { identityKeyOf } from '#domain/contact/identity.ts'
import { numberKey } from '#domain/contact/rules.ts'
import { Refusal } from '#domain/errors.ts'
import type { Connection, InboundEvent, LeasedConnection } from '../channels/channel.ts'
import { isTemporary, withFile } from '../channels/fetch-file.ts'
import { withText } from '../channels/fetch-text.ts'
import { createBackoff, createLoggedBackoff } from '../concurrency/retry.ts'
import type { AppContext } from '../context.ts'
import { isTransient } from '../event-store/transient-errors.ts'
import { assertCaughtUp } from '../projection/wait-for-projection.ts'
import { withName } from './contact-names.ts'
import { knownContacts } from './contact-resolver.ts'
import { countDeaths, recordInHand } from './deaths.ts'
import { createDeferredEvents, isLate, pollDelays, TargetMissing } from './deferred-events.ts'
import { takeFitting } from './fitting.ts'
import type { Claims, Deps as TakeDeps } from './handle-inbound-event.ts'
import { createInFlightTracker } from './in-flight-tracker.ts'
import { forgottenAt, placeholder } from './inbound-journal.ts'

type Deps = TakeDeps & Pick<AppContext, 'media' | 'uploadDir'>

/** `awaited`: it replaces a message that could not be decrypted. */
type Entry = {
  awaited: boolean
  id: number
  externalId: string
  conversation: string
  payload: InboundEvent | null
  failures: number
  tries: number
  unsure: boolean
  /** Ordering key: the receipts of a person have a queue of their own. */
  key: string
  receivedAt: string
  /** When its file was first requested while the connection was up, in milliseconds. */
  askedAt?: number | undefined
}

/** `keys`: the identifiers of the entry's person. */
type Found = { entry: Entry; ended: boolean; keys: string[] }

const pageSize = 500
/** Pause after a page, so that more rows collect. Without it, every second message under load is read in a page of its own (P5, P19). */
const collectMs = 4
/** A longer pause while a person is at the limit, because each page then skips all of that person's waiting rows. */
const collectFullMs = 200
const giveUpAfter = 20
/** How long an event that may have ended a process is processed alone. */
const aloneMs = 5000
/** Event types that are delivery receipts. */
const receiptTypes = ['receipt', 'accepted', 'failed']
const warnAtTry = 10

/** Processes the journal of a connection until `signal` aborts: people in parallel, the events of one person in order. */
export async function processInbound(leased: LeasedConnection, deps: Deps, signal: AbortSignal): Promise<void> {
  const wait = createLoggedBackoff(createBackoff(200, 5000), deps.logger, `Inbound processing of connection ${leased.connection.id}`)
  while (!signal.aborted)
    try {
      await processJournal(leased, deps, wait, signal)
    } catch (error) {
      await logAndPause(error, leased, wait, deps, signal)
    }
}

type Wait = ReturnType<typeof createLoggedBackoff>
async function logAndPause(
  error: unknown,
  { connection }: LeasedConnection,
  wait: Wait,
  { logger }: Deps,
  signal: AbortSignal,
): Promise<void> {
  logger[isTransient(error) ? 'debug' : 'error']({ err: error, connectionId: connection.id }, 'Inbound processing failed; retrying')
  await wait.pause(error, signal)
}

/**
 * Webhook events are processed even while the connection cannot send. Socket events, and events of a connection that an admin disconnected,
 * wait until it reconnects.
 */
const canProcess = ({ status, provider, reason }: Connection, { channel }: Deps): boolean =>
  status === 'CONNECTED' || (channel?.(provider)?.webhooks === true && (status !== 'DISCONNECTED' || reason !== null))

async function processJournal(leased: LeasedConnection, deps: Deps, wait: Wait, signal: AbortSignal): Promise<void> {
  const { db } = deps
  const connectionId = leased.connection.id
  const claims: Claims = new Map()
  await assertCaughtUp(deps)
  let unsure = true // rows from before the start may have been partly applied by another process
  /** The last promise of each person's queue, by every identifier of that person. The person's next event waits for it. */
  const tails = new Map<string, Promise<void>>()
  const tracker = createInFlightTracker()
  const deferredEvents = createDeferredEvents<Entry>()
  const finished: number[] = []
  const running = new Set<Promise<void>>()
  signal.addEventListener('abort', leased.journal.set, { once: true })

  /** A failed entry is retried and delays the later ones. A deferred entry delays nobody, because its target may be among the later ones. */
  async function run(entry: Entry, keys: string[]): Promise<void> {
    tracker.start(entry.id)
    while (!signal.aborted) {
      const outcome = await processEntry(leased, claims, entry, deps)
      if (outcome === 'deferred') return defer(entry, keys)
      if (outcome === 'done') {
        finish(entry.id)
        if (entry.payload?.type === 'message') await retryDeferred(keys) // before later changes of the same message
        return
      }
      await sleep(Math.min(100 * 2 ** entry.tries++, 10_000), undefined, { signal }).catch(() => undefined)
    }
  }
  function finish(id: number): void {
    if (finished.push(id) === 1) setTimeout(() => void markDone().catch(() => undefined), 5)
  }
  function defer(entry: Entry, keys: string[]): void {
    tracker.defer(entry.id)
    for (const { id } of deferredEvents.add(entry, keys)) finish(id)
    void pollForTarget(entry, keys)
  }
  /** Polls for the target. No later inbound event announces the target if it is one of our own messages. */
  async function pollForTarget(entry: Entry, keys: string[]): Promise<void> {
    for (const pause of pollDelays()) {
      await sleep(pause, undefined, { signal }).catch(() => undefined)
      if (signal.aborted || !deferredEvents.has(entry.id)) return
      await runInOrder(keys, () => retryDeferred(keys))
    }
  }
  async function retryDeferred(keys: string[]): Promise<void> {
    for (const entry of deferredEvents.of(keys))
      if ((await processEntry(leased, claims, entry, deps)) === 'done') {
        deferredEvents.remove(entry.id)
        finish(entry.id)
      }
  }
  function runInOrder(ids: string[], act: () => Promise<void>): Promise<void> {
    const done = Promise.all(ids.map((id) => tails.get(id))).then(act)
    running.add(done)
    for (const id of ids) tails.set(id, done)
    return done.then(() => {
      running.delete(done)
      for (const id of ids) if (tails.get(id) === done) tails.delete(id)
    })
  }
  async function markDone(): Promise<void> {
    const done = finished.splice(0)
    if (done.length === 0) return
    try {
      await db
        .updateTable('inboundEvent')
        .set({
          doneAt: new Date().toISOString(),
          forgetAt: forgottenAt,
          payload: sql<null>`case when refused is not null then payload end`, // the content is sealed in the event store
          conversation: sql<string>`case when refused is not null then conversation else '' end`, // the person is not needed any more
        })
        .where(sql<boolean>`id = any(${done}::bigint[])`) // one statement, however many they are
        .execute()
      if (tracker.finish(done)) leased.journal.set()
    } catch {
      finished.push(...done)
      setTimeout(() => void markDone(), 500)
    }
  }

  /** Reads the oldest rows that are not in flight, with the identifiers of their people. */
  async function readPage(only: number[] | null = null): Promise<Found[]> {
    const full = tracker.full()
    const key = sql<string>`case when payload->>'type' in (${sql.join(receiptTypes)}) then 'receipts ' else '' end || conversation`
    const entries = await db
      .selectFrom('inboundEvent')
      .innerJoin('connection', 'connection.id', 'inboundEvent.connectionId') // the state at the time of this query; the leased copy may be older
      .select(['inboundEvent.id', 'externalId', 'conversation', 'payload', 'failures', 'receivedAt', key.as('key')])
      .select(['connection.status', 'connection.reason'])
      .select(
        // a subquery of one row, because for a join Postgres would read the whole journal
        sql<boolean>`coalesce((select true from inbound_event w where w.connection_id = inbound_event.connection_id and w.external_id = inbound_event.external_id || ${placeholder}), false)`.as(
          'awaited',
        ),
      )
      .where('connectionId', '=', connectionId)
      .where('doneAt', 'is', null)
      .where(sql<boolean>`inbound_event.id <> all(${tracker.ids()}::bigint[])`) // by the ids in flight, not by a position: identity order is not commit order
      .$if(only !== null, (query) => query.where(sql<boolean>`inbound_event.id = any(${only}::bigint[])`))
      .$if(full.length > 0, (query) => query.where(sql<boolean>`${key} <> all(${full}::text[])`))
      .orderBy('inboundEvent.id')
      .limit(pageSize)
      .execute()
    return Promise.all(
      entries.map(async ({ status, reason, ...one }) => {
        const entry = { ...one, unsure, tries: 0 } as Entry
        return {
          entry,
          ended: !canProcess({ ...leased.connection, status, reason }, deps),
          keys: await personOf(entry, leased.connection, db),
        }
      }),
    )
  }

  /** Resolves when the entries in flight are recorded. `over` resolves when all of them are processed. */
  async function startAll(found: Found[]): Promise<{ over: Promise<unknown> }> {
    const taken = found.filter(({ entry, keys }) => tracker.tryAdd(entry, keys))
    await recordInHand(db, leased, tracker.active())
    return { over: Promise.all(taken.map(({ entry, keys }) => runInOrder(keys, () => run(entry, keys)))) }
  }
  /** Processes each entry alone, so that only the one that ends the process is in flight when it ends. */
  async function retryAfterDeath(ids: number[]): Promise<void> {
    for (const id of ids) {
      const found = await readPage([id])
      if (found.some(({ ended }) => ended)) return
      const { over } = await startAll(found)
      await Promise.race([over, sleep(aloneMs, undefined, { signal, ref: false }).catch(() => undefined)])
    }
  }

  try {
    await retryAfterDeath(await countDeaths(db, leased, deps.logger))
    while (!signal.aborted) {
      if (!canProcess(leased.connection, deps)) {
        wait.over()
        await leased.journal.wait() // new rows wait until the connection is back
        continue
      }
      let found: Found[]
      try {
        found = await readPage()
      } catch (error) {
        await logAndPause(error, leased, wait, deps, signal) // entries in flight go on; they may wait for a file
        continue
      }
      wait.over()
      if (found.some(({ ended }) => ended)) {
        await leased.journal.wait() // the connection was ended before the last of these rows was written
        continue
      }
      await startAll(found)
      unsure &&= found.length === pageSize || tracker.isFull()
      while (!tracker.hasRoom() && !signal.aborted) await sleep(5)
      if (found.length === pageSize || signal.aborted) continue
      await sleep(tracker.isFull() ? collectFullMs : collectMs)
      await leased.journal.wait()
    }
  } finally {
    await Promise.all(running)
    await markDone()
    await recordInHand(db, leased, []).catch(() => undefined)
  }
}

/**
 * Returns the keys of the queue that an entry belongs to. A person has several identifiers, and a provider uses different ones at different
 * times. A group is one conversation. Receipts have their own queue: they may wait for a send in flight and must not delay messages.
 */
async function personOf({ conversation, payload }: Entry, connection: Connection, db: Deps['db']): Promise<string[]> {
  if (payload && receiptTypes.includes(payload.type)) return [`receipts ${numberKey(conversation)}`]
  const from = payload && 'from' in payload && !('group' in payload && payload.group) ? payload.from : []
  const ids = payload?.type === 'numberChanged' ? [...from, ...payload.to] : from
  return [numberKey(conversation), ...ids.map(identityKeyOf), ...(await knownContacts(connection, ids, db)).map((id) => `contact ${id}`)]
}

/**
 * Processes one entry and returns what becomes of it. After too many failures the entry becomes a dead letter with its
 * reason, so that it does not delay later ones for ever.
 */
async function processEntry(leased: LeasedConnection, claims: Claims, entry: Entry, deps: Deps): Promise<'done' | 'retry' | 'deferred'> {
  const { id, externalId, payload, tries, unsure } = entry
  try {
    if (!payload) return 'done'
    const attempt = { externalId, unsure: unsure || tries + entry.failures > 0, tries, awaited: entry.awaited }
    const named = await withName(leased.connection, payload, deps)
    const whole = await withText(await withFile(named, leased, entry, deps), leased, entry, deps)
    await takeFitting(leased, claims, attempt, whole, deps)
    return 'done'
  } catch (error) {
    if (error instanceof TargetMissing && !isLate(entry)) return 'deferred'
    if (error instanceof TargetMissing) {
      deps.logger.info(
        { inboundEventId: id, connectionId: leased.connection.id, type: error.message },
        'Inbound event dropped; its target message did not arrive',
      )
      return 'done'
    }
    const refused = error instanceof Refusal && error.status < 500 ? error.code : null
    if (!refused && (isTemporary(error) || entry.failures < giveUpAfter)) {
      const silent = isTemporary(error) && tries !== warnAtTry
      deps.logger[silent ? 'debug' : 'warn'](
        { err: error, inboundEventId: id, tries, failures: entry.failures },
        'Inbound event failed; retrying',
      )
      if (!isTemporary(error)) await countFailure(entry, deps)
      return 'retry'
    }
    deps.logger.error({ err: error, inboundEventId: id }, 'Inbound event moved to dead letters')
    return deps.db
      .updateTable('inboundEvent')
      .set({ refused: refused ?? 'ERR_INTERNAL' })
      .where('id', '=', id)
      .execute()
      .then(
        () => 'done' as const,
        () => 'retry' as const,
      )
  }
}

/** Counts a failure in the journal row, so that restarts do not reset the count. Transient errors do not count. */
async function countFailure(entry: Entry, { db }: Deps): Promise<void> {
  entry.failures += 1
  await db
    .updateTable('inboundEvent')
    .set({ failures: entry.failures })
    .where('id', '=', entry.id)
    .execute()
    .catch(() => undefined)
}
