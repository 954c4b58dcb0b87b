import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'projector'] }) // without a worker, claims are released late
})
afterAll(() => app?.stop())

const open = async (who: 'bruno' | 'admin', contactId: number, queueId = app.company.queues.vendas) =>
  (await app.as(who)('POST', '/tickets', { contactId, whatsappId: app.company.connections.balcao, queueId })).body
const close = (id: number) => app.as('admin')('PUT', `/tickets/${id}`, { status: 'closed', sendFarewellMessage: false })

it('a reopened ticket takes over the claim of another closed ticket', async () => {
  const { maria } = app.company.contacts
  const first = await open('bruno', maria)
  await close(first.id)
  const second = await open('bruno', maria)
  expect(second.id).not.toBe(first.id)
  await close(second.id)
  expect((await app.as('bruno')('PUT', `/tickets/${first.id}`, { status: 'open' })).body).toMatchObject({ id: first.id, status: 'open' })
  const place = await app.db.selectFrom('activeTicket').select('ticketId').where('contactId', '=', maria).executeTakeFirst()
  expect(place?.ticketId).toBe(first.id)
})

it('a colleague’s hidden ticket is neither reopened nor shown', async () => {
  const { joao } = app.company.contacts
  const closed = await open('bruno', joao)
  await close(closed.id)
  expect((await app.as('ana')('PUT', `/tickets/${closed.id}`, { status: 'open' })).status).toBe(404)

  const shared = await app.as('admin')('POST', '/contacts', { name: 'Rui', number: '5511933334444' })
  const mine = await open('admin', shared.body.id)
  await app.as('admin')('PUT', `/tickets/${mine.id}`, {
    isTransfered: true,
    userId: app.company.users.ana,
    queueId: app.company.queues.vendas,
  })
  await close(mine.id)
  await open('admin', shared.body.id, app.company.queues.suporte)
  const answer = await app.as('ana')('PUT', `/tickets/${mine.id}`, { status: 'open' })
  expect(answer).toMatchObject({ status: 409, body: { error: 'ERR_OTHER_OPEN_TICKET', queue: { name: 'Suporte' } } })
  expect(
    Object.keys(answer.body)
      .filter((name) => name !== 'message')
      .toSorted(),
  ).toEqual(['error', 'queue', 'user'])
})

it('opening a long active ticket again does not rewrite its claim', async () => {
  const contactId = (await app.as('bruno')('POST', '/contacts', { name: 'Ivo', number: '5511922220003' })).body.id
  const ticket = await open('bruno', contactId)
  const long = new Date(Date.now() - 3_600_000).toISOString()
  const mine = () =>
    app.db.selectFrom('activeTicket').select(['ticketId', 'claimedAt']).where('contactId', '=', contactId).executeTakeFirst()
  await app.db.updateTable('activeTicket').set({ claimedAt: long }).where('contactId', '=', contactId).execute()
  await open('bruno', contactId)
  expect(await mine()).toEqual({ ticketId: ticket.id, claimedAt: long })
})

it('one client message id on two tickets gives two messages', async () => {
  const ids = await Promise.all(
    ['5511911110001', '5511911110002'].map(async (number) => (await app.as('bruno')('POST', '/contacts', { name: 'Eva', number })).body.id),
  )
  const external: string[] = []
  for (const contactId of ids) {
    const ticket = await open('bruno', contactId)
    await app.as('bruno')('POST', `/messages/${ticket.id}`, { body: 'hi' }, { 'x-command-id': 'one-and-the-same' })
    const { events } = await app.ctx.eventStore.read(`ticket-${app.company.companies.casa}-${ticket.id}`)
    external.push(...events.filter(({ type }) => type === 'MessageSent').map(({ data }) => data.externalId as string))
  }
  expect(new Set(external).size).toBe(2)
})

