import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '#projections/database.ts'
import { check, type Misfit } from '../eventlog/chain.ts'
import type { EventLog, LoggedEvent } from '../eventlog/eventlog.ts'
import type { LogKeys } from '../eventlog/log-keys.ts'
import { streamOf } from '../eventlog/store.ts'
import { sound } from './reading.ts'

type Of = { companyId: number; ticketId: number }

/** Walks through a ticket's events, and keeps what was found for the list. */
export async function walked(
  db: Kysely<Database>,
  { of }: LogKeys,
  { companyId, ticketId }: Of,
  events: LoggedEvent[],
): Promise<Misfit | null> {
  const misfit = check(events.map(sound), null, of)
  const finding = {
    holds: misfit === null,
    brokenAt: misfit && Number(misfit.revision),
    reason: misfit?.reason ?? null,
    checkedAt: new Date().toISOString(),
  }
  await db
    .insertInto('ticketChain')
    .values({ ticketId, companyId, ...finding })
    .onConflict((row) => row.column('ticketId').doUpdateSet(finding))
    .execute()
  return misfit
}

const pauseHours = 24
/** Those whose last walk is longest ago, not more often than once a day; several processes share the work. Answers how many. */
type Deps = { db: Kysely<Database>; log: EventLog; logKeys: LogKeys; logger: Logger }
export async function walkSome({ db, log, logKeys, logger }: Deps, most = 50): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows: free } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(7327, 0) as mine`.execute(tx)
    if (!free[0]!.mine) return 0
    const due = await tx
      .selectFrom('ticketHistory as h')
      .leftJoin('ticketChain as c', 'c.ticketId', 'h.id')
      .select(['h.id as ticketId', 'h.companyId', 'c.holds'])
      .where((eb) =>
        eb.or([eb('c.checkedAt', 'is', null), eb('c.checkedAt', '<', sql<string>`now() - make_interval(hours => ${pauseHours})`)]),
      )
      .orderBy('c.checkedAt', (order) => order.asc().nullsFirst())
      .limit(most)
      .execute()
    for (const { holds, ...of } of due) {
      const { events } = await log.read(streamOf(of.companyId, of.ticketId))
      const misfit = await walked(tx, logKeys, of, events)
      if (misfit && holds !== false)
        logger.error({ ...of, revision: Number(misfit.revision), reason: misfit.reason }, 'the history of a ticket was changed')
    }
    return due.length
  })
}
