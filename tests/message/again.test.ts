import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScene } from '#tests/http/scene.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const opened = async (number: string) => {
  const { body: contact } = await app.as('admin')('POST', '/contacts', { name: 'Outra Vez', number })
  const asked = { contactId: contact.id, whatsappId: app.company.connections.balcao, queueId: app.company.queues.vendas }
  return (await app.as('admin')('POST', '/tickets', asked)).body
}

it('one command id gives one note and one reaction, however often the client repeats it', async () => {
  const admin = app.as('admin')
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
      { mediaType: 'reactionMessage', emoji: '👍', from: 'us', name: null },
    ])
})

it('the same command id of two users counts as two commands, for notes and for transfers', async () => {
  const as = { admin: app.as('admin'), bruno: app.as('bruno') }
  const ticket = await opened('5511933330009')
  const same = { 'x-command-id': 'what-both-came-up-with' }
  for (const who of ['admin', 'bruno'] as const) {
    const { status, body } = await as[who]('POST', '/ticket-notes', { note: `de ${who}`, ticketId: ticket.id }, same)
    expect([status, body.note]).toEqual([200, `de ${who}`])
  }
  expect((await as.admin('GET', `/ticket-notes/list?ticketId=${ticket.id}`)).body).toHaveLength(2)

  await app.set('closeTicketOnTransfer', 'enabled')
  const { suporte: queueId } = app.company.queues
  const made: string[] = []
  for (const number of ['5511933330010', '5511933330011']) {
    const { id } = await opened(number)
    const { status, body } = await as.admin('PUT', `/tickets/${id}`, { isTransfered: true, queueId, userId: null }, same)
    expect(status).toBe(200)
    made.push(body.uuid)
  }
  expect(new Set(made).size).toBe(2)
  await app.set('closeTicketOnTransfer', 'disabled')
})

it('a failed message is sent again only once and then refers to its new message', async () => {
  const scene = await openScene(app)
  const ticket = await scene.served()
  const { id } = await scene.failed(ticket)
  const ana = await app.socket('ana')
  ana.emit('joinChatBox', { ticketId: ticket.id })
  const page = async () =>
    (await app.as('ana')('GET', `/messages/${ticket.id}`)).body.messages.map((row: any) => [row.id, row.failed, row.sentAgain])
  expect(await page()).toEqual([[id, expect.any(String), null]])
  const [one, two] = await Promise.all([0, 1].map(() => app.as('ana')('POST', `/messages/${id}/again`)))
  expect([one!.status, two!.status, two!.body.id]).toEqual([200, 200, one!.body.id])
  expect((await app.as('ana')('POST', `/messages/${id}/again`)).body.id).toBe(one!.body.id)
  await app.settled()
  const became = [
    [id, expect.any(String), one!.body.id],
    [one!.body.id, null, null],
  ]
  expect(await page()).toEqual(became)
  const { message } = await ana.heard(({ message: row }) => row?.id === id && row.sentAgain !== null)
  expect(message).toMatchObject({ sentAgain: one!.body.id, body: 'Bom dia', failed: expect.any(String) })
})

it('messages during a transfer with a successor go to the successor, not to a third ticket', async () => {
  await app.set('closeTicketOnTransfer', 'true')
  const admin = app.as('admin')
  const number = '5511933330002'
  const ticket = await opened(number)
  const { ana } = app.company.users
  const transfer = admin('PUT', `/tickets/${ticket.id}`, { isTransfered: true, userId: ana, queueId: app.company.queues.vendas })
  const said = Array.from({ length: 12 }, (_, i) => app.phone.says(number, `linha ${i}`))
  const next = (await transfer).body
  await Promise.all(said)
  await app.settled()
  expect(next.id).not.toBe(ticket.id)
  const open = await app.db
    .selectFrom('ticket')
    .select(['id', 'userId'])
    .where('contactId', '=', ticket.contactId)
    .where('status', '!=', 'closed')
    .execute()
  expect(open).toEqual([{ id: next.id, userId: ana }])
  const rows = await app.db
    .selectFrom('message')
    .select('body')
    .where('ticketId', 'in', [ticket.id, next.id])
    .where('fromMe', '=', false)
    .execute()
  expect(rows).toHaveLength(12)
  await app.set('closeTicketOnTransfer', 'false')
})

it('messages keep their order if the number comes with and without the ninth digit', async () => {
  const numbers = ['5511988880003', '551188880003']
  for (let i = 0; i < 10; i++) await app.phone.says(numbers[i % 2]!, `passo ${i}`)
  await app.settled()
  const rows = await app.db
    .selectFrom('message')
    .select('body')
    .where('body', 'like', 'passo %')
    .orderBy('ticketId')
    .orderBy('revision')
    .execute()
  expect(rows.map(({ body }) => body)).toEqual(Array.from({ length: 10 }, (_, i) => `passo ${i}`))
})
