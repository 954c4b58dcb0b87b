import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const many = 5200

it('closes more than five thousand tickets at once, as many as announced (A-TICKET-13)', async () => {
  const { companies, queues, contacts, connections, users } = app.company
  const { execute, nextTicketId, readHeadPosition, waitForProjection } = app.ctx
  const stamp = { companyId: companies.casa, by: { kind: 'user' as const, id: users.admin }, at: new Date().toISOString() }
  const opening = {
    contactId: contacts.maria,
    connectionId: connections.loja,
    channel: 'whatsapp' as const,
    group: false,
    predecessorId: null,
  }
  const all = Array.from({ length: many }).values()
  const open = async () => {
    for (const _ of all) {
      const ticketId = await nextTicketId()
      await execute(
        ticketId,
        { type: 'Open', userId: null, ticketId, uuid: randomUUID(), queueId: queues.vendas, ...opening, ...stamp },
        randomUUID(),
      )
    }
  }
  await Promise.all(Array.from({ length: 64 }, open))
  await waitForProjection(await readHeadPosition())
  const counted = `/tickets/closeAll?status=pending&selectedQueueIds=[${queues.vendas}]`
  expect((await app.as('admin')('GET', counted)).body).toEqual({ count: many })
  const { body } = await app.as('admin')('POST', '/tickets/closeAll', { status: 'pending', selectedQueueIds: [queues.vendas] })
  expect(body).toMatchObject({ count: many })
  expect((await app.as('admin')('GET', counted)).body).toEqual({ count: 0 })
  const left = await app.as('admin')('GET', '/tickets?status=closed&showAll=true')
  expect(left.body.count).toBe(many)
})
