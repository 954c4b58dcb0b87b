import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type ContactKeys, contactKeys } from '#app/crypto/contact-keys.ts'
import { chained, hashOf } from '#app/event-store/chain.ts'
import { encodeEvent } from '#app/event-store/event-codec.ts'
import type { EventStore } from '#app/event-store/event-store.ts'
import { giveUp, release } from '#app/event-store/parked-streams.ts'
import { createPostgresEventStore } from '#app/event-store/postgres.ts'
import { type Reactor, reactorProcessor } from '#app/event-store/reactor.ts'
import { applying, rebuild } from '#app/event-store/rebuild.ts'
import { runProcessor } from '#app/event-store/run-processor.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { migrate } from '#projections/migrate.ts'
import { openStore, type Store } from '#projections/postgres.ts'
import type { Fold, PersistedEvent, Projector } from '#projections/projector.ts'
import { ticketProjector } from '#projections/ticket/projector.ts'
import { command } from '#tests/support/command.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { received } from '#tests/support/story.ts'
import { eventually } from '#tests/support/wait.ts'

const masterKey = randomBytes(32)
let database: FreshDatabase
let store: Store
let log: EventStore
let keys: ContactKeys
const done = new AbortController()
const running: Promise<void>[] = []
const lines: { level: number; msg: string; stream?: string }[] = []
const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) })

/** The ticket projector, except that it fails at these queues. */
const hated = new Set<number>()
const [first, ...others] = ticketProjector.models
const [inbox] = first!.folds as [Fold<TicketEvent, any>]
const touchy: Projector<TicketEvent> = {
  ...ticketProjector,
  models: [
    {
      ...first!,
      folds: [
        {
          ...inbox,
          on: {
            ...inbox.on,
            TicketQueued: (row, event, ...rest) => {
              if (hated.has(event.queueId)) throw new Error(`a timeout was closed by queue ${event.queueId}`)
              return inbox.on.TicketQueued!(row, event, ...rest)
            },
          },
        },
      ],
    },
    ...others,
  ],
}
const reacted: string[] = []
const nervous: Reactor<TicketEvent, object> = {
  name: 'nervous',
  of: ticketStream,
  on: {
    TicketQueued: async ({ aggregateId, queueId }: PersistedEvent<Extract<TicketEvent, { type: 'TicketQueued' }>>) => {
      if (hated.has(queueId)) throw new Error('no')
      reacted.push(`${aggregateId} in ${queueId}`)
    },
  },
}

let deps: Parameters<typeof runProcessor>[1]
beforeAll(async () => {
  database = await freshDatabase()
  store = openStore(database.url, 12)
  await migrate(store.db)
  keys = contactKeys(store.pool, masterKey)
  log = await createPostgresEventStore({ connectionString: database.url })
  deps = { db: store.db, connectionString: database.url, eventStore: log, contactKeys: keys, logger }
  await store.db.insertInto('checkpoint').values({ name: 'nervous', version: 1, position: '0', eventId: null, eventAt: null }).execute()
  running.push(runProcessor({ ...applying(touchy, store.pool), version: 1, from: 'start' }, deps, done.signal))
  running.push(runProcessor(reactorProcessor(nervous, {}, store.db), deps, done.signal))
})
beforeEach(() => {
  hated.clear()
  reacted.length = 0
})
afterAll(async () => {
  done.abort()
  await Promise.all(running)
  await log.close()
  await store.db.destroy()
  await database.drop()
})

let tickets = 0
const stamp = { companyId: 1, by: { kind: 'system' as const }, at: '2026-01-05T12:00:00.000Z' }
const queued = (queueId: number): TicketEvent => ({ type: 'TicketQueued', queueId })
const said = (messageId: number): TicketEvent => received(messageId) as TicketEvent
function opened(): { id: number; fact: TicketEvent } {
  const id = ++tickets
  const who = {
    contactId: id,
    connectionId: 1,
    channel: 'whatsapp' as const,
    group: false,
    queueId: null,
    predecessorId: null,
    transfer: null,
    note: null,
  }
  return { id, fact: { type: 'TicketOpened', ticketId: id, uuid: crypto.randomUUID(), ...who } }
}
/** Appends to a ticket's stream, chained and encrypted as the repository does. */
async function tell(ticketId: number, ...told: TicketEvent[]): Promise<void> {
  const stream = `ticket-1-${ticketId}`
  const { events } = await log.read(stream)
  const first = BigInt(events.length)
  const key = await keys.of({ companyId: 1, contactId: ticketId })
  const ready = told.map((fact) => encodeEvent(ticketStream, stream, { ...fact, ...stamp }, ticketId, `${first}`, key))
  await log.append(
    stream,
    first === 0n ? 'none' : first - 1n,
    chained(events.length ? hashOf(events.at(-1)!.meta) : '', stream, first, ready),
  )
}
const queueOf = async (id: number) =>
  (await store.db.selectFrom('ticket').select('queueId').where('id', '=', id).executeTakeFirst())?.queueId
