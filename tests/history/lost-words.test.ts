import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chained } from '#app/event-store/chain.ts'
import { walkSome } from '#app/history/chains.ts'
import type { HistoryEvent } from '#domain/history/contract.ts'
import { streamName } from '#domain/stream.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { replay } from '#web/history/replay.ts'
import type { ReplayLine } from '#web/history/then.ts'

/* A text that cannot be decrypted is erased, altered, or without its key; these are three different results. */
let app: TestApp
let calls = 0
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop({ faultsExpected: true }))

/** Restores everything as it was before a test altered it. */
async function restored(): Promise<void> {
  await sql`update event e set data = k.data, meta = k.meta from kept_event k where e.id = k.id`.execute(app.db)
  await sql`insert into event overriding system value select * from kept_event k where not exists (select from event e where e.id = k.id)`.execute(
    app.db,
  )
  await sql`insert into contact_key select * from kept_key on conflict (company_id, contact_id) do update set wrapped = excluded.wrapped,
    destroyed_at = excluded.destroyed_at`.execute(app.db)
  await sql`drop table kept_event, kept_key`.execute(app.db)
}
afterEach(restored)
async function kept(): Promise<void> {
  await sql`drop table if exists kept_event, kept_key`.execute(app.db)
  await sql`create table kept_event as select * from event`.execute(app.db)
  await sql`create table kept_key as select * from contact_key`.execute(app.db)
}

async function ticketOf(): Promise<{ uuid: string; id: number; stream: string; contactId: number }> {
  const number = `55119666${String(10_000 + calls++)}`
  await app.phone.says(number, 'bom dia')
  await app.settled()
  const { id, uuid, contactId } = (await app.as('admin')('GET', `/tickets?status=search&searchParam=${number}`)).body.tickets[0]
  await kept()
  return { id, uuid, contactId, stream: streamName(ticketStream, app.company.companies.casa, id) }
}
async function replayed(uuid: string) {
  const { status, body } = await app.as('dulce')('GET', `/ticket-history/${uuid}`)
  expect(status).toBe(200)
  const events: HistoryEvent[] = body.events
  const line = replay(events)(events.length).entries.find((entry): entry is ReplayLine => entry.type === 'message')
  return { chain: body.chain, event: events.find(({ type }) => type === 'MessageReceived')!, line: line! }
}
const intact = async (uuid: string) =>
  (await app.as('dulce')('GET', `/ticket-history?searchParam=${uuid}`)).body.tickets[0].chain.holds as boolean
const keyRow = (contactId: number) => sql`company_id = ${app.company.companies.casa} and contact_id = ${contactId}`

describe('a text that cannot be decrypted', () => {
  it('is erased if its key was destroyed, which is no fault', async () => {
    const { uuid, contactId } = await ticketOf()
    await sql`update contact_key set wrapped = null, destroyed_at = now() where ${keyRow(contactId)}`.execute(app.db)
    const { chain, event, line } = await replayed(uuid)
    expect(event).toMatchObject({ erased: true, fault: null, data: { body: null } })
    expect(line).toMatchObject({ body: null, lost: 'erased' })
    expect(chain).toMatchObject({ holds: true, reason: null })
  })

  it('is a fault if the row of its key is missing, also in the list', async () => {
    const { uuid, contactId } = await ticketOf()
    await sql`delete from contact_key where ${keyRow(contactId)}`.execute(app.db)
    const { chain, event, line } = await replayed(uuid)
    expect(event).toMatchObject({ erased: false, fault: 'key', data: { body: null } })
    expect(line).toMatchObject({ body: null, lost: 'key' })
    expect(chain).toMatchObject({ holds: false, brokenAt: event.revision, reason: 'key' })
    expect(await intact(uuid)).toBe(false)
  })

  it('is reported as a missing key, not as a changed history', async () => {
    const { id, contactId } = await ticketOf()
    await sql`delete from contact_key where ${keyRow(contactId)}`.execute(app.db)
    const logged: [object, string][] = []
    const logger = { error: (found: object, text: string) => void logged.push([found, text]) }
    await walkSome({ ...app.ctx, logger: logger as never })
    expect(logged.filter(([found]) => (found as { ticketId: number }).ticketId === id)).toEqual([
      [expect.objectContaining({ reason: 'key' }), 'Contact key of a ticket is missing'],
    ])
  })

  it('is a fault if its key is invalid', async () => {
    const { uuid, contactId } = await ticketOf()
    await sql`update contact_key set wrapped = 'nada'::bytea where ${keyRow(contactId)}`.execute(app.db)
    expect((await replayed(uuid)).event).toMatchObject({ erased: false, fault: 'key' })
  })

  it('is altered if its key does not decrypt it, which the daily check detects too', async () => {
    const { uuid, stream } = await ticketOf()
    const { events } = await app.ctx.eventStore.read(stream)
    // the forger has the MAC key, so nothing else detects it
    const forged = events.map(({ meta: { mac: _, macKey: __, ...meta }, ...event }) => ({
      ...event,
      meta,
      data:
        event.type === 'MessageReceived' ? { ...event.data, body: { sealed: 'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' } } : event.data,
    }))
    for (const [i, { data, meta }] of chained('', stream, 0n, forged, app.ctx.eventMacKeys.current).entries())
      await sql`update event set data = ${JSON.stringify(data)}::jsonb, meta = ${JSON.stringify(meta)}::jsonb
        where stream = ${stream} and version = ${i}`.execute(app.db)
    const logged: object[] = []
    const logger = { error: (found: object) => void logged.push(found) }
    await walkSome({ ...app.ctx, logger: logger as never })
    expect(logged).toContainEqual(expect.objectContaining({ reason: 'words' }))
    const { event, line } = await replayed(uuid)
    expect(event).toMatchObject({ erased: false, fault: 'words', data: { body: null } })
    expect(line).toMatchObject({ body: null, lost: 'words' })
    expect(await intact(uuid)).toBe(false)
  })
})

describe('a history', () => {
  it('is invalid if a part has another type than was written', async () => {
    const { uuid, id, stream } = await ticketOf()
    await app.as('ana')('PUT', `/tickets/${id}`, { status: 'open', queueId: app.company.queues.vendas })
    await app.as('ana')('PUT', `/tickets/${id}`, { status: 'pending' })
    await app.settled()
    await kept()
    const { events } = await app.ctx.eventStore.read(stream)
    const at = events.find(({ type }) => type === 'TicketReturned')!.revision
    await sql`update event set data = '"x"' where stream = ${stream} and version = ${Number(at)}`.execute(app.db)
    const { chain } = await replayed(uuid)
    expect(chain).toMatchObject({ holds: false, brokenAt: Number(at), reason: 'hash' })
  })

  it('is invalid without its last records while the history index is intact', async () => {
    const { uuid, stream } = await ticketOf()
    await sql`delete from event where stream = ${stream} and version >= 1`.execute(app.db)
    const { chain } = await replayed(uuid)
    expect(chain).toMatchObject({ holds: false, brokenAt: expect.any(Number) })
    expect(['cut', 'hash', 'gap']).toContain(chain.reason) // the access event is a record too
  })

  it('is invalid without any record', async () => {
    const { uuid, stream } = await ticketOf()
    await sql`delete from event where stream = ${stream}`.execute(app.db)
    const { body } = await app.as('dulce')('GET', `/ticket-history/${uuid}`)
    expect(body.chain.holds).toBe(false)
    expect(await intact(uuid)).toBe(false)
  })
})
