import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAggregateRepository } from '#app/event-store/aggregate-repository.ts'
import type { EventStore } from '#app/event-store/event-store.ts'
import { openSnapshots } from '#app/event-store/snapshots.ts'
import { openClock } from '#app/scheduler/clock.ts'
import type { EventMetadata } from '#domain/decider.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { content } from '#tests/support/story.ts'

/* Two processes write to one ticket: the app, and a second repository over the same event store. */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

/** An event store that counts the events read from it. */
function counted(log: EventStore) {
  const read = { events: 0 }
  const watched: EventStore = {
    ...log,
    async read(stream, from) {
      const answer = await log.read(stream, from)
      read.events += answer.events.length
      return answer
    },
  }
  return { log: watched, read }
}
/** A repository with its own cache, as another process would have. */
const repositoryOver = (log: EventStore, mostBytes?: number) => {
  const { db, contactKeys, eventMacKeys } = app.ctx
  return createAggregateRepository(ticketStream, {
    clock: openClock(),
    ...{
      eventStore: log,
      contactKeys,
      signer: eventMacKeys.current,
      snapshots: openSnapshots(db, eventMacKeys.current, ticketStream.snapshot.version),
    },
    ...(mostBytes !== undefined && { mostBytes }),
  })
}
async function ticketOf(contactId: number) {
  const { connections, queues } = app.company
  const asked = { contactId, whatsappId: connections.balcao, queueId: queues.vendas }
  return (await app.as('bruno')('POST', '/tickets', asked)).body as { id: number }
}
const metadata = (): EventMetadata => ({ companyId: app.company.companies.casa, by: { kind: 'system' }, at: new Date().toISOString() })
const note = (noteId: number) => ({ type: 'AddNote' as const, noteId, note: `nota ${noteId}`, ...metadata() })

it('a lost race rereads only the new events and keeps the cached state', async () => {
  const { id } = await ticketOf(app.company.contacts.maria)
  const one = counted(app.ctx.eventStore)
  const two = counted(app.ctx.eventStore)
  const a = repositoryOver(one.log)
  const b = repositoryOver(two.log)
  for (let n = 1; n <= 40; n++) await a.execute(id, note(n), `warm-${n}`)
  await b.load(app.company.companies.casa, id)
  one.read.events = 0
  two.read.events = 0
  for (let n = 0; n < 20; n++) {
    await a.execute(id, note(100 + n), `a-${n}`)
    await b.execute(id, note(200 + n), `b-${n}`)
  }
  expect([one.read.events, two.read.events]).toEqual([19, 20]) // each time the one event of the other repository
})

it('an agent is answered while another process records a burst of messages', async () => {
  const { id } = await ticketOf(app.company.contacts.joao)
  const worker = repositoryOver(app.ctx.eventStore)
  const burst = (async () => {
    for (let n = 0; n < 300; n++) {
      const received = { type: 'Receive' as const, externalId: `burst-${n}`, participant: null, quotedExternalId: null, ...content }
      const opening = {} as never // not used: the ticket exists already
      await worker.execute(id, { ...received, messageId: 900_000 + n, opening, ...metadata() }, `burst-${n}`)
    }
  })()
  /** A refusal for too many lost races (503) says that the call can be repeated, and clients do. */
  async function answer(n: number): Promise<number> {
    const headers = { 'x-command-id': `resposta-${n}` }
    const { status } = await app.as('bruno')('POST', `/messages/${id}`, { body: `resposta ${n}` }, headers)
    return status === 503 ? answer(n) : status
  }
  const answers = []
  for (let n = 0; n < 10; n++) answers.push(await answer(n))
  await burst
  expect(answers).toEqual(Array.from({ length: 10 }, () => 200))
  await app.settled()
  const rows = await app.db
    .selectFrom('message')
    .select('body')
    .where('ticketId', '=', id)
    .where('fromMe', '=', true)
    .orderBy('id')
    .execute()
  expect(rows.map(({ body }) => body.slice(-10))).toEqual(Array.from({ length: 10 }, (_, n) => `resposta ${n}`))
})

it('the cache is bounded by size, keeps the newest ticket, and is not bounded by count', async () => {
  const { companies, contacts, connections, queues } = app.company
  const asked = { contactId: contacts.joao, whatsappId: connections.loja, queueId: queues.vendas }
  const long = (await app.as('bruno')('POST', '/tickets', asked)).body as { id: number }
  const short = await ticketOf((await app.as('admin')('POST', '/contacts', { name: 'Curto', number: '5511955570001' })).body.id)
  const writer = repositoryOver(app.ctx.eventStore)
  for (let n = 1; n <= 60; n++) await writer.execute(long.id, note(700 + n), `long-${n}`)
  const { log, read } = counted(app.ctx.eventStore)
  const readAgain = async (store: ReturnType<typeof repositoryOver>, id: number) => {
    read.events = 0
    await store.load(companies.casa, id)
    return read.events
  }
  const small = repositoryOver(log, 6000)
  expect(await readAgain(small, short.id)).toBeGreaterThan(0)
  expect(await readAgain(small, short.id)).toBe(0)
  expect(await readAgain(small, long.id)).toBeGreaterThan(60) // exceeds the bound alone and is kept all the same
  expect(await readAgain(small, long.id)).toBe(0)
  expect(await readAgain(small, short.id)).toBeGreaterThan(0)
  const roomy = repositoryOver(log)
  for (const { id } of [long, short]) expect(await readAgain(roomy, id)).toBeGreaterThan(0)
  for (const { id } of [long, short]) expect(await readAgain(roomy, id)).toBe(0)
})
