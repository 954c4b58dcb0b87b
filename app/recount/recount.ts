import type { Kysely } from 'kysely'
import type { Attendant, Bar, Counters } from '#domain/dashboard/contract.ts'
import type { WithMetadata } from '#domain/decider.ts'
import { barsIn, type DayRange, periodBefore } from '#domain/report/days.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import type { Database } from '#projections/database.ts'
import { attendantsOf, barsOf, countersOf } from '#projections/report/dashboard.ts'
import { compareTicket, type Difference, differencesIn, type StoredTicket } from './compare.ts'
import { type Counted, type CountedCounters, type CountedRange, createCount } from './count.ts'
import { type RecountedTicket, recountTicket } from './ticket-facts.ts'

type Db = Kysely<Database>
type Recorded = WithMetadata<TicketEvent> & { revision: number }
/** All events of one ticket, in order. */
export type TicketHistory = { ticketId: number; events: readonly Recorded[] }

export type RecountScope = { companyId: number; zone: string; now: number; range: DayRange }

/** How many tickets are compared with their rows by one query. */
const ticketsPerQuery = 200

/**
 * Recounts the tickets of a company from their events and reports each difference to the read models. Returns the number of compared
 * tickets. `tickets`: every ticket that the read models know.
 */
export async function recountCompany(
  db: Db,
  { companyId, zone, now, range }: RecountScope,
  tickets: AsyncIterable<TicketHistory> | Iterable<TicketHistory>,
  report: (difference: Difference) => void,
): Promise<number> {
  const bars = barsIn(zone, now, range)
  const before = periodBefore(zone, now, range)
  const count = createCount(range, { zone, ...bars })
  const countBefore = createCount(before, { zone, unit: 'day', names: [] }) // without bars
  let [read, found] = [0, 0]
  for await (const batch of batchesOf(tickets)) {
    const stored = await storedTickets(
      db,
      companyId,
      batch.map(({ ticketId }) => ticketId),
    )
    for (const { ticketId, recounted } of batch) {
      if (recounted) for (const one of [count, countBefore]) one.add(recounted)
      for (const difference of compareTicket(companyId, ticketId, recounted, stored.get(ticketId) ?? null)) report(difference)
    }
    read += batch.length
    found += stored.size
  }
  const named = (what: string, recounted: unknown, stored: unknown) => {
    for (const one of differencesIn(what, recounted, stored)) report({ companyId, ticketId: null, ...one })
  }
  named('number of tickets', found, await countTickets(db, companyId))
  const scope = { companyId, range, filters: { queueIds: [], connectionIds: [], userIds: [], limit: null } }
  compareNumbers(named, count.result(), countBefore.result().counters, {
    counters: await countersOf(db, scope, before),
    attendants: await attendantsOf(db, scope),
    bars: await barsOf(db, scope, zone, bars),
  })
  return read
}

type Report = (what: string, recounted: unknown, stored: unknown) => void

/** Compares the numbers that come from the log. */
function compareNumbers(
  report: Report,
  { counters, attendants, bars }: Counted,
  before: CountedCounters,
  stored: { counters: Counters; attendants: Attendant[]; bars: Bar[] },
): void {
  report('counters', counters, fieldsOf(counters, stored.counters))
  const previous = rangeOf(before)
  report('counters.previous', previous, fieldsOf(previous, stored.counters.previous))
  const rows = new Map(stored.attendants.map((row) => [row.id, row]))
  for (const row of attendants) {
    const found = rows.get(row.id)
    report(`agent ${row.id ?? 'none'}`, row, found && fieldsOf(row, found))
    rows.delete(row.id)
  }
  for (const { id, tickets, tookPart } of rows.values()) report(`agent ${id ?? 'none'}`, { tickets: 0, tookPart: 0 }, { tickets, tookPart })
  report('bars', bars, stored.bars)
}
/** The fields of the period before, which has no counts of reopenings and deletions. */
function rangeOf({ closings: _, reopenedSince, deletedSince, reopened, consentRefused, ...range }: CountedCounters): CountedRange {
  return range
}
const fieldsOf = (fields: object, of: object): object =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, (of as Record<string, unknown>)[name]]))

/** Recounts one ticket after the other, so that only the events of one are in memory. */
async function* batchesOf(tickets: AsyncIterable<TicketHistory> | Iterable<TicketHistory>): AsyncGenerator<RecountedRow[]> {
  let batch: RecountedRow[] = []
  for await (const { ticketId, events } of tickets) {
    batch.push({ ticketId, recounted: recountTicket(events) })
    if (batch.length < ticketsPerQuery) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
type RecountedRow = { ticketId: number; recounted: RecountedTicket | null }

async function storedTickets(db: Db, companyId: number, ids: number[]): Promise<Map<number, StoredTicket>> {
  const [facts, closings] = [
    await db
      .selectFrom('ticketFact')
      .select(['id', 'createdAt', 'startedByUs', 'deletedAt'])
      .where('companyId', '=', companyId)
      .where('id', 'in', ids)
      .execute(),
    await db.selectFrom('ticketClosing').selectAll().where('companyId', '=', companyId).where('ticketId', 'in', ids).execute(),
  ]
  const byTicket = Map.groupBy(closings, ({ ticketId }) => ticketId)
  return new Map(facts.map(({ id, ...fact }) => [id, { ...fact, closings: byTicket.get(id) ?? [] }]))
}
async function countTickets(db: Db, companyId: number): Promise<number> {
  const row = await db
    .selectFrom('ticketFact')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('companyId', '=', companyId)
    .executeTakeFirstOrThrow()
  return Number(row.n)
}
