import { accessSync, constants } from 'node:fs'
import { Kysely, PostgresDialect } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EventStore, Unavailable } from '#app/event-store/event-store.ts'
import { createEsdbEventStore } from '#app/event-store/eventstoredb.ts'
import { createPostgresEventStore } from '#app/event-store/postgres.ts'
import { up } from '#migrations/0002_event_store.ts'
import { openPool } from '#projections/postgres.ts'
import { proxyTo, silentServer } from '#tests/event-store/proxy.ts'
import { event, type Rig } from '#tests/event-store/rig.ts'
import { contract } from '#tests/event-store/suite.ts'
import { eventStoreDouble } from '#tests/support/eventstore.ts'
import { byPort, freshDatabase } from '#tests/support/postgres.ts'

const patient = { callMs: 2000, giveUpMs: 15_000 }
const hasty = { callMs: 400, giveUpMs: 1000 }

async function onPostgres(): Promise<Rig> {
  const database = await freshDatabase()
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: openPool({ connectionString: database.url, max: 1 }) }) })
  await up(db)
  const url = new URL(database.url)
  const proxy = await proxyTo(url.hostname, Number(url.port))
  const silent = await silentServer()
  const at = (port: number) => byPort(database.url, port)
  const back = () => setTimeout(proxy.up, 300)
  return {
    open: (limits = patient) => createPostgresEventStore({ connectionString: at(proxy.port), ...limits }),
    openSilent: () => createPostgresEventStore({ connectionString: at(silent.port), ...hasty }),
    poison: { text: 'a\u0000b' },
    faults: {
      loseNextAnswer: () => proxy.loseAnswerTo('append_events'),
      dieAfterNextWrite: () =>
        proxy.loseAnswerTo('append_events', () => {
          proxy.down()
          back()
        }),
      drop: proxy.cutAll,
      kill: proxy.down,
      start: async () => proxy.up(),
    },
    async close() {
      await db.destroy()
      await proxy.close()
      await silent.close()
      await database.drop()
    },
  }
}

async function onDouble(): Promise<Rig> {
  const double = await eventStoreDouble()
  const silent = await silentServer()
  let drops = 0
  const back = () => setTimeout(() => void double.start(), 300)
  return {
    open: async (limits = patient) => createEsdbEventStore(double.url, limits),
    openSilent: async () => createEsdbEventStore(`esdb://127.0.0.1:${silent.port}?tls=false`, hasty),
    poison: null,
    faults: {
      loseNextAnswer() {
        double.faults.loseAnswers = 1
      },
      dieAfterNextWrite: () => double.dieAfterWrite(back),
      drop() {
        drops += 1
        double.drop(drops % 2 === 0 ? 'end' : 'error')
      },
      kill: double.kill,
      start: double.start,
    },
    async close() {
      expect(double.calls.batchAppend, 'the batch path has no deadline').toBe(0)
      double.kill()
      await silent.close()
    },
  }
}

const onServer = async (url: string, close = async () => {}): Promise<Rig> => {
  const silent = await silentServer()
  return {
    open: async (limits = patient) => createEsdbEventStore(url, limits),
    openSilent: async () => createEsdbEventStore(`esdb://127.0.0.1:${silent.port}?tls=false`, hasty),
    poison: null,
    faults: null,
    async close() {
      await silent.close()
      await close()
    },
  }
}

