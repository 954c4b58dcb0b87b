import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import type pg from 'pg'
import { type Logger, pino } from 'pino'
import type { TicketEvent } from '#domain/ticket/events.ts'
import type { Database } from '#projections/database.ts'
import { openStore } from '#projections/postgres.ts'
import { type Projector, project, projectLate } from '#projections/projector.ts'
import {
  beside,
  compare,
  type Difference,
  finishBeside,
  forgetBeside,
  holdStill,
  prepareBeside,
  type Sum,
  swap,
} from '#projections/rebuild.ts'
import { type Applier, applyPage } from './applying.ts'
import type { EventLog } from './eventlog.ts'
import { opened } from './facts.ts'
import { claim } from './follower.ts'
import type { ContactKeys } from './keys.ts'
import { givenUp } from './parking.ts'

type Deps = { db: Kysely<Database>; connectionString: string; log: EventLog; keys: ContactKeys; logger?: Logger }
/** `parked`: how many tickets wait in the new tables, at an event that cannot be folded. */
export type Rebuilt = { events: number; position: bigint; sums: Sum[]; differences: Difference[]; parked: number }

export const applying = (of: Projector<TicketEvent>, pool: pg.Pool): Applier => ({
  name: of.name,
  apply: (events, position) => project(pool, of, events, position),
  late: (events, parked, next) => projectLate(pool, of, events, parked, next),
})

const patienceMs = 15_000
const silent = pino({ level: 'silent' })

/**
 * Builds a projector's tables anew from the first event, beside the live ones, while reads and writes go on; compares the two at the
 * same position and swaps them in one transaction.
 */
export async function rebuild(
  of: Projector<TicketEvent>,
  { db, connectionString, log, keys, logger = silent }: Deps,
  report: (events: number) => void = () => {},
): Promise<Rebuilt> {
  const release = await claim('rebuild', { connectionString }, new AbortController().signal, () => {}) // two at once would fold into the same tables
  const side = openStore(connectionString, 2, `${beside},public`)
  const own: Projector<TicketEvent> = { ...of, name: `${of.name}@rebuild` } // nobody waits for this one, and it has a checkpoint of its own
  const applier = applying(own, side.pool)
  const left = await givenUp(db, of.name)
  let events = 0
  let at = -1n

  async function* told(from: bigint | null, until: bigint | null, signal: AbortSignal) {
    for await (const { events, position, caughtUp } of log.follow(from, 'ticket-', signal)) {
      const wanted = events.filter((event) => (until === null || event.position <= until) && !left.has(event.id))
      const end = until !== null && position > until ? until : position
      yield { opened: await opened(wanted, keys), end, last: caughtUp || end === until }
    }
  }
  /** Folds up to a position, inclusive; null: up to what is there now. */
  async function advance(until: bigint | null): Promise<void> {
    const enough = new AbortController()
    try {
      for await (const page of ahead(told(at < 0n ? null : at, until, enough.signal))) {
        await applyPage(applier, page.opened, page.end, { db, log, keys, logger }, enough.signal)
        events += page.opened.told.length
        at = page.end
        report(events)
        if (page.last) enough.abort()
      }
    } finally {
      enough.abort() // the page asked for ahead may still wait for what comes
    }
  }

  try {
    const indexes = await prepareBeside(db, of)
    await db.deleteFrom('parked').where('follower', '=', own.name).execute() // of a rebuild that did not come to its end
    await advance(null)
    await finishBeside(db, indexes)
    for (const end = Date.now() + patienceMs; ; await sleep(50)) {
      const done = await db.transaction().execute(async (tx) => {
        await sql`set local statement_timeout = 0`.execute(tx) // to compare large tables takes its time
        const live = await holdStill(tx, of)
        const alone = live === null || Date.now() > end // no projector runs: the new tables may be ahead of what it left
        if (live !== null && live < at && !alone) return null
        if (live !== null && live > at) await advance(live)
        const compared = alone && live !== at ? { sums: (await compare(tx, of)).sums, differences: [] } : await compare(tx, of)
        await swap(tx, of, at)
        return { ...compared, parked: await takeOver(tx, of.name, own.name) }
      })
      if (done) return { events, position: at, ...done }
    }
  } finally {
    await forgetBeside(db).catch(() => undefined)
    await db
      .deleteFrom('parked')
      .where('follower', '=', own.name)
      .execute()
      .catch(() => undefined)
    await side.db.destroy()
    await release?.()
  }
}

/** What waits in the new tables waits from now on; what waited in the old ones and could be folded by now does not. Answers how many wait. */
async function takeOver(tx: Transaction<Database>, live: string, own: string): Promise<number> {
  await tx.deleteFrom('parked').where('follower', '=', live).execute()
  const { numUpdatedRows } = await tx.updateTable('parked').set({ follower: live }).where('follower', '=', own).executeTakeFirst()
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
