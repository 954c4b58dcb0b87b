import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import type pg from 'pg'
import { type Logger, pino } from 'pino'
import { prefixOf } from '#domain/stream.ts'
import type { Database } from '#projections/database.ts'
import { openStore } from '#projections/postgres.ts'
import { type Projector, project, projectLate } from '#projections/projector.ts'
import {
  beside,
  besideSums,
  copyLiveHashes,
  type Difference,
  differing,
  differingRows,
  finishBeside,
  forgetBeside,
  liveSums,
  lockLive,
  prepareBeside,
  type Sum,
  standsAt,
  swap,
} from '#projections/shadow-tables.ts'
import type { ContactKeys } from '../crypto/contact-keys.ts'
import { legibility, lostLines, unopenedOf } from '../verification/decryptability.ts'
import { decodeTolerant } from './event-codec.ts'
import { applyPage, type EventProcessor } from './event-processor.ts'
import type { EventStore, StoredEvent } from './event-store.ts'
import { givenUp } from './parked-streams.ts'
import { acquireProcessorLock, isProcessorLockFree } from './run-processor.ts'
import { isContention } from './transient-errors.ts'

type Deps = { db: Kysely<Database>; connectionString: string; eventStore: EventStore; contactKeys: ContactKeys; logger?: Logger }
/** `parked`: how many streams wait in the new tables, at an event that cannot be folded; `lost`: what in them cannot be read though nobody erased it. */
export type Rebuilt = { events: number; position: bigint; sums: Sum[]; differences: Difference[]; parked: number; lost: string[] }
/** The new tables would hold nothing where the live ones have words. */
export class PersonalFieldsUnreadable extends Error {}

export const applying = (of: Projector<any>, pool: pg.Pool): EventProcessor => ({
  name: of.name,
  of: of.of,
  apply: (events, position) => project(pool, of, events, position),
  late: (events, parked, next) => projectLate(pool, of, events, parked, next),
})

/** As long as readers may keep the tables from their successors. */
const swapPatienceMs = 120_000
/** So few events may be folded while the live projector is held still. */
const fewPositions = 200n
/** More events in one transaction than whoever waits for one of them would bear: two fifths more a second than by pages of 500 (P12). */
const atOnce = 2000
const silent = pino({ level: 'silent' })

/** `waits`: told what is waited for; `withoutKeys`: goes on where words are lost by it. */
type Options = {
  only?: string[]
  report?: (events: number) => void
  waits?: (what: string) => void
  withoutKeys?: boolean
  signal?: AbortSignal
}

/**
 * Builds read models anew from the first event, beside the live ones, which are followed on; compares the two at the same position, and lets
 * them change places in one short transaction: nobody who reads or writes is held up. `only`: some of those that follow the log together.
 */
