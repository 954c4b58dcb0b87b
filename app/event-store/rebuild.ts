import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import type pg from 'pg'
import { type Logger, pino } from 'pino'
import type { Database } from '#projections/database.ts'
import { openStore } from '#projections/postgres.ts'
import { type Projector, project, projectLate } from '#projections/projector.ts'
import {
  copyLiveHashes,
  type Difference,
  differingRows,
  differingTables,
  dropShadowTables,
  finishShadowTables,
  liveSums,
  lockLiveCheckpoint,
  prepareShadowTables,
  readCheckpoint,
  type Sum,
  shadowSchema,
  shadowSums,
  swap,
} from '#projections/shadow-tables.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import type { ContactKeys } from '../crypto/contact-keys.ts'
import type { EventProcessor } from './event-processor.ts'
import type { EventStore } from './event-store.ts'
import { findSkippedEvents } from './parked-streams.ts'
import { acquireProcessorLock, isProcessorLockFree } from './run-processor.ts'
import { createShadowFold, type ShadowFold } from './shadow-fold.ts'
import { isContention } from './transient-errors.ts'

type Deps = { db: Kysely<Database>; connectionString: string; eventStore: EventStore; contactKeys: ContactKeys; logger?: Logger }
/**
 * `parked`: number of streams parked in the new tables at an event that cannot be folded. `lost`: descriptions of sealed fields that
 * cannot be read although they were not erased.
 */
export type Rebuilt = { events: number; position: bigint; sums: Sum[]; differences: Difference[]; parked: number; lost: string[] }
/** The new tables would lose personal fields that the live tables contain. */
export class PersonalFieldsUnreadable extends Error {}

export const applying = (of: Projector<any>, pool: pg.Pool): EventProcessor => ({
  name: of.name,
  of: of.of,
  apply: (events, position) => project(pool, of, events, position),
  late: (events, parked, next) => projectLate(pool, of, events, parked, next),
})

/** How long readers may delay the swap of the tables. */
const swapTimeoutMs = 120_000
/** Maximum number of positions to fold while the live projector is locked. */
const maxPositionsUnderLock = 200n
const silent = pino({ level: 'silent' })

/** `waits` is called with what the rebuild waits for. `withoutKeys` continues although personal fields get lost. */
type Options = {
  only?: string[]
  report?: (events: number) => void
  waits?: (what: string) => void
  withoutKeys?: boolean
  signal?: AbortSignal
}

/**
 * Rebuilds read models from the first event in shadow tables, while the live tables stay current. It compares both at the same position
 * and swaps them in one short transaction, so that readers and writers are not blocked. `only` selects some of the projector's models.
 */
export async function rebuild(
  all: Projector<any>,
  { db, connectionString, eventStore, contactKeys, logger = silent }: Deps,
  { only, report = () => {}, waits = () => {}, withoutKeys = false, signal = new AbortController().signal }: Options = {},
): Promise<Rebuilt> {
  if (!(await isProcessorLockFree(db, 'rebuild'))) waits('another rebuild is running')
  const release = await acquireProcessorLock('rebuild', { connectionString }, signal, () => {}) // two rebuilds would use the same shadow tables
  const side = openStore(connectionString, 2, `${shadowSchema},public`)
  const target = rebuildTarget(all, only)
  const { of, own, whole } = target
  const stores = { db, eventStore, contactKeys, logger }
  try {
    const skipped = await findSkippedEvents(db, of.name)
    const fold = createShadowFold({ processor: applying(own, side.pool), skipped, report, signal }, stores)
    const indexes = await prepareShadowTables(db, of)
    await db.deleteFrom('parkedStream').where('follower', '=', own.name).execute() // left over from an interrupted rebuild
    const stands = await readCheckpoint(db, of)
    await fold.advance(whole ? stands : (stands ?? -1n)) // never ahead of the live tables, or the rebuild would wait for them
    await finishShadowTables(db, indexes)
    const found = await compareWithLive(db, of, fold)
    const lost = fold.lostFields()
    if (lost.length > 0 && found.differences.length > 0 && !withoutKeys) throw new PersonalFieldsUnreadable(lost.join('\n'))
    const alone = await isProcessorLockFree(db, of.name)
    if (whole && alone) await fold.advance(null)
    const parked = await swapUntilDone(() => trySwap(db, target, fold, alone), waits, signal)
    return { events: fold.eventCount(), position: fold.position(), ...found, parked, lost }
  } catch (error) {
    if (!(error instanceof RebuildBlocked)) throw error
  } finally {
    await ignoreErrors(dropShadowTables(db), 'the next rebuild drops them')
    await ignoreErrors(db.deleteFrom('parkedStream').where('follower', '=', own.name).execute(), 'rows of an ended rebuild do no harm')
    await side.db.destroy()
    await release?.()
  }
  // With a parked stream, all models of the projector are rebuilt together, so that the stream is parked in all of them or in none.
  return rebuild(all, { db, connectionString, eventStore, contactKeys, logger }, { report, waits, withoutKeys, signal })
}

