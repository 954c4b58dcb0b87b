import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHouse, type TestHouse } from '#tests/kit/server.ts'

let house: TestHouse
beforeAll(async () => {
  house = await startHouse()
})
afterAll(() => house?.stop())

const opened = async (number: string) => {
  const { body: contact } = await house.as('admin')('POST', '/contacts', { name: 'Outra Vez', number })
  const asked = { contactId: contact.id, whatsappId: house.company.connections.balcao, queueId: house.company.queues.vendas }
  return (await house.as('admin')('POST', '/tickets', asked)).body
}

it('writes one note, and gives one reaction, however often a client asks under one id', async () => {
  const admin = house.as('admin')
  const ticket = await opened('5511933330001')
  const again = { 'x-command-id': 'the-same-note-0001' }
  const first = await admin('POST', '/ticket-notes', { note: 'ligar amanhã', ticketId: ticket.id }, again)
  const second = await admin('POST', '/ticket-notes', { note: 'ligar amanhã', ticketId: ticket.id }, again)
  expect(second.body).toEqual(first.body)
  expect((await admin('GET', `/ticket-notes/list?ticketId=${ticket.id}`)).body).toHaveLength(1)

  const { messages } = (await admin('POST', `/messages/${ticket.id}`, { body: 'bom dia' })).body
  const id = { 'x-command-id': 'the-same-thumb-0001' }
  for (let i = 0; i < 3; i++)
    expect((await admin('POST', `/messages/${messages[0].id}/reactions`, { type: '👍' }, id)).body.reactions).toEqual([
      { mediaType: 'reactionMessage', emoji: '👍', from: 'us' },
    ])
})

it('hears what a customer writes while a transfer closes the ticket in the one that goes on, and opens no third', async () => {
  await house.set('closeTicketOnTransfer', 'true')
  const admin = house.as('admin')
  const number = '5511933330002'
  const ticket = await opened(number)
  const { ana } = house.company.users
  const transfer = admin('PUT', `/tickets/${ticket.id}`, { isTransfered: true, userId: ana, queueId: house.company.queues.vendas })
  const said = Array.from({ length: 12 }, (_, i) => house.phone.says(number, `linha ${i}`))
  const next = (await transfer).body
  await Promise.all(said)
  await house.settled()
  expect(next.id).not.toBe(ticket.id)
  const open = await house.db
    .selectFrom('ticket')
    .select(['id', 'userId'])
    .where('contactId', '=', ticket.contactId)
    .where('status', '!=', 'closed')
    .execute()
  expect(open).toEqual([{ id: next.id, userId: ana }])
  const rows = await house.db
    .selectFrom('message')
    .select('body')
    .where('ticketId', 'in', [ticket.id, next.id])
    .where('fromMe', '=', false)
    .execute()
  expect(rows).toHaveLength(12)
  await house.set('closeTicketOnTransfer', 'false')
})

it('keeps the order of one customer whose number comes with and without the ninth digit', async () => {
  const numbers = ['5511988880003', '551188880003']
  for (let i = 0; i < 10; i++) await house.phone.says(numbers[i % 2]!, `passo ${i}`)
  await house.settled()
  const rows = await house.db
    .selectFrom('message')
    .select('body')
    .where('body', 'like', 'passo %')
    .orderBy('ticketId')
    .orderBy('revision')
    .execute()
  expect(rows.map(({ body }) => body)).toEqual(Array.from({ length: 10 }, (_, i) => `passo ${i}`))
})
