import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHouse, type TestHouse } from '#tests/kit/server.ts'

let house: TestHouse
beforeAll(async () => {
  house = await startHouse({ roles: ['web', 'projector'] }) // no worker: a place is let go of late
})
afterAll(() => house?.stop())

const open = async (who: 'bruno' | 'admin', contactId: number, queueId = house.company.queues.vendas) =>
  (await house.as(who)('POST', '/tickets', { contactId, whatsappId: house.company.connections.balcao, queueId })).body
const close = (id: number) => house.as('admin')('PUT', `/tickets/${id}`, { status: 'closed', sendFarewellMessage: false })

it('gives a reopened ticket the place that another closed one has not let go of yet', async () => {
  const { maria } = house.company.contacts
  const first = await open('bruno', maria)
  await close(first.id)
  const second = await open('bruno', maria)
  expect(second.id).not.toBe(first.id)
  await close(second.id)
  expect((await house.as('bruno')('PUT', `/tickets/${first.id}`, { status: 'open' })).body).toMatchObject({ id: first.id, status: 'open' })
  const place = await house.db.selectFrom('activeTicket').select('ticketId').where('contactId', '=', maria).executeTakeFirst()
  expect(place?.ticketId).toBe(first.id)
})

it('reopens no ticket of a colleague that is out of sight, and shows none that has its place', async () => {
  const { joao } = house.company.contacts
  const closed = await open('bruno', joao)
  await close(closed.id)
  expect((await house.as('ana')('PUT', `/tickets/${closed.id}`, { status: 'open' })).status).toBe(404)

  const shared = await house.as('admin')('POST', '/contacts', { name: 'Rui', number: '5511933334444' })
  const mine = await open('admin', shared.body.id)
  await house.as('admin')('PUT', `/tickets/${mine.id}`, {
    isTransfered: true,
    userId: house.company.users.ana,
    queueId: house.company.queues.vendas,
  })
  await close(mine.id)
  await open('admin', shared.body.id, house.company.queues.suporte)
  const answer = await house.as('ana')('PUT', `/tickets/${mine.id}`, { status: 'open' })
  expect(answer).toMatchObject({ status: 409, body: { error: 'ERR_OTHER_OPEN_TICKET', queue: { name: 'Suporte' } } })
  expect(
    Object.keys(answer.body)
      .filter((name) => name !== 'message')
      .toSorted(),
  ).toEqual(['error', 'queue', 'user'])
})

it('sends to two tickets what a client sent under one id', async () => {
  const ids = await Promise.all(
    ['5511911110001', '5511911110002'].map(
      async (number) => (await house.as('bruno')('POST', '/contacts', { name: 'Eva', number })).body.id,
    ),
  )
  const external: string[] = []
  for (const contactId of ids) {
    const ticket = await open('bruno', contactId)
    await house.as('bruno')('POST', `/messages/${ticket.id}`, { body: 'hi' }, { 'x-command-id': 'one-and-the-same' })
    const { events } = await house.house.log.read(`ticket-${house.company.companies.casa}-${ticket.id}`)
    external.push(...events.filter(({ type }) => type === 'MessageSent').map(({ data }) => data.externalId as string))
  }
  expect(new Set(external).size).toBe(2)
})