/** A closed ticket whose contact is claimed by another ticket that nobody has opened yet. */
async function closedBesideClaim(number: string, claimedAt: Date) {
  const contactId = (await app.as('bruno')('POST', '/contacts', { name: 'Lia', number })).body.id
  const closed = await open('bruno', contactId)
  await close(closed.id)
  const claim = { ticketId: await app.ctx.nextTicketId(), uuid: crypto.randomUUID() }
  await app.db
    .updateTable('activeTicket')
    .set({ ...claim, since: 0, claimedAt: claimedAt.toISOString() })
    .where('contactId', '=', contactId)
    .execute()
  return { contactId, closed, claim }
}
const metadataOf = (kind: 'bruno' | 'admin') => ({
  companyId: app.company.companies.casa,
  by: { kind: 'user' as const, id: app.company.users[kind] },
  at: new Date().toISOString(),
})
const openingOf = (contactId: number, named: { ticketId: number; uuid: string }) => ({
  ...{ type: 'Open' as const, ...named, contactId, connectionId: app.company.connections.balcao, channel: 'whatsapp' as const },
  ...{ group: false, userId: null, queueId: app.company.queues.vendas, predecessorId: null },
})
const openTicketsOf = (contactId: number) =>
  app.db.selectFrom('ticket').select('id').where('contactId', '=', contactId).where('status', '!=', 'closed').execute()

it('a reopened ticket takes over an old claim that was never opened', async () => {
  const { contactId, closed } = await closedBesideClaim('5511911110011', new Date(Date.now() - 31_000))
  const answer = await app.as('bruno')('PUT', `/tickets/${closed.id}`, { status: 'open' })
  expect(answer).toMatchObject({ status: 200, body: { id: closed.id, status: 'open' } })
  expect(await openTicketsOf(contactId)).toEqual([{ id: closed.id }])
})

it('reopening waits for a fresh claim of another ticket and answers with that ticket', async () => {
  const { contactId, closed, claim } = await closedBesideClaim('5511911110012', new Date())
  const asked = app.as('bruno')('PUT', `/tickets/${closed.id}`, { status: 'open' })
  await app.ctx.execute(claim.ticketId, { ...openingOf(contactId, claim), ...metadataOf('admin') }, 'the other')
  expect(await asked).toMatchObject({ status: 200, body: { id: claim.ticketId, status: 'pending' } })
  expect(await openTicketsOf(contactId)).toEqual([{ id: claim.ticketId }])
})

it('claiming an old claim renews it', async () => {
  const { contactId, closed, claim } = await closedBesideClaim('5511911110013', new Date(Date.now() - 31_000))
  const who = { companyId: app.company.companies.casa, connectionId: app.company.connections.balcao, contactId }
  expect(await app.ctx.activeTickets.claim(who)).toEqual(claim)
  const asked = app.as('bruno')('PUT', `/tickets/${closed.id}`, { status: 'open' })
  await app.ctx.execute(claim.ticketId, { ...openingOf(contactId, claim), ...metadataOf('admin') }, 'the other')
  expect((await asked).body.id).toBe(claim.ticketId)
})

it('no ticket is opened beside the successor of a transfer that is not open yet', async () => {
  const contactId = (await app.as('bruno')('POST', '/contacts', { name: 'Lia', number: '5511911110014' })).body.id
  const { id } = await open('bruno', contactId)
  const successor = { ticketId: await app.ctx.nextTicketId(), uuid: crypto.randomUUID() }
  const to = { queueId: app.company.queues.suporte, userId: null, suits: true, note: null }
  await app.ctx.execute(id, { type: 'Transfer', ...to, successor, ...metadataOf('bruno') }, 'given')
  const asked = open('admin', contactId)
  await app.ctx.execute(successor.ticketId, { ...openingOf(contactId, successor), predecessorId: id, ...metadataOf('bruno') }, 'gone on')
  expect(await asked).toMatchObject({ error: 'ERR_OTHER_OPEN_TICKET', ticket: { id: successor.ticketId } })
  expect(await openTicketsOf(contactId)).toEqual([{ id: successor.ticketId }])
})
