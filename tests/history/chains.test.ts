import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyTicket, walkSome } from '#app/history/chains.ts'
import { readEvents } from '#app/history/reading.ts'
import { streamName } from '#domain/stream.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* The list shows for each history whether its hash chain was valid at the last check. */
let app: TestApp
const tickets: { id: number; uuid: string; contactId: number }[] = []
const logged: { object: object; text: string }[] = []
const logger = { error: (object: object, text: string) => void logged.push({ object, text }) }
const walk = (most?: number) => walkSome({ ...app.ctx, logger: logger as never }, most)
const look = async (id: number) => {
  const stream = await app.ctx.eventStore.read(streamName(ticketStream, app.company.companies.casa, id))
  const told = { ...stream, decoded: await readEvents(stream.events, app.ctx.contactKeys) }
  const { uuid, contactId } = tickets.find((one) => one.id === id)!
  const of = { companyId: app.company.companies.casa, ticketId: id, uuid, contactId, revision: 0 }
  return verifyTicket({ ...app.ctx, logger: logger as never }, of, [told])
}

beforeAll(async () => {
  app = await startTestApp()
  for (const number of ['5511988880001', '5511988880002', '5511988880003']) {
    await app.phone.says(number, 'bom dia')
    await app.settled()
    tickets.push((await app.as('admin')('GET', `/tickets?status=search&searchParam=${number}`)).body.tickets[0])
  }
})
afterAll(() => app.stop())

const list = async (query = '') => (await app.as('dulce')('GET', `/ticket-history?${query}`)).body.tickets as any[]
const ids = async (query: string) => (await list(query)).map(({ id }) => id).toSorted((a, b) => a - b)
const all = () => tickets.map(({ id }) => id)
const yesterday = (id?: number) => {
  const rows = app.db.updateTable('ticketChain').set({ checkedAt: new Date(Date.now() - 25 * 3_600_000).toISOString() })
  return (id === undefined ? rows : rows.where('ticketId', '=', id)).execute()
}
async function tampered(id: number, act: () => Promise<void>): Promise<void> {
  const at = sql`stream = ${streamName(ticketStream, app.company.companies.casa, id)} and version = 0`
  const { rows } = await sql<{ was: string }>`select meta::text as was from event where ${at}`.execute(app.db)
  await sql`update event set meta = jsonb_set(meta, '{at}', '"2020-01-01T00:00:00.000Z"') where ${at}`.execute(app.db)
  try {
    await act()
  } finally {
    await sql`update event set meta = ${rows[0]!.was}::jsonb where ${at}`.execute(app.db)
  }
}

it('an unchecked history has no result', async () => {
  expect((await list()).map(({ chain }) => chain)).toEqual([null, null, null])
  expect(await ids('chain=unchecked')).toEqual(all())
  expect(await ids('chain=intact')).toEqual([])
})

it('a replayed history is checked', async () => {
  await app.as('dulce')('GET', `/ticket-history/${tickets[0]!.uuid}`)
  expect(await ids('chain=intact')).toEqual([tickets[0]!.id])
  const [row] = await list('chain=intact')
  expect(Date.parse(row.chain.checkedAt)).toBeGreaterThan(Date.now() - 60_000)
})

it('histories are checked in batches, unchecked ones first, and at most once a day', async () => {
  expect(await walk(1)).toBe(1)
  expect(await ids('chain=unchecked')).toHaveLength(1)
  expect(await walk()).toBe(1)
  expect(await ids('chain=intact')).toEqual(all())
  expect(await walk()).toBe(0)
  await yesterday(tickets[1]!.id)
  expect(await walk()).toBe(1)
})

it('a changed history is found, logged once, and valid again after its repair', async () => {
  const { id } = tickets[1]!
  await tampered(id, async () => {
    await yesterday()
    await walk()
    expect(await ids('chain=broken')).toEqual([id])
    expect(await ids('chain=intact')).toEqual(all().filter((one) => one !== id))
    await yesterday()
    await walk()
    expect(logged).toEqual([
      {
        object: { companyId: app.company.companies.casa, ticketId: id, revision: 0, reason: 'hash' },
        text: 'Ticket history was altered',
      },
    ])
  })
  await app.as('dulce')('GET', `/ticket-history/${tickets[1]!.uuid}`)
  expect(await ids('chain=broken')).toEqual([])
})

