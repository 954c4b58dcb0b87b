import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* Who reads a ticket without serving it, or takes it out, leaves that behind (A-TICKET-06). */
let app: TestApp
let ticket: { id: number; uuid: string }
let calls = 0
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  const number = `55119777${String(10_000 + calls++)}`
  await app.phone.says(number, 'bom dia')
  await app.settled()
  ticket = (await app.as('admin')('GET', `/tickets?status=search&searchParam=${number}`)).body.tickets[0]
  await app.as('ana')('PUT', `/tickets/${ticket.id}`, { status: 'open', queueId: app.company.queues.vendas })
  await app.settled()
})

const accesses = async () => {
  await app.settled()
  const { events } = (await app.as('admin')('GET', `/ticket-history/${ticket.uuid}`)).body
  return events
    .filter(({ type, by }: any) => type === 'TicketAccessed' && by.id !== app.company.users.admin)
    .map(({ by, data }: any) => [by.name, data.way ?? 'open'])
}
const security = async (kind: string, who: Person = 'admin') =>
  (await app.as(who)('GET', `/security-log?kind=${kind}`)).body.events.filter(({ detail }: any) => detail.ticket === ticket.uuid)

describe('the messages of a ticket', () => {
  it('leave an entry of who does not serve it, once in a while, and none of its owner', async () => {
    for (const page of [1, 1, 2]) await app.as('bruno')('GET', `/messages/${ticket.id}?pageNumber=${page}`)
    await app.as('bruno')('GET', `/messages/${ticket.id}/search?searchParam=bom`)
    await app.as('ana')('GET', `/messages/${ticket.id}`)
    expect(await accesses()).toEqual([['bruno', 'peek']])
  })
  it('leave none beside the opening', async () => {
    await app.as('bruno')('GET', `/tickets/u/${ticket.uuid}`)
    await app.as('bruno')('GET', `/messages/${ticket.id}`)
    expect(await accesses()).toEqual([['bruno', 'open']])
  })
  it('leave none of who may not see it', async () => {
    expect((await app.as('root')('GET', `/messages/${ticket.id}`)).status).toBe(404)
    expect(await accesses()).toEqual([])
  })
  it('are read by nobody’s peek: marks and unread stand as they stood', async () => {
    const before = await app.db.selectFrom('ticket').select('unreadMessages').where('id', '=', ticket.id).executeTakeFirst()
    await app.as('bruno')('GET', `/messages/${ticket.id}`)
    await app.settled()
    expect(await app.db.selectFrom('ticket').select('unreadMessages').where('id', '=', ticket.id).executeTakeFirst()).toEqual(before)
  })
  it('say in the ticket’s log how they were read', async () => {
    await app.as('bruno')('GET', `/messages/${ticket.id}`)
    await app.settled()
    const { body } = await app.as('ana')('GET', `/tickets-log/${ticket.id}`)
    expect(body.at(-1)).toMatchObject({ type: 'access', way: 'peek', user: { name: 'bruno' } })
  })
})

describe('the history of a ticket', () => {
  it('holds that it was replayed, once in a while, and moves in no list by that', async () => {
    const listed = async () => (await app.as('dulce')('GET', `/ticket-history?searchParam=${ticket.uuid}`)).body.tickets[0]
    const before = await listed()
    const first = (await app.as('dulce')('GET', `/ticket-history/${ticket.uuid}`)).body
    expect(first.events.at(-1)).toMatchObject({ type: 'TicketAccessed', by: { name: 'dulce' }, data: { way: 'replay' } })
    await app.as('dulce')('GET', `/ticket-history/${ticket.uuid}`)
    await app.as('dulce')('GET', `/ticket-history/${ticket.uuid}/records/1`)
    expect(await accesses()).toEqual([['dulce', 'replay']])
    expect((await listed()).updatedAt).toBe(before.updatedAt)
    expect(await security('replayed')).toEqual([])
  })
  it('holds that one record was read as it is stored', async () => {
    await app.as('dulce')('GET', `/ticket-history/${ticket.uuid}/records/1`)
    expect(await accesses()).toEqual([['dulce', 'replay']])
  })
  it('holds that it was exported, and each export is in the security log, with no word of it', async () => {
    const { body } = await app.as('dulce')('GET', `/ticket-history/${ticket.uuid}/export`)
    expect(body.events.at(-1).type).toBe('TicketAccessed')
    await app.as('dulce')('GET', `/ticket-history/${ticket.uuid}/export`)
    expect(await accesses()).toEqual([['dulce', 'export']])
    const told = await security('exported')
    expect(told).toHaveLength(2)
    expect(told[0]).toMatchObject({ user: { name: 'dulce' }, address: '127.0.0.1', detail: { ticket: ticket.uuid, format: 'json' } })
    expect(await security('exported', 'root')).toEqual([])
  })
  it('takes nothing more once the ticket is deleted: the security log tells who replays it', async () => {
    expect((await app.as('admin')('DELETE', `/tickets/${ticket.id}`)).status).toBe(204)
    await app.settled()
    for (let i = 0; i < 3; i++) expect((await app.as('dulce')('GET', `/ticket-history/${ticket.uuid}`)).status).toBe(200)
    expect(await security('replayed')).toMatchObject([{ user: { name: 'dulce' }, detail: { ticket: ticket.uuid } }])
    const { body } = await app.as('dulce')('GET', `/ticket-history/${ticket.uuid}/export`)
    expect(body.events.at(-1).type).toBe('TicketDeleted')
    expect(await security('exported')).toHaveLength(1)
  })
  it('tells nobody of who was refused it', async () => {
    expect((await app.as('ana')('GET', `/ticket-history/${ticket.uuid}`)).status).toBe(403)
    expect((await app.as('root')('GET', `/ticket-history/${ticket.uuid}`)).status).toBe(404)
    expect(await accesses()).toEqual([])
    expect(await security('replayed')).toEqual([])
  })
})
