import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Difference } from '#app/recount/compare.ts'
import { recountCompany } from '#app/recount/recount.ts'
import { recountTicket } from '#app/recount/ticket-facts.ts'
import { dayMs } from '#domain/duration/rules.ts'
import { dayRange } from '#domain/report/days.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import { type PersistedEvent, project } from '#projections/projector.ts'
import { openHoursOf, openMeasures } from '#projections/report/open-hours.ts'
import { ticketProjector } from '#projections/ticket/projector.ts'
import { history, placed } from '#tests/support/history.ts'
import { seededRandom } from '#tests/support/seeded-random.ts'
import { times } from '#tests/support/soak.ts'
import { closed, opened, received, user } from '#tests/support/story.ts'
import { openTables } from '#tests/support/tables.ts'

/* A generated month is projected and recounted from its events by the second definition; a soak run generates a year. */
const days = times(30, 365)
const begins = Date.parse('2026-03-05T12:00:00.000Z')
const now = begins + (days + 27) * dayMs
const chunk = 500

let tables: Awaited<ReturnType<typeof openTables>>
const events = stretched(5, times(6000, 600_000), times(240, 50_000))
beforeAll(async () => {
  tables = await openTables()
  for (let from = 0; from < events.length; from += chunk) {
    const some = events.slice(from, from + chunk)
    await project(tables.pool, ticketProjector, some, some.at(-1)!.position)
  }
})
afterAll(() => tables.drop())

/** A history whose commands are spread over the days, with seconds; the provider reports some messages of the contact late. */
function stretched(seed: number, commands: number, tickets: number): PersistedEvent<TicketEvent>[] {
  const all = history(seed, commands, tickets)
  /* The end of an import is only possible in a ticket that was opened by it; the decider does not know that. */
  const opening = new Map(all.flatMap((event) => (event.type === 'TicketOpened' ? [[event.stream, event] as const] : [])))
  const impossible = new Set(
    all.flatMap((event) =>
      /^(TicketImported|MessageImported)$/.test(event.type) && !opening.get(event.stream)?.imported ? [event.stream] : [],
    ),
  )
  const told = all.filter(({ stream }) => !impossible.has(stream))
  const first = Date.parse(told[0]!.at)
  const stretch = (days * 24 * 60) / commands // the history has one command per minute
  const moments = new Map<string, { at: string; occurredAt?: string }>()
  const throws = seededRandom(seed)
  return told.map((event) => {
    const known = moments.get(event.at)
    if (known) return { ...event, ...known }
    const at = begins + Math.floor((Date.parse(event.at) - first) * stretch) + throws.int(60_000)
    const late = event.by.kind === 'contact' && throws.chance(0.3)
    const time = {
      at: new Date(at).toISOString(),
      ...(late && { occurredAt: new Date(at - throws.int(6 * 3_600_000)).toISOString() }),
    }
    moments.set(event.at, time)
    return { ...event, ...time }
  })
}

async function recounted(companyId: number, zone: string, first: string, last: string): Promise<Difference[]> {
  const tickets = Map.groupBy(
    events.filter((event) => event.companyId === companyId),
    ({ aggregateId }) => aggregateId,
  )
  const list = [...tickets].map(([ticketId, ofTicket]) => ({ ticketId, events: ofTicket }))
  const found: Difference[] = []
  const range = dayRange(zone, now, first, last)
  const read = await recountCompany(tables.db, { companyId, zone, now, range }, list, (one) => void found.push(one))
  expect(read).toBe(list.length)
  return found
}

it.each([
  [1, 'America/Sao_Paulo', '2026-03-01', '2026-04-30'],
  [2, 'America/Sao_Paulo', '2026-03-10', '2026-03-20'],
  [1, 'Europe/Lisbon', '2026-03-28', '2026-03-30'], // the clocks change on 29 March
  [2, 'Europe/Lisbon', '2026-03-29', '2026-03-29'],
  [1, 'Asia/Kolkata', '2026-03-15', '2026-03-15'],
  [2, 'Asia/Kolkata', '2026-03-01', '2026-04-30'],
  [1, 'America/New_York', '2026-03-01', '2027-02-28'],
])('recounts company %s in %s from %s to %s as the read models', async (companyId, zone, first, last) => {
  expect((await recounted(companyId, zone, first, last)).slice(0, 12)).toEqual([])
})

it.each([1, 2])('company %s: the parts of each closing add up to its measures while it is always open', async (companyId) => {
  const openHours = await openHoursOf(tables.db, companyId)
  const { rows } = await sql<Record<string, number | null>>`
    select c.waiting_seconds, c.first_answer_seconds, c.support_seconds, c.resolution_seconds, o.*,
      1 + (select count(*)::int from ticket_closing k where k.ticket_id = c.ticket_id and k.revision < c.revision) as attendances
    from ticket_closing c cross join lateral (${openMeasures(openHours)}) o where c.company_id = ${companyId} and not is_deleted`.execute(
    tables.db,
  )
  expect(rows.length).toBeGreaterThan(15)
  const wrong = rows.filter(({ waitingSeconds, firstAnswerSeconds, supportSeconds, resolutionSeconds, attendances, ...open }) => {
    const isNear = (open: number, whole: number | null) => open >= (whole ?? 0) && open < (whole ?? 0) + attendances!
    return (
      open.waiting !== (waitingSeconds ?? 0) ||
      open.firstAnswer !== (firstAnswerSeconds ?? 0) ||
      !isNear(open.support!, supportSeconds!) ||
      !isNear(open.resolution!, resolutionSeconds!)
    )
  })
  expect(wrong.slice(0, 5)).toEqual([])
})

it('a ticket that continues another one was not started by us, even if an agent transferred it (A-COUNT-09)', () => {
  const opening = placed([{ ...opened({ ticketId: 701, predecessorId: 700 }), by: user(7), at: new Date(begins).toISOString(), of: 701 }])
  expect(recountTicket(opening)).toMatchObject({ startedByUs: false, createdAt: null })
})

it('a message whose provider time is before a change of queue waits from that change on', () => {
  const day = (time: string) => ({ at: `2026-08-07T${time}:00.000Z`, of: 702 })
  const redirected = { type: 'TicketRedirected', queueId: 6, rule: 'A-BOT-03' } as const
  const late = { ...received(1, { occurredAt: '2026-08-07T01:15:00.000Z' }), ...day('04:00') }
  const facts = [{ ...opened(), by: user(7), ...day('00:30') }, { ...redirected, ...day('02:30') }, late, { ...closed, ...day('05:00') }]
  expect(recountTicket(placed(facts as never))?.closings).toMatchObject([{ waitingSeconds: 150 * 60 }])
})
