import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Finding } from '#domain/history/contract.ts'
import type { Database } from '#projections/database.ts'
import type { EventMacKey, EventMacKeys } from '../crypto/event-mac-keys.ts'
import { secretKey } from '../crypto/key-object.ts'

/** What was found when a ticket was last walked through, as its row keeps it. */
export type Found = { ticketId: number; holds: boolean; brokenAt: number | null; reason: string | null; checkedAt: string }

/** Signed with the log's key: who can only write to the table cannot say that a chain holds. */
export const macOf = ({ key }: EventMacKey, { ticketId, holds, brokenAt, reason, checkedAt }: Found): string =>
  createHmac('sha256', secretKey(key))
    .update(JSON.stringify(['ticket chain', ticketId, holds, brokenAt, reason, Date.parse(checkedAt)]))
    .digest('hex')

export const isOurs = (by: EventMacKey, { mac, ...found }: Found & { mac: string | null }): boolean => {
  const [stored, made] = [Buffer.from(mac ?? ''), Buffer.from(macOf(by, found))]
  return stored.length === made.length && timingSafeEqual(stored, made)
}

/** A finding from the future was made by nobody here; clocks may differ by so much. */
export const future = sql<string>`now() + interval '10 minutes'`

type Deps = { db: Kysely<Database>; eventMacKeys: EventMacKeys & { current: EventMacKey }; logger: Logger }

/** Keeps what was found of a ticket for the list, and tells the operator the first time it is no good. */
export async function keepFinding(
  { db, eventMacKeys, logger }: Deps,
  of: { companyId: number; ticketId: number },
  found: Finding,
): Promise<void> {
  const { companyId, ticketId } = of
  const checked = { ...found, checkedAt: new Date().toISOString() }
  const kept = { ...checked, mac: macOf(eventMacKeys.current, { ticketId, ...checked }) }
  const row = db.insertInto('ticketChain').values({ ticketId, companyId, ...kept })
  if (!found.holds) {
    const newly = await row
      .onConflict((old) =>
        old
          .column('ticketId')
          .doUpdateSet(kept)
          .where((eb) => eb.or([eb('ticketChain.holds', '=', true), eb('ticketChain.checkedAt', '>', future)])),
      )
      .returning('ticketId')
      .executeTakeFirst()
    const what = found.reason === 'key' ? 'the key to the words of a ticket is missing' : 'the history of a ticket was changed'
    if (newly) logger.error({ companyId, ticketId, revision: found.brokenAt, reason: found.reason }, what)
  }
  await row.onConflict((old) => old.column('ticketId').doUpdateSet(kept)).execute()
}

/** So many rows are looked at at once: those of 100,000 tickets within twenty minutes. */
const page = 5000
/** How far a store's rows were looked at in this round. */
const cursors = new WeakMap<Kysely<Database>, number>()

/** Of the next rows, the tickets whose finding nobody here made: they are walked through anew. */
export async function notOurs(db: Kysely<Database>, by: EventMacKey): Promise<number[]> {
  const rows = await db
    .selectFrom('ticketChain')
    .select(['ticketId', 'holds', 'brokenAt', 'reason', 'checkedAt', 'mac'])
    .where('ticketId', '>', cursors.get(db) ?? 0)
    .orderBy('ticketId')
    .limit(page)
    .execute()
  cursors.set(db, rows.length < page ? 0 : rows.at(-1)!.ticketId)
  return rows.filter((row) => !isOurs(by, row)).map(({ ticketId }) => ticketId)
}
