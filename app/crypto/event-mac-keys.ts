import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '#projections/database.ts'
import { checkOf, newDataKey, unwrapSecret, wrapSecret } from './seal.ts'

/** The key that new events are signed with. */
export type EventMacKey = { id: string; key: Buffer }
export type EventMacKeys = {
  current: EventMacKey | null
  /** The key of that id; null if it is unknown, so that the MAC counts as wrong. */
  of: (id: string) => Buffer | null
}

const purpose = (id: string) => `log key ${id}`

/** Reads the stored keys that MACs are checked with (events.md 4); creates none. */
export async function readLogKeys(db: Kysely<Database>, master: Buffer): Promise<EventMacKeys> {
  const rows = await db.selectFrom('eventMacKey').select(['id', 'wrapped', 'current']).execute()
  const keys = new Map(rows.map(({ id, wrapped }) => [id, unwrapSecret(master, wrapped, purpose(id))]))
  const current = rows.find((row) => row.current)
  return {
    current: current ? { id: current.id, key: keys.get(current.id)! } : null,
    of: (id) => keys.get(id) ?? null,
  }
}

/** The same for a process that appends events: the first process of a store creates the first key. `made`: this process created it. */
export async function eventMacKeys(db: Kysely<Database>, master: Buffer): Promise<EventMacKeys & { current: EventMacKey; made: boolean }> {
  const known = await readLogKeys(db, master)
  if (known.current) return { ...known, current: known.current, made: false }
  const id = randomBytes(4).toString('hex')
  const { numInsertedOrUpdatedRows: rows } = await db
    .insertInto('eventMacKey')
    .values({ id, wrapped: wrapSecret(master, newDataKey(), purpose(id)), wrappedBy: checkOf(master) })
    .onConflict((row) => row.doNothing()) // another process may have created it first
    .executeTakeFirstOrThrow()
  const keys = await readLogKeys(db, master)
  return { ...keys, current: keys.current!, made: rows === 1n }
}

/** Wraps the rows of a secret table with the new master key. The rows are few, so one transaction is enough. */
export async function rewrapSecrets(
  db: Kysely<Database>,
  table: 'eventMacKey' | 'signingKey' | 'secretSetting' | 'connectionToken' | 'waAccount' | 'metaAccount' | 'metaLogin',
  purposeOf: (id: string) => string,
  from: Buffer,
  to: Buffer,
): Promise<number> {
  const wrappedBy = checkOf(to)
  return db.transaction().execute(async (tx) => {
    const rows = await tx.selectFrom(table).select(['id', 'wrapped']).where('wrappedBy', '<>', wrappedBy).forUpdate().execute()
    for (const { id, wrapped } of rows)
      await tx
        .updateTable(table)
        .set({ wrapped: wrapSecret(to, unwrapSecret(from, wrapped, purposeOf(id)), purposeOf(id)), wrappedBy })
        .where('id', '=', id)
        .execute()
    return rows.length
  })
}

export const rewrapLogKeys = (db: Kysely<Database>, from: Buffer, to: Buffer): Promise<number> =>
  rewrapSecrets(db, 'eventMacKey', purpose, from, to)
