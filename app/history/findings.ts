import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Finding } from '#domain/history/contract.ts'
import type { Database } from '#projections/database.ts'
import type { EventMacKey, EventMacKeys } from '../crypto/event-mac-keys.ts'
import { secretKey } from '../crypto/key-object.ts'

/** The stored result of a ticket's last verification. */
export type ChainFinding = { ticketId: number; holds: boolean; brokenAt: number | null; reason: string | null; checkedAt: string }

/** The MAC of a finding, so that a writer without the key cannot mark a history as valid. */
export const macOf = ({ key }: EventMacKey, { ticketId, holds, brokenAt, reason, checkedAt }: ChainFinding): string =>
  createHmac('sha256', secretKey(key))
    .update(JSON.stringify(['ticket chain', ticketId, holds, brokenAt, reason, Date.parse(checkedAt)]))
    .digest('hex')

export const isOurs = (by: EventMacKey, { mac, ...found }: ChainFinding & { mac: string | null }): boolean => {
  const [stored, made] = [Buffer.from(mac ?? ''), Buffer.from(macOf(by, found))]
  return stored.length === made.length && timingSafeEqual(stored, made)
}

/** A finding dated after this time is forged; the tolerance allows for clock differences. */
export const future = sql<string>`now() + interval '10 minutes'`

type Deps = { db: Kysely<Database>; eventMacKeys: EventMacKeys & { current: EventMacKey }; logger: Logger }

/** Stores the finding of a ticket for the list, and logs the first failure. */
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
    const isNew = await row
      .onConflict((old) =>
        old
          .column('ticketId')
          .doUpdateSet(kept)
          .where((eb) => eb.or([eb('ticketChain.holds', '=', true), eb('ticketChain.checkedAt', '>', future)])),
      )
      .returning('ticketId')
      .executeTakeFirst()
    const message = found.reason === 'key' ? 'Contact key of a ticket is missing' : 'Ticket history was altered'
    if (isNew) logger.error({ companyId, ticketId, revision: found.brokenAt, reason: found.reason }, message)
  }
  await row.onConflict((old) => old.column('ticketId').doUpdateSet(kept)).execute()
}

/** Rows per check, so that 100,000 tickets are checked within twenty minutes. */
const page = 5000
/** The last checked ticket of the current round. */
export type FindingsCursor = { ticketId: number }

/** The tickets among the next rows whose finding has a wrong MAC; they are verified again. */
export async function notOurs(db: Kysely<Database>, by: EventMacKey, cursor: FindingsCursor): Promise<number[]> {
  const rows = await db
    .selectFrom('ticketChain')
    .select(['ticketId', 'holds', 'brokenAt', 'reason', 'checkedAt', 'mac'])
    .where('ticketId', '>', cursor.ticketId)
    .orderBy('ticketId')
    .limit(page)
    .execute()
  cursor.ticketId = rows.length < page ? 0 : rows.at(-1)!.ticketId
  return rows.filter((row) => !isOurs(by, row)).map(({ ticketId }) => ticketId)
}
