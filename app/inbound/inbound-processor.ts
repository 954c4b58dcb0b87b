import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { identityKeyOf } from '#domain/contact/identity.ts'
import { numberKey } from '#domain/contact/rules.ts'
import { Refusal } from '#domain/errors.ts'
import type { Connection, LeasedConnection } from '../channels/channel.ts'
import { mayPass, withFile } from '../channels/fetch-file.ts'
import { withText } from '../channels/fetch-text.ts'
import { createBackoff, createLoggedBackoff } from '../concurrency/retry.ts'
import type { AppContext } from '../context.ts'
import { isTransient } from '../event-store/transient-errors.ts'
import { assertCaughtUp } from '../projection/wait-for-projection.ts'
import { withName } from './contact-names.ts'
import { knownContacts } from './contact-resolver.ts'
import { countDeaths, recordInHand } from './deaths.ts'
import { createDeferredEvents, isLate, lookPauses, TargetMissing } from './deferred-events.ts'
import { takeFitting } from './fitting.ts'
import type { Claims, Deps as TakeDeps } from './handle-inbound-event.ts'
import { createInFlightTracker } from './in-flight-tracker.ts'
import { forgottenAt, type Noted, placeholder, understood } from './inbound-journal.ts'

type Deps = TakeDeps & Pick<AppContext, 'media' | 'uploadDir'>

/** `awaited`: it comes in the place of one that nobody could read. */
type Entry = {
  awaited: boolean
  id: number
  externalId: string
  conversation: string
  heard: Noted | null
  failures: number
  tries: number
  unsure: boolean
  /** Whose queue it stands in: of what became of ours, or of what is said. */
  key: string
  receivedAt: string
  /** Since when its file was asked for, by a line that stood. */
  askedAt?: number | undefined
}

type Found = { entry: Entry; ended: boolean; theirs: string[] }

const pageSize = 500
/** Behind a page more gathers: under load every second message asked for a page of its own (P5, P19). */
const gatherMs = 4
/** Longer where somebody has said more than is decided on at once: each page then passes over all of theirs that waits. */
const gatherFullMs = 200
const giveUpAfter = 20
/** How long an event that may have ended a process is processed alone. */
const aloneMs = 5000
/** What becomes of our own. */
const ofOurs = ['mark', 'accepted', 'failed']
const warnAtTry = 10

/** Deals with a connection's journal: conversations side by side, each in its order, until it is told to leave. */
export async function processInbound(line: LeasedConnection, deps: Deps, signal: AbortSignal): Promise<void> {
  const wait = createLoggedBackoff(createBackoff(200, 5000), deps.logger, `hearing connection ${line.connection.id}`)
  while (!signal.aborted)
    try {
      await listen(line, deps, wait, signal)
    } catch (error) {
      await interrupted(error, line, wait, deps, signal)
    }
}

type Wait = ReturnType<typeof createLoggedBackoff>
async function interrupted(
  error: unknown,
  { connection: now }: LeasedConnection,
  wait: Wait,
  { logger }: Deps,
  signal: AbortSignal,
): Promise<void> {
  logger[isTransient(error) ? 'debug' : 'error']({ err: error, connectionId: now.id }, 'hearing was interrupted and comes back')
  await wait.pause(error, signal)
}

/** What webhooks bring is dealt with also while we may not send there; what somebody ended, or a socket brings, waits until it is back. */
const hears = ({ status, provider, reason }: Connection, { channel }: Deps): boolean =>
  status === 'CONNECTED' || (channel?.(provider)?.webhooks === true && (status !== 'DISCONNECTED' || reason !== null))