const saidIn = async (id: number) =>
  (await store.db.selectFrom('message').select('id').where('ticketId', '=', id).orderBy('id').execute()).map((row) => row.id)
const parked = (follower: string, ticketId: number) =>
  store.db.selectFrom('parkedStream').selectAll().where('follower', '=', follower).where('ticketId', '=', ticketId).executeTakeFirst()
const parkedAt = (follower: string, ticketId: number, revision: number) =>
  eventually(
    () => parked(follower, ticketId),
    (row) => row?.revision === revision && row.releasedAt === null,
  ).then((row) => row!)
const goesOn = (follower: string, ticketId: number) =>
  eventually(
    () => parked(follower, ticketId),
    (row) => row === undefined,
  )
async function reached(name: string): Promise<void> {
  const head = await log.readHeadPosition()
  await eventually(
    () => store.db.selectFrom('checkpoint').select('position').where('name', '=', name).executeTakeFirst(),
    (row) => BigInt(row!.position) >= head!,
  )
}

it('a ticket with a failing event is parked alone, and continues in order when released', async () => {
  hated.add(13)
  const [bad, good] = [opened(), opened()]
  await tell(bad.id, bad.fact, queued(12), said(1), queued(13), said(2), queued(15))
  await tell(good.id, good.fact, queued(14), said(3))
  const row = await parkedAt('tickets', bad.id, 3)
  expect(row).toMatchObject({ companyId: 1, stream: `ticket-1-${bad.id}`, eventType: 'TicketQueued' })
  expect(row.reason).toContain(`ticket-1-${bad.id} does not fold into ticket at revision 3`)
  await tell(bad.id, said(4))
  await tell(good.id, said(5))
  await reached('tickets')
  expect([await queueOf(bad.id), await saidIn(bad.id)]).toEqual([12, [1]])
  expect([await queueOf(good.id), await saidIn(good.id)]).toEqual([14, [3, 5]])
  expect(lines.find(({ msg, stream }) => stream === row.stream && msg.startsWith('Stream parked'))?.level).toBe(50)

  expect(await release(store.db, row.id)).toBe(true)
  expect((await parkedAt('tickets', bad.id, 3)).behind).toBe(6)
  hated.clear()
  await release(store.db, row.id)
  await goesOn('tickets', bad.id)
  expect([await queueOf(bad.id), await saidIn(bad.id)]).toEqual([15, [1, 2, 4]])
  await tell(bad.id, said(6))
  await reached('tickets')
  expect(await saidIn(bad.id)).toEqual([1, 2, 4, 6])
  expect((await rebuild(ticketProjector, deps)).differences).toEqual([])
})

it('a discarded event is skipped, also in a rebuild, and the next failing event parks again', async () => {
  hated.add(13)
  const bad = opened()
  await tell(bad.id, bad.fact, queued(13), said(11), queued(13), said(12))
  const row = await parkedAt('tickets', bad.id, 1)
  expect(await giveUp(store.db, row.id, crypto.randomUUID(), 'root', 'another event')).toBe(false)
  expect(await giveUp(store.db, row.id, row.eventId, 'root', 'bad luck')).toBe(true)
  const next = await parkedAt('tickets', bad.id, 3)
  expect(await saidIn(bad.id)).toEqual([11])
  await giveUp(store.db, next.id, next.eventId, 'root', 'bad luck again')
  await goesOn('tickets', bad.id)
  expect([await queueOf(bad.id), await saidIn(bad.id)]).toEqual([null, [11, 12]])
  expect(
    await store.db.selectFrom('projectorSkip').select(['name', 'saidBy', 'reason']).where('eventId', '=', row.eventId).execute(),
  ).toEqual([{ name: 'tickets', saidBy: 'root', reason: 'bad luck' }])
  hated.clear()
  const { differences, parked: waiting } = await rebuild(ticketProjector, deps)
  expect([differences, waiting]).toEqual([[], 0])
  expect(await queueOf(bad.id)).toBe(null)
})