function dockerRuns(): boolean {
  try {
    accessSync((process.env.DOCKER_HOST ?? 'unix:///var/run/docker.sock').replace(/^unix:\/\//, ''), constants.W_OK)
    return true
  } catch {
    return /^(tcp|ssh|npipe):/.test(process.env.DOCKER_HOST ?? '')
  }
}

async function onContainer(): Promise<Rig | string> {
  if (!dockerRuns()) return 'Docker does not run here: there is no socket to reach it'
  const { GenericContainer, Wait } = await import('testcontainers')
  const container = await new GenericContainer(process.env.EVENTSTORE_IMAGE ?? 'eventstore/eventstore:23.10.0-bookworm-slim')
    .withEnvironment({
      EVENTSTORE_INSECURE: 'true',
      EVENTSTORE_TELEMETRY_OPTOUT: 'true',
      EVENTSTORE_RUN_PROJECTIONS: 'None',
      EVENTSTORE_MEM_DB: 'true',
    })
    .withExposedPorts(2113)
    .withWaitStrategy(Wait.forHttp('/health/live', 2113).forStatusCode(204))
    .start()
  const url = `esdb://${container.getHost()}:${container.getMappedPort(2113)}?tls=false`
  return onServer(url, async () => void (await container.stop()))
}

contract('the event log on Postgres', onPostgres)
contract('the event log on the double of EventStoreDB', onDouble)
contract('the event log on the EventStoreDB at EVENTSTORE_URL', async () => {
  const url = process.env.EVENTSTORE_URL
  return url ? onServer(url) : 'EVENTSTORE_URL is not set'
})
contract('the event log on EventStoreDB in Docker', onContainer)

describe('the Postgres engine', () => {
  let rig: Rig
  let log: EventStore
  beforeAll(async () => {
    rig = await onPostgres()
    log = await rig.open()
  })
  afterAll(async () => {
    await log.close()
    await rig.close()
  })

  it('only the invalid append fails among those in one commit', async () => {
    const all = await Promise.allSettled(
      Array.from({ length: 60 }, (_, i) => log.append(`ticket-1-p${i}`, 'none', [event(i % 20 === 7 ? rig.poison! : {})])),
    )
    expect(all.flatMap(({ status }, i) => (status === 'rejected' ? [i] : []))).toEqual([7, 27, 47])
  })

  it('is Unavailable while the server is down, and works again afterwards', async () => {
    const own = await rig.open({ callMs: 300, giveUpMs: 600 })
    rig.faults!.kill()
    await expect(own.append('ticket-1-away', 'none', [event()])).rejects.toBeInstanceOf(Unavailable)
    await expect(own.read('ticket-1-away')).rejects.toBeInstanceOf(Unavailable)
    await rig.faults!.start()
    expect((await own.append('ticket-1-away', 'none', [event()])).revision).toBe(0n)
    await own.close()
  })
})

describe('the EventStoreDB engine', () => {
  let double: Awaited<ReturnType<typeof eventStoreDouble>>
  let log: EventStore
  beforeAll(async () => {
    double = await eventStoreDouble()
    log = createEsdbEventStore(double.url, patient)
  })
  afterAll(async () => {
    await log.close()
    double.kill()
  })

  it('never calls BatchAppend, although the server offers it', async () => {
    await Promise.all(Array.from({ length: 100 }, (_, i) => log.append(`ticket-1-b${i}`, 'none', [event()])))
    expect(double.calls.append).toBeGreaterThanOrEqual(100)
    expect(double.calls.batchAppend).toBe(0)
  })

  it('retries at the leader after a follower refused the append', async () => {
    double.faults.notLeader = 1
    expect(await log.append('ticket-1-leader', 'none', [event()])).toMatchObject({ revision: 0n })
  })

  it('finds the server through gossip', async () => {
    const found = createEsdbEventStore(double.discoveryUrl, patient)
    expect((await found.append('ticket-1-found', 'none', [event()])).revision).toBe(0n)
    await found.close()
  })

  it('ignores other streams when it reads the head', async () => {
    const { position } = await log.append('ticket-1-head', 'none', [event()])
    double.strangers('$stats-0', 200)
    expect(await log.readHeadPosition()).toBe(position)
  })

  it('has no head if only the server has written', async () => {
    const fresh = await eventStoreDouble()
    const own = createEsdbEventStore(fresh.url, patient)
    expect(await own.readHeadPosition()).toBe(null)
    await own.close()
    fresh.kill()
  })

  it('ignores an impossible checkpoint', async () => {
    const fresh = await eventStoreDouble()
    fresh.faults.impossibleCheckpoint = true
    const own = createEsdbEventStore(fresh.url, patient)
    const { position } = await own.append('ticket-1-a', 'none', [event()])
    for await (const page of own.subscribe(null, 'ticket-', AbortSignal.timeout(5000))) {
      expect(page.position <= position).toBe(true)
      if (page.caughtUp) break
    }
    await own.close()
    fresh.kill()
  })

  it('combines waiting events into large pages', async () => {
    for (let i = 0; i < 4; i += 1)
      await log.append(
        `ticket-2-${i}`,
        'none',
        Array.from({ length: 200 }, () => event()),
      )
    const sizes: number[] = []
    for await (const { events, caughtUp } of log.subscribe(null, 'ticket-2-', AbortSignal.timeout(5000))) {
      sizes.push(events.length)
      if (caughtUp) break
    }
    expect(sizes.reduce((sum, size) => sum + size)).toBe(800)
    expect(sizes.length).toBeLessThan(40)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(500)
  })

  it('is Unavailable when the server stops answering', async () => {
    const own = createEsdbEventStore(double.url, { callMs: 300, giveUpMs: 600 })
    const offer = [event()]
    await own.readHeadPosition()
    double.faults.silent = true
    await expect(own.append('ticket-1-silent', 'none', offer)).rejects.toBeInstanceOf(Unavailable)
    await expect(own.read('ticket-1-silent')).rejects.toBeInstanceOf(Unavailable)
    double.faults.silent = false
    expect((await own.append('ticket-1-silent', 'none', offer)).revision).toBe(0n)
    await own.close()
  })
})
