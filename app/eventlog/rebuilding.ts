import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { TicketEvent } from '#domain/ticket/events.ts'
import type { Database } from '#projections/database.ts'
import { openStore } from '#projections/postgres.ts'
import { type Projector, project } from '#projections/projector.ts'
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
import type { EventLog } from './eventlog.ts'
import { facts } from './facts.ts'
import { claim } from './follower.ts'
import type { ContactKeys } from './keys.ts'

type Deps = { db: Kysely<Database>; connectionString: string; log: EventLog; keys: ContactKeys }
export type Rebuilt = { events: number; position: bigint; sums: Sum[]; differences: Difference[] }

const patienceMs = 15_000

/**
 * Builds a projector's tables anew from the first event, beside the live ones, while reads and writes go on; compares the two at the
 * same position and swaps them in one transaction.
 */
export async function rebuild(
  of: Projector<TicketEvent>,
  { db, connectionString, log, keys }: Deps,
  report: (events: number) => void = () => {},
): Promise<Rebuilt> {
  const release = await claim('rebuild', { connectionString }, new AbortController().signal, () => {}) // two at once would fold into the same tables
  const side = openStore(connectionString, 2, `${beside},public`)
  const own: Projector<TicketEvent> = { ...of, name: `${of.name}@rebuild` } // nobody waits for this one, and it has a checkpoint of its own
  let events = 0
  let at = -1n

  async function* told(from: bigint | null, until: bigint | null, signal: AbortSignal) {
    for await (const { events, position, caughtUp } of log.follow(from, 'ticket-', signal)) {
      const wanted = until === null ? events : events.filter((event) => event.position <= until)
      const end = until !== null && position > until ? until : position
      yield { facts: await facts(wanted, keys), end, last: caughtUp || end === until }
    }
  }
  /** Folds up to a position, inclusive; null: up to what is there now. */
  async function advance(until: bigint | null): Promise<void> {
    const enough = new AbortController()
    try {
      for await (const page of ahead(told(at < 0n ? null : at, until, enough.signal))) {
        await project(side.pool, own, page.facts, page.end)
        events += page.facts.length
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
        return compared
      })
      if (done) return { events, position: at, ...done }
    }
  } finally {
    await forgetBeside(db).catch(() => undefined)
    await side.db.destroy()
    await release?.()
  }
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
