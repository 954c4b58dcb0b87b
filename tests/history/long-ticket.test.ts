import { afterAll, beforeAll, expect, it } from 'vitest'
import { chained, hashOf } from '#app/event-store/chain.ts'
import { encodeEvent } from '#app/event-store/event-codec.ts'
import { verifyExport } from '#app/history/exported.ts'
import { readEvents } from '#app/history/reading.ts'
import { streamName } from '#domain/stream.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { received } from '#tests/support/story.ts'
import { longestTurnMs, watchEventLoop } from '#tests/support/watchdog.ts'

/* Reading or exporting a long ticket must not keep the calls of others waiting: no turn of the event loop computes for long. */
const length = 3000
const partSize = 1000
let app: TestApp
let ticket: { id: number; uuid: string; contactId: number }

beforeAll(async () => {
  app = await startTestApp()
  await app.phone.says('5511977730001', 'bom dia')
  await app.settled()
  ticket = (await app.as('admin')('GET', '/tickets?status=search&searchParam=5511977730001')).body.tickets[0]
  await makeLong()
  await app.settled()
})
afterAll(() => app?.stop())

/** Appends messages of the contact until the ticket has about `length` events. */
async function makeLong(): Promise<void> {
  const { eventStore, contactKeys, eventMacKeys } = app.ctx
  const { companies } = app.company
  const { contactId } = ticket
  const stream = streamName(ticketStream, companies.casa, ticket.id)
  const key = await contactKeys.of({ companyId: companies.casa, contactId })
  const { events } = await eventStore.read(stream)
  let last = events.at(-1)!
  let hash = hashOf(last.meta)
  for (let first = 0; first < length; first += partSize) {
    const by = { kind: 'contact' as const, id: contactId }
    const metadata = { companyId: companies.casa, by, at: new Date().toISOString() }
    const ready = Array.from({ length: partSize }, (_, i) => {
      const messageId = 1_000_000 + first + i
      const event = received(messageId, { ...metadata, queueId: null, body: `Mensagem número ${first + i} de uma conversa longa` })
      return encodeEvent(ticketStream, stream, event as never, contactId, `in-${messageId}`, key)
    })
    const written = chained(hash, stream, last.revision + 1n, ready, eventMacKeys.current)
    const { revision } = await eventStore.append(stream, last.revision, written)
    last = { ...last, revision }
    hash = hashOf(written.at(-1)!.meta)
  }
}

it('exports of thousands of events are complete and do not block the event loop', async () => {
  const watch = watchEventLoop()
  const files = await Promise.all([1, 2].map(() => app.as('admin')('GET', `/ticket-history/${ticket.uuid}/export`)))
  watch.stop()
  expect(watch.worst()).toBeLessThan(longestTurnMs)
  for (const { status, body, headers } of files) {
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(body.events.length).toBeGreaterThan(length)
    expect((await verifyExport(JSON.stringify(body), app.ctx.signingKey.publicKey)).bad).toEqual([])
  }
})

it('a history page and the chain check do not block the event loop', async () => {
  const watch = watchEventLoop()
  const shown = await app.as('admin')('GET', `/ticket-history/${ticket.uuid}`)
  const chain = await app.as('admin')('GET', `/ticket-history/${ticket.uuid}/chain`)
  watch.stop()
  expect(watch.worst()).toBeLessThan(longestTurnMs)
  expect([shown.status, shown.body.next]).toEqual([200, null])
  expect(chain.body).toMatchObject({ chain: { holds: true }, length: expect.any(Number) })
})

it('eighty thousand events are decoded with pauses', async () => {
  const { events } = await app.ctx.eventStore.read(streamName(ticketStream, app.company.companies.casa, ticket.id))
  const many = Array.from({ length: 28 }, () => events).flat()
  const watch = watchEventLoop()
  const read = await readEvents(many, app.ctx.contactKeys)
  watch.stop()
  expect(watch.worst()).toBeLessThan(longestTurnMs)
  expect(read.map(({ fault }) => fault).filter((fault) => fault !== null)).toEqual([])
  expect(read.length).toBe(many.length)
})
