import { hourMs } from '#domain/duration/rules.ts'
import { Refusal } from '#domain/errors.ts'
import { reportRange } from '#domain/report/days.ts'
import { prefixOf } from '#domain/stream.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { readCheckpoint } from '#projections/shadow-tables.ts'
import { ticketProjector } from '#projections/ticket/projector.ts'
import { decodeEvent } from '../event-store/event-codec.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { type Difference, lineOf } from '../recount/compare.ts'
import { recountCompany, type TicketHistory } from '../recount/recount.ts'
import { settingsOf } from '../setting/read.ts'
import { parseArguments, withReadAccess } from './tools.ts'

const usage = `npm run recount                                      counts this month of every company from the events, and compares
npm run recount -- --from 2026-01-01 --to 2026-01-31   other days, both included, in each company's time zone
npm run recount -- --company ID                        only one company`

const { values } = parseArguments({
  options: {
    from: { type: 'string' },
    to: { type: 'string' },
    company: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

type At = Parameters<Parameters<typeof withReadAccess>[0]>[0]

/** Every ticket of a company with its events up to a position, one at a time. */
async function* histories(eventStore: EventStore, companyId: number, until: bigint): AsyncGenerator<TicketHistory> {
  const enough = new AbortController()
  const signal = AbortSignal.any([enough.signal, AbortSignal.timeout(hourMs)])
  try {
    for await (const page of eventStore.subscribe(null, `${prefixOf(ticketStream)}${companyId}-`, signal, { together: false })) {
      for (const event of page.events) {
        if (event.revision !== 0n || event.position > until) continue
        const { events } = await eventStore.read(event.stream)
        const known = events.filter(({ position }) => position <= until)
        const decoded = known.map((one) => decodeEvent<TicketEvent>(ticketStream, one, null)) // no personal field is needed
        yield { ticketId: decoded[0]!.aggregateId, events: decoded }
      }
      if (page.caughtUp || page.position >= until) return
    }
  } finally {
    enough.abort()
  }
}

/** In one snapshot of the tables, and up to the event that they contain. */
async function recount({ db, eventStore }: At): Promise<number> {
  const ids = await db.selectFrom('company').select('id').orderBy('id').execute()
  const wanted = ids.map(({ id }) => id).filter((id) => values.company === undefined || String(id) === values.company)
  if (wanted.length === 0) return wrong(`no company ${values.company}`)
  const built = await db.selectFrom('readModel').select('version').where('name', '=', 'facts').executeTakeFirst()
  if (!built) return wrong('the read model "facts" is not built yet: start this release once')
  let different = 0
  for (const companyId of wanted) {
    const { timeZone: zone } = await settingsOf(db, companyId)
    const now = Date.now()
    const range = rangeIn(zone, now)
    if (range === null) return wrong('--from and --to are days such as 2026-01-31, and --from is not after --to')
    const read = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (tx) => {
        const until = (await readCheckpoint(tx, ticketProjector)) ?? -1n
        const report = (difference: Difference) => {
          different++
          console.error(lineOf(difference))
        }
        return recountCompany(tx, { companyId, zone, now, range }, histories(eventStore, companyId, until), report)
      })
    console.log(`company ${companyId}: ${read} tickets, ${range.first} to ${range.last} in ${zone}.`)
  }
  console.log(different === 0 ? 'Every number is equal.' : `${different} numbers differ.`)
  return different === 0 ? 0 : 1
}

function rangeIn(zone: string, now: number) {
  const isDay = (text: string | undefined) => text === undefined || (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)))
  if (!isDay(values.from) || !isDay(values.to)) return null
  try {
    return reportRange(zone, now, values.from, values.to)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

function wrong(line: string): 2 {
  console.error(line)
  return 2
}

if (values.help) console.log(usage)
else await withReadAccess(recount)
