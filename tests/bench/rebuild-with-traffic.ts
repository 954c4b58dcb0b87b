import { contactKeys } from '#app/crypto/contact-keys.ts'
import type { EventStore } from '#app/event-store/event-store.ts'
import { createPostgresEventStore } from '#app/event-store/postgres.ts'
import { rebuild } from '#app/event-store/rebuild.ts'
import { prefixOf } from '#domain/stream.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { ticketProjector } from '#projections/ticket/projector.ts'
import type { Figure } from './bench.ts'
import { asker } from './http.ts'
import { writing } from './inbound.ts'
import { round, spread } from './measure.ts'

/** A rebuild beside the live tables while customers write and lists are read. Rows are compared before the swap. */
export const rebuildWithTraffic: Figure = async (bench) => {
  const { activeTickets, token, server, db, pool, url, masterKey } = bench
  const { url: origin } = await server()
  const { path, admin, body } = writing(bench)
  const stop = new AbortController()
  const lists: number[] = []
  let taken = 0
  const traffic = async () => {
    const one = await asker(origin)
    for (let n = 0; !stop.signal.aborted; n++) {
      const answered = await one.ask('POST', path, token(admin(n)), body(n))
      if (answered.status === 202) taken++
      const list = await one.ask('GET', '/tickets?status=open&pageSize=40&showAll=true', token(activeTickets.admins[n % 60]!))
      if (list.status !== 200) throw new Error(`the list answered ${list.status}`)
      lists.push(list.ms)
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
    one.close()
  }
  const log = await createPostgresEventStore({ connectionString: url() })
  const floor = await readAlone(log, 300_000)
  const under = traffic()
  const began = performance.now()
  const { events, differences, sums } = await rebuild(ticketProjector, {
    db,
    connectionString: url(),
    eventStore: log,
    contactKeys: contactKeys(pool, masterKey),
  })
  const seconds = (performance.now() - began) / 1000
  stop.abort()
  await under
  await log.close()
  const reads = spread(lists, seconds)
  return [
    {
      figure: 'P12',
      what: `rebuild of all read models from ${events} events, with ${round(taken / seconds)} inbound messages/s`,
      ours: `${round(seconds)} s, ${Math.round(events / seconds)} events/s; ${differences.length} tables differ; lists p95 ${reads.p95} ms meanwhile`,
      floor: `${floor} events/s, read and not looked into`,
      goal: '≤ 2 min for 3 M events, same checksums',
      reference: 'impossible',
      held: differences.length === 0 && events / seconds >= 25_000,
      raw: { seconds, events, taken, differences, sums, reads, floor },
    },
  ]
}

/** The events a second that the log delivers in the page size of a rebuild. */
async function readAlone(log: EventStore, most: number): Promise<number> {
  const enough = new AbortController()
  const began = performance.now()
  let n = 0
  for await (const { events, caughtUp } of log.subscribe(null, prefixOf(ticketStream), enough.signal)) {
    n += events.length
    if (caughtUp || n >= most) break
  }
  enough.abort()
  return Math.round((n / (performance.now() - began)) * 1000)
}
