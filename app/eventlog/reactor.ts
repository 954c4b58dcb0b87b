import type { Kysely } from 'kysely'
import type { TicketEvent } from '#domain/ticket/events.ts'
import type { Database } from '#projections/database.ts'
import type { Recorded } from '#projections/projector.ts'
import { type Following, moveCheckpoint } from './follower.ts'
import { hold, parkedBy, wentOn } from './parking.ts'

/** Event name → what the system does about it: a command, a job, a row. May run twice; must not matter, for ids derive from the cause. */
export type Reactor<Deps> = {
  name: string
  on: { [N in TicketEvent['type']]?: (event: Recorded<Extract<TicketEvent, { type: N }>>, deps: Deps) => Promise<unknown> }
}

const passedMs = 200
const restMs = 20
const none = new Set<number>()

/** Tickets side by side, the events of one ticket in their order. */
export function reacting<Deps>(reactor: Reactor<Deps>, deps: Deps, db: Kysely<Database>): Following {
  const of = { name: reactor.name, version: 1 }
  let passed: { events: Recorded<TicketEvent>[]; position: bigint } | null = null
  /* It may react again after a crash, so the checkpoint follows a little later, many pages at once. */
  function pass(events: Recorded<TicketEvent>[], position: bigint): void {
    if (passed === null)
      setTimeout(() => {
        const last = passed
        passed = null
        if (last) void moveCheckpoint(db, of, last.events, last.position).catch(() => undefined)
      }, passedMs).unref()
    passed = { events, position }
  }
  return {
    ...of,
    from: 'head',
    restMs,
    opens: (type) => type in reactor.on,
    async apply(events, position) {
      const wanted = events.filter(({ type }) => type in reactor.on)
      const waits = wanted.length > 0 ? await parkedBy(db, of.name) : none
      if (waits.size > 0) await hold(db, of.name, wanted, waits)
      const byTicket = Map.groupBy(
        wanted.filter(({ ticketId }) => !waits.has(ticketId)),
        ({ ticketId }) => ticketId,
      )
      await Promise.all(
        [...byTicket.values()].map(async (own) => {
          for (const event of own) await reactor.on[event.type]?.(event as never, deps)
        }),
      )
      if (events.length === 0) await moveCheckpoint(db, of, events, position)
      else pass(events, position)
    },
    async late(events, parked, next) {
      for (const event of events) await reactor.on[event.type]?.(event as never, deps)
      await wentOn(db, parked, next)
    },
  }
}