async function listen(line: LeasedConnection, deps: Deps, wait: Wait, signal: AbortSignal): Promise<void> {
  const { db } = deps
  const connectionId = line.connection.id
  const claims: Claims = new Map()
  await assertCaughtUp(deps)
  let unsure = true // what waited before this process came may have been in another's hands when it ended
  /** What is heard last of each person, by all that they are known by: what they say next waits for it. */
  const last = new Map<string, Promise<void>>()
  const hand = createInFlightTracker()
  const early = createDeferredEvents<Entry>()
  const finished: number[] = []
  const running = new Set<Promise<void>>()
  signal.addEventListener('abort', line.journal.ring, { once: true })

  /** An entry that fails waits and holds those behind it; what came ahead of its message holds nobody, for that may stand behind it. */
  async function run(entry: Entry, theirs: string[]): Promise<void> {
    hand.begins(entry.id)
    while (!signal.aborted) {
      const became = await dealt(line, claims, entry, deps)
      if (became === 'ahead') return waits(entry, theirs)
      if (became === 'over') {
        finish(entry.id)
        if (entry.heard && understood(entry.heard).type === 'message') await lookAgain(theirs) // before what is done to it behind it
        return
      }
      await sleep(Math.min(100 * 2 ** entry.tries++, 10_000), undefined, { signal }).catch(() => undefined)
    }
  }
  function finish(id: number): void {
    if (finished.push(id) === 1) setTimeout(() => void settle().catch(() => undefined), 5)
  }
  function waits(entry: Entry, theirs: string[]): void {
    hand.aside(entry.id)
    for (const { id } of early.put(entry, theirs)) finish(id)
    void remind(entry, theirs)
  }
  /** Of a message of ours nothing stands behind it in the queue that would tell when it is here. */
  async function remind(entry: Entry, theirs: string[]): Promise<void> {
    for (const pause of lookPauses()) {
      await sleep(pause, undefined, { signal }).catch(() => undefined)
      if (signal.aborted || !early.has(entry.id)) return
      await behind(theirs, () => lookAgain(theirs))
    }
  }
  async function lookAgain(theirs: string[]): Promise<void> {
    for (const entry of early.of(theirs))
      if ((await dealt(line, claims, entry, deps)) === 'over') {
        early.over(entry.id)
        finish(entry.id)
      }
  }
  function behind(ids: string[], act: () => Promise<void>): Promise<void> {
    const over = Promise.all(ids.map((id) => last.get(id))).then(act)
    running.add(over)
    for (const id of ids) last.set(id, over)
    return over.then(() => {
      running.delete(over)
      for (const id of ids) if (last.get(id) === over) last.delete(id)
    })
  }
  async function settle(): Promise<void> {
    const done = finished.splice(0)
    if (done.length === 0) return
    try {
      await db
        .updateTable('inboundEvent')
        .set({
          doneAt: new Date().toISOString(),
          forgetAt: forgottenAt,
          heard: sql<null>`case when refused is not null then heard end`, // what was taken lies sealed in the log from here on
          conversation: sql<string>`case when refused is not null then conversation else '' end`, // and nobody asks any more who said it
        })
        .where(sql<boolean>`id = any(${done}::bigint[])`) // one statement, however many they are
        .execute()
      if (hand.over(done)) line.journal.ring()
    } catch {
      finished.push(...done)
      setTimeout(() => void settle(), 500)
    }
  }

  /** What came since, oldest first, with all that says who said it. */
  async function page(only: number[] | null = null): Promise<Found[]> {
    const full = hand.full()
    const key = sql<string>`case when heard->>'type' in (${sql.join(ofOurs)}) then 'told of ' else '' end || conversation`
    const entries = await db
      .selectFrom('inboundEvent')
      .innerJoin('connection', 'connection.id', 'inboundEvent.connectionId') // as it stood when the last of them was said, whatever is known here
      .select(['inboundEvent.id', 'externalId', 'conversation', 'heard', 'failures', 'receivedAt', key.as('key')])
      .select(['connection.status', 'connection.reason'])
      .select(
        // by a subquery of one row: for many rows Postgres would sooner read the whole journal
        sql<boolean>`coalesce((select true from inbound_event w where w.connection_id = journal.connection_id and w.external_id = journal.external_id || ${placeholder}), false)`.as(
          'awaited',
        ),
      )
      .where('connectionId', '=', connectionId)
      .where('doneAt', 'is', null)
      .where(sql<boolean>`journal.id <> all(${hand.ids()}::bigint[])`) // by what is in hand, not by a mark: identity order is not commit order
      .$if(only !== null, (query) => query.where(sql<boolean>`journal.id = any(${only}::bigint[])`))
      .$if(full.length > 0, (query) => query.where(sql<boolean>`${key} <> all(${full}::text[])`))
      .orderBy('inboundEvent.id')
      .limit(pageSize)
      .execute()
    return Promise.all(
      entries.map(async ({ status, reason, ...one }) => {
        const entry = { ...one, unsure, tries: 0 } as Entry
        return { entry, ended: !hears({ ...line.connection, status, reason }, deps), theirs: await personOf(entry, line.connection, db) }
      }),
    )
  }

  /** Resolves when what is begun is recorded; `over`: when all of it is processed. */
  async function begin(found: Found[]): Promise<{ over: Promise<unknown> }> {
    const taken = found.filter(({ entry, theirs }) => hand.take(entry, theirs))
    await recordInHand(db, line, hand.active())
    return { over: Promise.all(taken.map(({ entry, theirs }) => behind(theirs, () => run(entry, theirs)))) }
  }
  /** Each alone, so that only the one that ends a process is in hand when it does. */
  async function retryAfterDeath(ids: number[]): Promise<void> {
    for (const id of ids) {
      const found = await page([id])
      if (found.some(({ ended }) => ended)) return
      const { over } = await begin(found)
      await Promise.race([over, sleep(aloneMs, undefined, { signal, ref: false }).catch(() => undefined)])
    }
  }

  try {
    await retryAfterDeath(await countDeaths(db, line, deps.logger))
    while (!signal.aborted) {
      if (!hears(line.connection, deps)) {
        wait.over()
        await line.journal.rung() // what is told meanwhile waits until it is back
        continue
      }
      let found: Found[]
      try {
        found = await page()
      } catch (error) {
        await interrupted(error, line, wait, deps, signal) // here, for what is in hand may wait for a file
        continue
      }
      wait.over()
      if (found.some(({ ended }) => ended)) {
        await line.journal.rung() // it was ended before the last of them was said
        continue
      }
      await begin(found)
      unsure &&= found.length === pageSize || hand.isFull()
      while (!hand.hasRoom() && !signal.aborted) await sleep(5)
      if (found.length === pageSize || signal.aborted) continue
      await sleep(hand.isFull() ? gatherFullMs : gatherMs)
      await line.journal.rung()
    }
  } finally {
    await Promise.all(running)
    await settle()
    await recordInHand(db, line, []).catch(() => undefined)
  }
}

