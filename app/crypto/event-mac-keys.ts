import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '#projections/database.ts'
import { checkOf, newDataKey, unwrapSecret, wrapSecret } from './seal.ts'

/** What new events are signed with. */
export type EventMacKey = { id: string; key: Buffer }
export type EventMacKeys = {
  current: EventMacKey | null
  /** The key of that id; null where there is none, so that its MAC cannot be right. */
  of: (id: string) => Buffer | null
  /** Whether the store signed from its first event on, so that none is without a MAC. */
  all: boolean
}

/*
 * That a store signs from its first event on stands in the id of its key, which the master key binds to it: nobody without that can give it
 * an id of the releases before, which did not say so and may hold what is not signed. Whoever takes the key away gains nothing: without one
 * no event holds, and the next process makes one that says the same.
 */
const ofAll = 'all-'

const purpose = (id: string) => `log key ${id}`

/** The keys by which the log's MACs are checked (events.md 4), as they are kept; none is made. */
export async function readLogKeys(db: Kysely<Database>, master: Buffer): Promise<EventMacKeys> {
  const rows = await db.selectFrom('eventMacKey').select(['id', 'wrapped', 'current']).execute()
  const keys = new Map(rows.map(({ id, wrapped }) => [id, unwrapSecret(master, wrapped, purpose(id))]))
  const current = rows.find((row) => row.current)
  return {
    current: current ? { id: current.id, key: keys.get(current.id)! } : null,
    of: (id) => keys.get(id) ?? null,
    all: rows.every(({ id }) => id.startsWith(ofAll)),
  }
}

/** The same for who writes: the first process of a store makes the first key. `made`: it was this one. */
export async function eventMacKeys(db: Kysely<Database>, master: Buffer): Promise<EventMacKeys & { current: EventMacKey; made: boolean }> {
  const known = await readLogKeys(db, master)
  if (known.current) return { ...known, current: known.current, made: false }
  const id = `${ofAll}${randomBytes(4).toString('hex')}`
  const { numInsertedOrUpdatedRows: rows } = await db
    .insertInto('eventMacKey')
    .values({ id, wrapped: wrapSecret(master, newDataKey(), purpose(id)), wrappedBy: checkOf(master) })
    .onConflict((row) => row.doNothing()) // whoever was first has made it
    .executeTakeFirstOrThrow()
  const keys = await readLogKeys(db, master)
  return { ...keys, current: keys.current!, made: rows === 1n }
}

/** The rows of a table of secrets that the old master key wraps, wrapped by the new one; few, so all at once. */
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