export async function rebuild(
  all: Projector<any>,
  { db, connectionString, eventStore, contactKeys, logger = silent }: Deps,
  { only, report = () => {}, waits = () => {}, withoutKeys = false, signal = new AbortController().signal }: Options = {},
): Promise<Rebuilt> {
  if (!(await isProcessorLockFree(db, 'rebuild'))) waits('another rebuild is under way')
  const release = await acquireProcessorLock('rebuild', { connectionString }, signal, () => {}) // two at once would fold into the same tables
  const side = openStore(connectionString, 2, `${beside},public`)
  const of = { ...all, models: all.models.filter(({ name }) => only?.includes(name) ?? true) }
  const whole = of.models.length === all.models.length
  const name = `${of.name}@rebuild`
  const own = { ...of, name, models: of.models.map((model) => ({ ...model, name: `${model.name}@rebuild` })) } // nobody waits for these, and they have a checkpoint of their own
  const applier = applying(own, side.pool)
  const left = await givenUp(db, of.name)
  const reading = legibility(contactKeys)
  let events = 0
  let at = -1n

  async function* pages(from: bigint | null, until: bigint | null, signal: AbortSignal) {
    let wanted: StoredEvent[] = []
    for await (const { events, position, caughtUp } of eventStore.subscribe(from, prefixOf(of.of), signal)) {
      wanted.push(...events.filter((event) => (until === null || event.position <= until) && !left.has(event.id)))
      const end = until !== null && position > until ? until : position
      const last = caughtUp || end === until
      if (!last && wanted.length < atOnce) continue
      yield { wanted, opened: await decodeTolerant(of.of, wanted, contactKeys), end, last }
      wanted = []
    }
  }
  /** Folds up to a position, inclusive; null: up to what is there now. */
  async function advance(until: bigint | null): Promise<void> {
    if (until !== null && until <= at) return
    const enough = new AbortController()
    const over = AbortSignal.any([signal, enough.signal])
    try {
      for await (const page of ahead(pages(at < 0n ? null : at, until, over))) {
        signal.throwIfAborted()
        await applyPage(applier, page.opened, page.end, { db, eventStore, contactKeys, logger }, over)
        await reading.take(await unopenedOf(page.wanted, page.opened.unopened, contactKeys))
        events += page.opened.facts.length
        at = page.end
        report(events)
        if (page.last) break // the page asked for ahead is not this one's to pass over
      }
    } finally {
      enough.abort() // the page asked for ahead may still wait for what comes
    }
    signal.throwIfAborted()
    if (until !== null && until > at) at = until // behind the last event there is nothing up to there
  }
  /** Both at one position, which the live ones came to first, so that nobody is waited for. */
  async function compared(): Promise<Pick<Rebuilt, 'sums' | 'differences'>> {
    const live = await liveSums(db, of)
    if (live.position === null) return { sums: await besideSums(db, of), differences: [] }
    await advance(live.position)
    const sums = await besideSums(db, of)
    const differences: Difference[] = []
    for (const one of differing(live.sums, sums)) {
      await advance(await copyLiveHashes(db, of, one.table))
      differences.push({ ...one, rows: await differingRows(db, one.table) })
    }
    return { sums, differences }
  }
  /** Answers how many streams wait; null: not yet, for the live ones are not where these are. `alone`: nobody follows those. */
  async function swapped(alone: boolean): Promise<number | null> {
    const near = await standsAt(db, of)
    if (near !== null) await advance(near)
    return db.transaction().execute(async (tx) => {
      const live = await lockLive(tx, of)
      if (live !== null && live > at + fewPositions) return null // it is caught up with while it goes on
      if (live !== null && live < at && !alone) return null
      if (live !== null) await advance(live)
      if (live !== null && at < live) return null
      if (!whole && (await waitsAnybody(tx, of.name, own.name))) throw new Waits()
      await swap(tx, of, whole ? at : null)
      return whole ? takeOver(tx, of.name, own.name) : 0
    })
  }

  try {
    const indexes = await prepareBeside(db, of)
    await db.deleteFrom('parkedStream').where('follower', '=', own.name).execute() // of a rebuild that did not come to its end
    const stands = await standsAt(db, of)
    await advance(whole ? stands : (stands ?? -1n)) // never before the live ones, which would be waited for
    await finishBeside(db, indexes)
    const found = await compared()
    const lost = lostLines(reading.illegible)
    if (lost.length > 0 && found.differences.length > 0 && !withoutKeys) throw new PersonalFieldsUnreadable(lost.join('\n'))
    const alone = await isProcessorLockFree(db, of.name)
    if (whole && alone) await advance(null)
    let reported = false
    for (const began = Date.now(); ; await sleep(50, undefined, { signal })) {
      try {
        const parked = await swapped(alone)
        if (parked !== null) return { events, position: at, ...found, parked, lost }
      } catch (error) {
        if (!isContention(error as never) || Date.now() > began + swapPatienceMs) throw error
        if (!reported) waits('somebody reads or writes the tables')
        reported = true
      }
    }
  } catch (error) {
    if (!(error instanceof Waits)) throw error
  } finally {
    await forgetBeside(db).catch(() => undefined)
    await db
      .deleteFrom('parkedStream')
      .where('follower', '=', own.name)
      .execute()
      .catch(() => undefined)
    await side.db.destroy()
    await release?.()
  }
  return rebuild(all, { db, connectionString, eventStore, contactKeys, logger }, { report, waits, withoutKeys, signal }) // what waits, waits in all of them or in none
}

/** A stream waits at an event: the others would hold what a part of them does not. */
class Waits extends Error {}
const waitsAnybody = async (tx: Transaction<Database>, ...followers: string[]): Promise<boolean> =>
  (await tx.selectFrom('parkedStream').select('id').where('follower', 'in', followers).limit(1).executeTakeFirst()) !== undefined

/** What waits in the new tables waits from now on; what waited in the old ones and could be folded by now does not. Answers how many wait. */
async function takeOver(tx: Transaction<Database>, live: string, own: string): Promise<number> {
  await tx.deleteFrom('parkedStream').where('follower', '=', live).execute()
  const { numUpdatedRows } = await tx.updateTable('parkedStream').set({ follower: live }).where('follower', '=', own).executeTakeFirst()
  return Number(numUpdatedRows)
}

/** One page is read and opened while the one before it is dealt with. */
async function* ahead<T>(pages: AsyncGenerator<T>): AsyncGenerator<T> {
  const asked = () => {
    const next = pages.next()
    next.catch(() => undefined) // it is thrown where it is waited for
    return next
  }
  for (let next = asked(), page = await next; !page.done; page = await next) {
    next = asked()
    yield page.value
  }
}