it('a changed history is logged once, also if the auditor saw it first', async () => {
  logged.length = 0
  const { id } = tickets[0]!
  await tampered(id, async () => {
    await Promise.all([look(id), look(id)])
    await yesterday()
    await walk()
    expect(logged.map(({ object }) => object)).toEqual([expect.objectContaining({ ticketId: id, reason: 'hash' })])
  })
  await look(id)
})

it('a result from the future does not count', async () => {
  const { id } = tickets[0]!
  await yesterday()
  await walk()
  await app.db
    .updateTable('ticketChain')
    .set({ checkedAt: new Date(Date.now() + 86_400_000).toISOString() })
    .where('ticketId', '=', id)
    .execute()
  expect(await ids('chain=intact')).toEqual(all().filter((one) => one !== id))
  expect(await ids('chain=unchecked')).toEqual([id])
  expect((await list()).find((row) => row.id === id).chain).toBeNull()
  expect(await walk()).toBe(1)
  expect(await ids('chain=intact')).toEqual(all())
})

it('a result that the app did not write does not count', async () => {
  const { id } = tickets[2]!
  const found = app.db.updateTable('ticketChain').where('ticketId', '=', id)
  const chainOf = async () => (await list()).find((row) => row.id === id).chain
  await tampered(id, async () => {
    await look(id)
    expect(await chainOf()).toMatchObject({ holds: false })
    const checkedAt = new Date(Date.now() + 9 * 60_000).toISOString()
    await found.set({ holds: true, brokenAt: null, reason: null, checkedAt }).execute()
    expect(await chainOf()).toBeNull()
    expect(await walk()).toBe(1)
    expect(await ids('chain=broken')).toEqual([id])
  })
  await look(id)
  expect(await chainOf()).toMatchObject({ holds: true })
})

it('the chain filter works with the other filters and for one contact', async () => {
  const [one] = tickets
  expect(await ids(`contactId=${one!.contactId}`)).toEqual([one!.id])
  expect(await ids(`contactId=${one!.contactId}&chain=intact&status=pending`)).toEqual([one!.id])
  expect(await ids(`contactId=${one!.contactId}&chain=broken`)).toEqual([])
  expect((await app.as('dulce')('GET', '/ticket-history?chain=perhaps')).status).toBe(400)
  expect((await app.as('root')('GET', '/ticket-history?chain=intact')).body.tickets).toEqual([])
})

it('the people filter includes retired users', async () => {
  const { carla, bruno } = app.company.users
  expect((await app.as('admin')('DELETE', `/users/${carla}`)).status).toBeLessThan(300)
  const { body } = await app.as('dulce')('GET', '/ticket-history/people')
  expect(body).toContainEqual({ id: carla, name: expect.any(String), retired: true })
  expect(body).toContainEqual(expect.objectContaining({ id: bruno, retired: false }))
  expect(body.map(({ id }: { id: number }) => id)).not.toContain(app.company.users.root)
})

it('the queue filter includes retired queues', async () => {
  const { body: made } = await app.as('admin')('POST', '/queue', { name: 'Natal 2025', color: '#123456' })
  expect((await app.as('admin')('DELETE', `/queue/${made.id}`)).status).toBe(204)
  const { body } = await app.as('dulce')('GET', '/ticket-history/queues')
  expect(body).toContainEqual({ id: made.id, name: 'Natal 2025', color: '#123456', retired: true })
  expect(body).toContainEqual(expect.objectContaining({ id: app.company.queues.vendas, retired: false }))
  expect(body.map(({ id }: { id: number }) => id)).not.toContain(app.company.queues.deles)
  expect((await app.as('ana')('GET', '/ticket-history/queues')).status).toBe(403)
})

it('the queue filter lists queues in the company’s order', async () => {
  const ids = async (who: 'admin' | 'dulce', path: string): Promise<number[]> =>
    (await app.as(who)('GET', path)).body.map(({ id }: { id: number }) => id)
  const reversed = (await ids('admin', '/queue')).toReversed()
  expect((await app.as('admin')('PUT', '/queue/order', { ids: reversed })).status).toBeLessThan(300)
  const listed = await ids('dulce', '/ticket-history/queues')
  expect(listed.filter((id) => reversed.includes(id))).toEqual(reversed)
})