it('undecryptable or invalid events are parked, and later events of the stream wait', async () => {
  const [torn, malformed, good] = [opened(), opened(), opened()]
  await tell(torn.id, torn.fact)
  await reached('tickets')
  const stream = `ticket-1-${torn.id}`
  const { events } = await log.read(stream)
  const key = await keys.of({ companyId: 1, contactId: torn.id })
  const sealed = encodeEvent(ticketStream, stream, { ...said(21), ...stamp }, torn.id, 'torn', key)
  const body = sealed.data.body as { [field: string]: string }
  const flipped = Object.fromEntries(
    Object.entries(body).map(([field, text]) => [field, text.replace(/.$/, (c) => (c === 'A' ? 'B' : 'A'))]),
  )
  await log.append(stream, 0n, chained(hashOf(events[0]!.meta), stream, 1n, [{ ...sealed, data: { ...sealed.data, body: flipped } }]))
  await tell(malformed.id, malformed.fact, { ...said(22), messageId: 'x' } as unknown as TicketEvent, said(23))
  await tell(good.id, good.fact, said(24))
  const row = await parkedAt('tickets', torn.id, 1)
  expect(row.reason).toContain('Cannot unseal body')
  expect((await parkedAt('tickets', malformed.id, 1)).reason).toContain('invalid input syntax')
  await tell(malformed.id, { ...said(25), messageId: 'y' } as unknown as TicketEvent, said(26))
  await tell(torn.id, said(27))
  await tell(good.id, said(28))
  await reached('tickets')
  expect([await saidIn(torn.id), await saidIn(malformed.id), await saidIn(good.id)]).toEqual([[], [], [24, 28]])
  expect([(await parked('tickets', torn.id))?.behind, (await parked('tickets', malformed.id))?.behind]).toEqual([2, 4])

  const { differences, parked: waiting } = await rebuild(touchy, deps)
  expect([differences, waiting]).toEqual([[], 2])
  await giveUp(store.db, (await parked('tickets', torn.id))!.id, row.eventId, 'root', 'torn')
  await goesOn('tickets', torn.id)
  expect(await saidIn(torn.id)).toEqual([27])
})

it('the command line lists, releases and discards parked streams', async () => {
  hated.add(13)
  const bad = opened()
  await tell(bad.id, bad.fact, queued(13), said(41))
  const row = await parkedAt('tickets', bad.id, 1)
  const run = (...args: string[]) =>
    command('commands/parked.ts', args, { DATABASE_URL: database.url, MASTER_KEY: masterKey.toString('base64'), USER: 'root' })
  const told = {
    companyId: 1,
    connectionId: 3,
    externalId: '3EB0',
    conversation: '5511955550001',
    payload: '{"type":"message","body":"oi"}',
  }
  const aside = { ...told, doneAt: new Date().toISOString(), refused: 'ERR_INTERNAL' }
  const { id } = await store.db.insertInto('inboundEvent').values(aside).returning('id').executeTakeFirstOrThrow()
  const { out } = await run()
  expect(out).toContain(
    `${row.id}: ticket ${bad.id} of company 1, tickets, at TicketQueued ${row.eventId} (revision 1), 1 behind it, since `,
  )
  expect(out).toMatch(new RegExp(`\nh${id}: message 3EB0 of company 1, told to connection 3, at .+\n   ERR_INTERNAL\n$`))
  expect(await run('--give-up', `h${id}`, '--reason', 'said again by mail')).toMatchObject({ code: 0, err: '' })
  expect(
    await store.db.selectFrom('inboundEvent').select(['payload', 'conversation', 'refused']).where('id', '=', id).executeTakeFirst(),
  ).toEqual({
    ...{ payload: null, conversation: '', refused: 'ERR_INTERNAL, left out by root: said again by mail' },
  })
  expect(await run('--give-up', String(row.id))).toMatchObject({ code: 2, err: expect.stringContaining('--reason says why') })
  expect(await run('--release', '999999')).toMatchObject({ code: 2, err: 'nothing waits under 999999\n' })
  expect(await run('--release', String(row.id))).toMatchObject({ code: 0, err: '' })
  await parkedAt('tickets', bad.id, 1)
  expect(await run('--give-up', String(row.id), '--reason', 'bad luck')).toMatchObject({ code: 0, err: '' })
  await goesOn('tickets', bad.id)
  expect(await saidIn(bad.id)).toEqual([41])
})

it('a parked ticket continues after a rebuild that could fold it', async () => {
  hated.add(13)
  const bad = opened()
  await tell(bad.id, bad.fact, queued(13), said(31))
  await parkedAt('tickets', bad.id, 1)
  await rebuild(ticketProjector, deps)
  expect(await parked('tickets', bad.id)).toBeUndefined()
  expect([await queueOf(bad.id), await saidIn(bad.id)]).toEqual([13, [31]])
  hated.clear()
  await tell(bad.id, said(32))
  await reached('tickets')
  expect(await saidIn(bad.id)).toEqual([31, 32])
})

it('a failing reaction holds back the later ones of its ticket only, in order', async () => {
  hated.add(13)
  const [bad, good] = [opened(), opened()]
  await tell(bad.id, bad.fact, queued(13), queued(14))
  const row = await parkedAt('nervous', bad.id, 1)
  await tell(bad.id, queued(15))
  await tell(good.id, good.fact, queued(16))
  await eventually(
    async () => reacted,
    (all) => all.includes(`${good.id} in 16`),
  )
  expect(reacted).toEqual([`${good.id} in 16`])
  hated.clear()
  await release(store.db, row.id)
  await goesOn('nervous', bad.id)
  expect(reacted).toEqual([`${good.id} in 16`, ...[13, 14, 15].map((queue) => `${bad.id} in ${queue}`)])
})