type RebuildTarget = ReturnType<typeof rebuildTarget>
/** The models to rebuild, and their copy that folds into the shadow tables. `whole`: these are all models of the projector. */
function rebuildTarget(all: Projector<any>, only: string[] | undefined) {
  const of = { ...all, models: all.models.filter(({ name }) => only?.includes(name) ?? true) }
  // Separate names give the rebuild its own checkpoints. Requests that wait for the live models are not woken.
  const models = of.models.map((model) => ({ ...model, name: `${model.name}@rebuild` }))
  return { of, own: { ...of, name: `${of.name}@rebuild`, models }, whole: of.models.length === all.models.length }
}

/** Compares both at one position that the live tables have already reached, so the rebuild does not wait for them. */
async function compareWithLive(db: Kysely<Database>, of: Projector<any>, fold: ShadowFold): Promise<Pick<Rebuilt, 'sums' | 'differences'>> {
  const live = await liveSums(db, of)
  if (live.position === null) return { sums: await shadowSums(db, of), differences: [] }
  await fold.advance(live.position)
  const sums = await shadowSums(db, of)
  const differences: Difference[] = []
  for (const one of differingTables(live.sums, sums)) {
    await fold.advance(await copyLiveHashes(db, of, one.table))
    differences.push({ ...one, rows: await differingRows(db, one.table) })
  }
  return { sums, differences }
}

/**
 * Swaps the tables and returns the number of parked streams, or null if the positions still differ. `alone`: no processor runs for the
 * live tables.
 */
async function trySwap(db: Kysely<Database>, { of, own, whole }: RebuildTarget, fold: ShadowFold, alone: boolean): Promise<number | null> {
  const near = await readCheckpoint(db, of)
  if (near !== null) await fold.advance(near)
  return db.transaction().execute(async (tx) => {
    const live = await lockLiveCheckpoint(tx, of)
    if (live !== null && live > fold.position() + maxPositionsUnderLock) return null // catch up without the lock first
    if (live !== null && live < fold.position() && !alone) return null
    if (live !== null) await fold.advance(live)
    if (live !== null && fold.position() < live) return null
    if (!whole && (await isAnyParked(tx, of.name, own.name))) throw new RebuildBlocked()
    await swap(tx, of, whole ? fold.position() : null)
    return whole ? takeOver(tx, of.name, own.name) : 0
  })
}

/** Repeats the swap until the positions agree. Readers may delay it for a time. */
async function swapUntilDone(act: () => Promise<number | null>, waits: (what: string) => void, signal: AbortSignal): Promise<number> {
  let reported = false
  for (const began = Date.now(); ; await sleep(50, undefined, { signal })) {
    try {
      const parked = await act()
      if (parked !== null) return parked
    } catch (error) {
      if (!isContention(error as never) || Date.now() > began + swapTimeoutMs) throw error
      if (!reported) waits('open transactions on the tables')
      reported = true
    }
  }
}

/** A stream is parked, so swapping only some models would make them disagree with the others. */
class RebuildBlocked extends Error {}
const isAnyParked = async (tx: Transaction<Database>, ...followers: string[]): Promise<boolean> =>
  (await tx.selectFrom('parkedStream').select('id').where('follower', 'in', followers).limit(1).executeTakeFirst()) !== undefined

/** Replaces the parked streams of the live projector by those of the rebuild. Returns their number. */
async function takeOver(tx: Transaction<Database>, live: string, own: string): Promise<number> {
  await tx.deleteFrom('parkedStream').where('follower', '=', live).execute()
  const { numUpdatedRows } = await tx.updateTable('parkedStream').set({ follower: live }).where('follower', '=', own).executeTakeFirst()
  return Number(numUpdatedRows)
}