/**
 * All that says whose turn it is: a person has several ids, of which a provider tells now this one and now that; a group is one conversation.
 * What became of our messages may wait for whoever sends them, and holds nothing that is said.
 */
async function personOf({ conversation, heard }: Entry, connection: Connection, db: Deps['db']): Promise<string[]> {
  const inbound = heard && understood(heard)
  if (inbound && ofOurs.includes(inbound.type)) return [`told of ${numberKey(conversation)}`]
  const from = inbound && 'from' in inbound && !('group' in inbound && inbound.group) ? inbound.from : []
  const ids = inbound?.type === 'moved' ? [...from, ...inbound.to] : from
  return [numberKey(conversation), ...ids.map(identityKeyOf), ...(await knownContacts(connection, ids, db)).map((id) => `contact ${id}`)]
}

/** What becomes of an entry; what cannot be understood after many tries is set aside whole, with its reason, so that it holds nobody for ever. */
async function dealt(line: LeasedConnection, claims: Claims, entry: Entry, deps: Deps): Promise<'over' | 'waits' | 'ahead'> {
  const { id, externalId, heard, tries, unsure } = entry
  try {
    if (!heard) return 'over'
    const noting = { externalId, unsure: unsure || tries + entry.failures > 0, tries, awaited: entry.awaited }
    const named = await withName(line.connection, understood(heard), deps)
    const whole = await withText(await withFile(named, line, entry, deps), line, entry, deps)
    await takeFitting(line, claims, noting, whole, deps)
    return 'over'
  } catch (error) {
    if (error instanceof TargetMissing && !isLate(entry)) return 'ahead'
    if (error instanceof TargetMissing) {
      deps.logger.info(
        { entry: id, connectionId: line.connection.id, type: error.message },
        'what was done to a message that did not come was left',
      )
      return 'over'
    }
    const refused = error instanceof Refusal && error.status < 500 ? error.code : null
    if (!refused && (mayPass(error) || entry.failures < giveUpAfter)) {
      const silent = mayPass(error) && tries !== warnAtTry
      deps.logger[silent ? 'debug' : 'warn']({ err: error, entry: id, tries, failures: entry.failures }, 'an inbound entry waits')
      if (!mayPass(error)) await failed(entry, deps)
      return 'waits'
    }
    deps.logger.error({ err: error, entry: id }, 'an inbound entry was set aside')
    return deps.db
      .updateTable('inboundEvent')
      .set({ refused: refused ?? 'ERR_INTERNAL' })
      .where('id', '=', id)
      .execute()
      .then(
        () => 'over' as const,
        () => 'waits' as const,
      )
  }
}

/** Kept beside the entry, so that a process that is started again and again does not begin to count anew; an outage counts for nothing. */
async function failed(entry: Entry, { db }: Deps): Promise<void> {
  entry.failures += 1
  await db
    .updateTable('inboundEvent')
    .set({ failures: entry.failures })
    .where('id', '=', entry.id)
    .execute()
    .catch(() => undefined)
}
