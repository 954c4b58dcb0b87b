import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Past, PastReferences } from '#domain/state-window.ts'
import type { Database } from '#projections/database.ts'
import type { EventMacKey } from '../crypto/event-mac-keys.ts'
import { createPastMessages } from './past-messages.ts'
import { type SnapshotScope, type SnapshotStream, snapshotScope } from './snapshot-scope.ts'
import { createUsedIds, type Spent } from './used-ids.ts'

/** The folded state of a stream. A reader must compare `hash` with the hash of the event at this revision. */
export type Snapshot = { revision: bigint; hash: string; state: string }
/** Snapshots of streams, with the older messages and used ids that a state no longer contains, by key. */
export type Snapshots = ReturnType<typeof openSnapshots>

/** `older`: another process has stored the same or a newer revision. `gone`: the snapshot that `from` refers to no longer exists. */
export type SnapshotOutcome = 'kept' | 'older' | 'gone'

/**
 * The rows are signed with the event MAC key, so that altered rows are rejected. A snapshot and its rows are written in one transaction,
 * and revisions only increase. Rows by key have the snapshot's revision or a newer one. Folding events into them again changes nothing.
 */
export function openSnapshots(db: Kysely<Database>, key: EventMacKey, fold: number, logger?: Logger) {
  const scope = snapshotScope(key, fold)
  const { rowsOf, sign } = scope
  const usedIds = createUsedIds(scope)
  const pastMessages = createPastMessages(scope)
  const macOf = (of: SnapshotStream, revision: number, hash: string, state: string) => sign('snapshot', of, revision, hash, state)

  async function forget(of: SnapshotStream): Promise<void> {
    await db.deleteFrom('snapshot').where(rowsOf(of)).execute()
  }

  return {
    forget,

    async newest(of: SnapshotStream): Promise<Snapshot | null> {
      const row = await db.selectFrom('snapshot').select(['revision', 'hash', 'state', 'mac']).where(rowsOf(of)).executeTakeFirst()
      if (!row) return null
      if (row.mac !== macOf(of, row.revision, row.hash, row.state)) return forget(of).then(() => null)
      return { revision: BigInt(row.revision), hash: row.hash, state: row.state }
    },

    /** Finds past messages and used ids. Null if the snapshot is missing, is older than `from`, or has lost rows. */
    async recall(
      of: SnapshotStream,
      from: bigint,
      { messages, ids, ...places }: PastReferences,
    ): Promise<{ past: Past[]; spent: Spent[] } | null> {
      const spent = await usedIds.find(db, of, from, ids)
      if (spent === undefined) return null
      if (spent === null) return forget(of).then(() => null)
      const past = await pastMessages.find(db, of, [...messages, ...spent.flatMap(({ messageId }) => messageId ?? [])], places)
      const isWhole = spent.every(({ messageId }) => messageId === null || past?.some((one) => one.messageId === messageId))
      return past && isWhole ? { past, spent } : forget(of).then(() => null)
    },

    /** Stores a snapshot. `from`: the revision of the snapshot that the state depends on; null if the state is complete. */
    async keep(
      { companyId, stream }: SnapshotStream,
      from: bigint | null,
      { revision, hash, state }: Snapshot,
      past: Past[],
      spent: Spent[],
    ): Promise<SnapshotOutcome> {
      const of = { companyId, stream }
      const row = { ...of, fold, revision: Number(revision), hash, state, mac: macOf(of, Number(revision), hash, state) }
      const writing = db.transaction().execute(async (tx): Promise<SnapshotOutcome> => {
        if (!(await isPlaced(tx, scope, from, row))) {
          const there = await tx.selectFrom('snapshot').select('revision').where(rowsOf(of)).executeTakeFirst()
          return there && there.revision >= row.revision ? 'older' : 'gone'
        }
        const links = await usedIds.linksOf(tx, of, spent, from === null)
        if (!links) {
          await tx.deleteFrom('snapshot').where(rowsOf(of)).execute()
          return 'gone'
        }
        await pastMessages.insert(tx, of, past)
        await usedIds.insert(tx, of, links)
        return 'kept'
      })
      return writing.catch((error) => {
        logger?.warn({ err: error, ...of }, 'Snapshot not written; retrying later')
        return 'older'
      })
    },
  }
}

type SnapshotRow = SnapshotStream & { fold: number; revision: number; hash: string; state: string; mac: string }
/** Writes the snapshot's row. Returns false if a newer one is there, or the one that it depends on is not. */
async function isPlaced(tx: Kysely<Database>, { fold, rowsOf }: SnapshotScope, from: bigint | null, row: SnapshotRow): Promise<boolean> {
  const { revision, hash, state, mac } = row
  const to = { revision, hash, state, mac, takenAt: sql<string>`now()` }
  if (from !== null) {
    const one = tx.updateTable('snapshot').set(to).where(rowsOf(row)).where('revision', '>=', Number(from)).where('revision', '<', revision)
    return (await one.executeTakeFirstOrThrow()).numUpdatedRows > 0n
  }
  const old = sql<boolean>`(fold < ${fold} or fold = ${fold} and revision < ${revision})`
  await tx.deleteFrom('snapshot').where('stream', '=', row.stream).where(old).execute()
  const one = tx
    .insertInto('snapshot')
    .values(row)
    .onConflict((known) => known.doNothing())
  return ((await one.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n
}
