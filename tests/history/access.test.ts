import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* Reading a ticket without serving it, or exporting it, leaves an access event (A-TICKET-06). */
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
    .map(({ by, data }: any) => [by.name, data.mode ?? 'open'])
}
const security = async (kind: string, who: Person = 'admin') =>
  (await app.as(who)('GET', `/security-log?kind=${kind}`)).body.events.filter(({ detail }: any) => detail.ticket === ticket.uuid)

describe('the messages of a ticket', () => {
  it('leave one access event for a reader who is not the owner, and none for the owner', async () => {
    for (const page of [1, 1, 2]) await app.as('bruno')('GET', `/messages/${ticket.id}?pageNumber=${page}`)
    await app.as('bruno')('GET', `/messages/${ticket.id}/search?searchParam=bom`)
    await app.as('ana')('GET', `/messages/${ticket.id}`)
    expect(await accesses()).toEqual([['bruno', 'peek']])
  })
  it('leave no second event after an opening', async () => {
    await app.as('bruno')('GET', `/tickets/u/${ticket.uuid}`)
    await app.as('bruno')('GET', `/messages/${ticket.id}`)
    expect(await accesses()).toEqual([['bruno', 'open']])
  })
  it('leave no event of a user who may not see the ticket', async () => {
    expect((await app.as('root')('GET', `/messages/${ticket.id}`)).status).toBe(404)
    expect(await accesses()).toEqual([])
  })
  it('are not marked as read by a peek', async () => {
    const before = await app.db.selectFrom('ticket').select('unreadMessages').where('id', '=', ticket.id).executeTakeFirst()
    await app.as('bruno')('GET', `/messages/${ticket.id}`)
    await app.settled()
    expect(await app.db.selectFrom('ticket').select('unreadMessages').where('id', '=', ticket.id).executeTakeFirst()).toEqual(before)
  })
  it('show in the ticket’s log how they were read', async () => {
    await app.as('bruno')('GET', `/messages/${ticket.id}`)
    await app.settled()
    const { body } = await app.as('ana')('GET', `/tickets-log/${ticket.id}`)
    expect(body.at(-1)).toMatchObject({ type: 'access', way: 'peek', user: { name: 'bruno' } })
  })
})

describe('the history of a ticket', () => {
  it('contains the replay, once in a while, and keeps its place in lists', async () => {
    const listed = async () => (await app.as('dulce')('GET', `/ticket-history?searchParam=${ticket.uuid}`)).body.tickets[0]
    const before = await listed()
    const first = (await app.as('dulce')('GET', `/ticket-history/${ticket.uuid}`)).body
    expect(first.events.at(-1)).toMatchObject({ type: 'TicketAccessed', by: { name: 'dulce' }, data: { mode: 'replay' } })
    await app.as('dulce')('GET', `/ticket-history/${ticket.uuid}`)
    await app.as('dulce')('GET', `/ticket-history/${ticket.uuid}/records/1`)
    expect(await accesses()).toEqual([['dulce', 'replay']])
    expect((await listed()).updatedAt).toBe(before.updatedAt)
    expect(await security('replayed')).toEqual([])
  })
  it('contains the reading of one stored record', async () => {
    await app.as('dulce')('GET', `/ticket-history/${ticket.uuid}/records/1`)
    expect(await accesses()).toEqual([['dulce', 'replay']])
  })
  it('contains the export, and the security log has every export without content', async () => {
    const { body } = await app.as('dulce')('GET', `/ticket-history/${ticket.uuid}/export`)
    expect(body.events.at(-1).type).toBe('TicketAccessed')
    await app.as('dulce')('GET', `/ticket-history/${ticket.uuid}/export`)
    expect(await accesses()).toEqual([['dulce', 'export']])
    const told = await security('exported')
    expect(told).toHaveLength(2)
    expect(told[0]).toMatchObject({ user: { name: 'dulce' }, address: '127.0.0.1', detail: { ticket: ticket.uuid, format: 'json' } })
    expect(await security('exported', 'root')).toEqual([])
  })
  it('gets no event once the ticket is deleted; the security log records the replay', async () => {
    expect((await app.as('admin')('DELETE', `/tickets/${ticket.id}`)).status).toBe(204)
    await app.settled()
    for (let i = 0; i < 3; i++) expect((await app.as('dulce')('GET', `/ticket-history/${ticket.uuid}`)).status).toBe(200)
    expect(await security('replayed')).toMatchObject([{ user: { name: 'dulce' }, detail: { ticket: ticket.uuid } }])
    const { body } = await app.as('dulce')('GET', `/ticket-history/${ticket.uuid}/export`)
    expect(body.events.at(-1).type).toBe('TicketDeleted')
    expect(await security('exported')).toHaveLength(1)
  })
  it('has no event of a refused user', async () => {
    expect((await app.as('ana')('GET', `/ticket-history/${ticket.uuid}`)).status).toBe(403)
    expect((await app.as('root')('GET', `/ticket-history/${ticket.uuid}`)).status).toBe(404)
    expect(await accesses()).toEqual([])
    expect(await security('replayed')).toEqual([])
  })
})
