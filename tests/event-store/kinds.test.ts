import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AppContext } from '#app/context.ts'
import { contactKeys } from '#app/crypto/contact-keys.ts'
import { eventMacKeys } from '#app/crypto/event-mac-keys.ts'
import { createAggregateRepository } from '#app/event-store/aggregate-repository.ts'
import type { EventStore } from '#app/event-store/event-store.ts'
import { createEsdbEventStore } from '#app/event-store/eventstoredb.ts'
import { release } from '#app/event-store/parked-streams.ts'
import { createPostgresEventStore } from '#app/event-store/postgres.ts'
import { type Reactor, reactorProcessor } from '#app/event-store/reactor.ts'
import { rebuild } from '#app/event-store/rebuild.ts'
import { runProcessor } from '#app/event-store/run-processor.ts'
import { openSnapshots } from '#app/event-store/snapshots.ts'
import { createProjectionWaiter } from '#app/projection/wait-for-projection.ts'
import { openProjector } from '#app/roles/projector.ts'
import { openClock } from '#app/scheduler/clock.ts'
import { verifyLog } from '#app/verification/verify.ts'
import type { EventMetadata } from '#domain/decider.ts'
import { migrate } from '#projections/migrate.ts'
import { openStore, type Store } from '#projections/postgres.ts'
import { type CounterCommand, type CounterEvent, counterStream, counters, counterTable, refused } from '#tests/support/counter.ts'
import { eventStoreDouble } from '#tests/support/eventstore.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { eventually } from '#tests/support/wait.ts'

const engines = {
  Postgres: async (url: string) => ({ log: await createPostgresEventStore({ connectionString: url }), close: async () => {} }),
  EventStoreDB: async () => {
    const double = await eventStoreDouble()
    return { log: createEsdbEventStore(double.url), close: async () => double.kill() }
  },
}
const metadata: EventMetadata = { companyId: 1, by: { kind: 'system' }, at: '2026-01-05T12:00:00.000Z' }
const add = (amount: number): CounterCommand & EventMetadata => ({ type: 'Add', amount, ...metadata })

describe.each(Object.entries(engines))('a second stream category beside tickets, on %s', (_, engine) => {
  let database: FreshDatabase
  let tables: Store
  let log: EventStore
  let close: () => Promise<void>
  let app: AppContext
  const done = new AbortController()
  const running: Promise<void>[] = []
  const reacted: string[] = []
  const open = () =>
    createAggregateRepository(counterStream, {
      eventStore: log,
      contactKeys: app.contactKeys,
      signer: app.eventMacKeys.current,
      snapshots: snapshots(),
      clock: openClock(),
    })
  const snapshots = () => openSnapshots(tables.db, app.eventMacKeys.current, counterStream.snapshot.version)
  const reactor: Reactor<CounterEvent, null> = {
    name: 'counted',
    of: counterStream,
    on: { Stopped: async ({ aggregateId, stream }) => void reacted.push(`${stream} ${aggregateId}`) },
  }
  const rowOf = async (id: number) =>
    (await sql<{ sum: number; stopped: boolean }>`select * from counter where id = ${id}`.execute(tables.db)).rows[0]

  beforeAll(async () => {
    database = await freshDatabase({ migrated: true })
    tables = openStore(database.url, 12)
    const { db, pool } = tables
    await migrate(db)
    await sql.raw(counterTable).execute(db)
    ;({ log, close } = await engine(database.url))
    const masterKey = randomBytes(32)
    const keys = contactKeys(pool, masterKey)
    const logger = pino({ level: 'silent' })
    app = {
      ...tables,
      eventStore: log,
      contactKeys: keys,
      eventMacKeys: await eventMacKeys(db, masterKey),
      logger,
      connectionString: database.url,
    } as unknown as AppContext
    await db.insertInto('checkpoint').values({ name: reactor.name, version: 1, position: '0', eventId: null, eventAt: null }).execute()
    running.push(openProjector(app, done.signal, [counters]))
    running.push(runProcessor(reactorProcessor(reactor, null, db), app, done.signal))
  })
  beforeEach(() => refused.clear())
  afterAll(async () => {
    done.abort()
    await Promise.all(running)
    await log.close()
    await close()
    await tables.db.destroy()
    await database.drop()
  })

  it('is executed, stored and projected like tickets, and is separate for each company', async () => {
    const [one, other] = [open(), open()]
    await one.execute(7, add(2), 'a')
    await Promise.all(Array.from({ length: 10 }, (_, n) => (n % 2 ? one : other).execute(7, add(1), `b-${n}`)))
    expect(await other.execute(7, add(1), 'b-3')).toMatchObject({ isDuplicate: true, events: [], state: { sum: 12 } })
    expect(await one.load(2, 7)).toEqual(counterStream.initial)
    await one.execute(7, { type: 'Stop', ...metadata }, 'stop')
    await expect(other.execute(7, add(1), 'late')).rejects.toMatchObject({ code: 'ERR_TICKET_NOT_OPEN' })
    expect(
      await eventually(
        () => rowOf(7),
        (row) => row?.stopped === true,
      ),
    ).toMatchObject({ sum: 12 })
    expect(
      await eventually(
        async () => reacted,
        (all) => all.length > 0,
      ),
    ).toEqual(['counter-1-7 7'])
    const { events } = await log.read('counter-1-7')
    expect(events[0]!.meta).not.toHaveProperty('contactId')
    expect(events[0]!.meta).toMatchObject({ v: 2 })
  })

  it('parks only the stream with a failing event, and continues after its release', async () => {
    refused.add(13)
    const store = open()
    await store.execute(8, add(1), 'a')
    await store.execute(8, add(13), 'b')
    await store.execute(8, add(2), 'c')
    await store.execute(9, add(5), 'd')
    const waits = () => tables.db.selectFrom('parkedStream').selectAll().where('follower', '=', counters.name).executeTakeFirst()
    const row = await eventually(waits, (found) => found?.behind === 2)
    expect(row).toMatchObject({ stream: 'counter-1-8', revision: 1, eventType: 'Added' })
    expect([
      await eventually(
        () => rowOf(9),
        (one) => one !== undefined,
      ),
      await rowOf(8),
    ]).toMatchObject([{ sum: 5 }, { sum: 1 }])
    refused.clear()
    await release(tables.db, row!.id)
    await eventually(waits, (found) => found === undefined)
    expect(await rowOf(8)).toMatchObject({ sum: 16 })
  })

  it('continues from its snapshot, can be rebuilt and verified', async () => {
    const store = open()
    for (let n = 0; n < 8; n++) await Promise.all(Array.from({ length: 80 }, (_, i) => store.execute(10, add(1), `${n}-${i}`)))
    const kept = () => tables.db.selectFrom('snapshot').selectAll().where('stream', '=', 'counter-1-10').executeTakeFirst()
    expect((await eventually(kept, (row) => row !== undefined))!.revision).toBeGreaterThanOrEqual(500)
    expect((await open().execute(10, add(1), '0-0')).isDuplicate).toBe(true) // only the snapshot knows this id
    expect(await open().load(1, 10)).toEqual({ sum: 640, stopped: false })
    const notifications = { on() {} } as never
    expect(await createProjectionWaiter([counters.name], tables.db, notifications)(await log.readHeadPosition('counter-'))).toBe(true)
    const built = await rebuild(counters, app)
    expect([built.differences, built.sums]).toMatchObject([[], [{ table: 'counter', rows: 4 }]])
    expect(await verifyLog(log, ['ticket-', 'counter-'], app.eventMacKeys)).toMatchObject({ streams: 4, events: 656, bad: [] })
  })
})
