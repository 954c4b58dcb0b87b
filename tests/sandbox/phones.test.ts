import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

/* Actions of a phone and its network other than writing, on the same path as for any provider. */
let app: TestApp
let balcao = 0
beforeAll(async () => {
  app = await startTestApp()
  balcao = app.company.connections.balcao
  await app.set('acceptCallWhatsapp', 'disabled')
  await app.set('AcceptCallWhatsappMessage', 'Não atendemos ligações.')
})
afterAll(() => app?.stop())

const post = (call: string, body: object) => app.as('admin')('POST', `/sandbox/${balcao}/${call}`, body)
const shownOn = async (number: string) => (await app.as('admin')('GET', `/sandbox/${balcao}/phone/${number}`)).body
async function thread(number: string) {
  await app.settled()
  const ticket = await app.db
    .selectFrom('ticket')
    .innerJoin('contact', 'contact.id', 'ticket.contactId')
    .select(['ticket.id', 'ticket.uuid', 'ticket.unreadMessages', 'ticket.lastMessage'])
    .where('contact.number', '=', number)
    .executeTakeFirstOrThrow()
  const { messages } = (await app.as('bruno')('GET', `/messages/${ticket.id}`)).body
  return { ...ticket, messages }
}
async function served(number: string) {
  const { id } = await thread(number)
  const { vendas } = app.company.queues
  expect((await app.as('bruno')('PUT', `/tickets/${id}`, { status: 'open', queueId: vendas })).status).toBe(200)
  return id
}

it('a message typed on the company’s phone is an external message with receipts', async () => {
  const from = '5511933330001'
  await app.phone.says(from, 'Oi, quanto custa?')
  const id = await app.phone.says(from, 'Cem reais', { fromMe: true })
  await app.phone.says(from, 'Cem reais', { fromMe: true, id })
  const conversation = await thread(from)
  expect(conversation.messages.map((one: any) => [one.body, one.fromMe, one.elsewhere, one.ack, one.user])).toEqual([
    ['Oi, quanto custa?', false, false, 0, null],
    ['Cem reais', true, true, 1, null],
  ])
  expect(conversation).toMatchObject({ unreadMessages: 0, lastMessage: 'Cem reais' })

  expect((await post('marks', { id, mark: 'read' })).status).toBe(202)
  await app.phone.says(from, 'Noventa', { fromMe: true, edits: id })
  expect((await thread(from)).messages.at(-1)).toMatchObject({ ack: 3, body: 'Noventa', isEdited: true, elsewhere: true })
  expect((await shownOn(from)).map((line: any) => [line.body, line.mine])).toEqual([
    ['Oi, quanto custa?', true],
    ['Noventa', false],
  ])
})

it('a message typed to a contact without a ticket opens one', async () => {
  const from = '5511933330002'
  await app.phone.says(from, 'Seu pedido chegou', { fromMe: true, name: 'Casa' })
  const { messages, id } = await thread(from)
  expect(messages).toMatchObject([{ body: 'Seu pedido chegou', elsewhere: true }])
  const row = await app.as('bruno')('GET', `/tickets/${id}`)
  expect(row.status === 200 ? row.body.contact.name : from).toBe(from) // the company's own name is not used for the contact
})

it('a call is refused and answered once, and appears among the messages (A-CALL-01)', async () => {
  const from = '5511933330003'
  const id = await app.phone.says(from, '', { call: 'video' })
  await app.phone.says(from, '', { call: 'video', id })
  const { messages } = await thread(from)
  expect(messages.map((one: any) => [one.mediaType, one.body])).toEqual([
    ['call_log', '📹'],
    ['chat', 'Não atendemos ligações.'],
  ])
  expect((await shownOn(from)).map((line: any) => [line.kind, line.mark])).toEqual([
    ['call_log', 'rejected'],
    ['chat', 'delivered'],
  ])
})

it('a failed delivery is shown with its reason, and the agent can send again', async () => {
  const from = '5511933330004'
  await app.phone.says(from, 'Alô')
  const ticketId = await served(from)
  expect((await post('faults', { failCode: 'NOT_REGISTERED', afterwards: true, count: 1 })).status).toBe(202)
  const { body } = await app.as('bruno')('POST', `/messages/${ticketId}`, { body: 'Bom dia' })
  const failed = await eventually(
    async () => (await thread(from)).messages.at(-1),
    (message) => message.failed !== null,
  )
  expect(failed).toMatchObject({ id: body.messages[0].id, failed: 'NOT_REGISTERED' })
  expect((await app.as('bruno')('POST', `/messages/${failed.id}/again`)).status).toBe(200)
  expect((await thread(from)).messages).toMatchObject([
    { body: 'Alô' },
    { sentAgain: expect.any(Number) },
    { body: 'Bom dia', ack: 2, failed: null },
  ])
})

it('an undecryptable message waits in its place until its content arrives', async () => {
  const from = '5511933330005'
  const id = await app.phone.says(from, 'o segredo', { undecryptable: true })
  const before = await thread(from)
  expect(before).toMatchObject({ lastMessage: '⏳', messages: [{ body: '', undecryptable: true }] })
  await app.phone.says(from, 'e mais uma')
  await app.phone.says(from, 'o segredo', { id })
  await app.phone.says(from, 'o segredo', { id })
  const after = await thread(from)
  expect(after.messages).toMatchObject([{ id: before.messages[0].id, body: 'o segredo', undecryptable: false }, { body: 'e mais uma' }])
  expect((await shownOn(from)).map((line: any) => line.body)).toEqual(['o segredo', 'e mais uma'])
})

it('the content also arrives after the ticket was closed, and opens no other ticket', async () => {
  const from = '5511933330006'
  const id = await app.phone.says(from, 'tarde', { undecryptable: true })
  const ticketId = await served(from)
  expect((await app.as('bruno')('PUT', `/tickets/${ticketId}`, { status: 'closed' })).status).toBe(200)
  await app.settled()
  await app.phone.says(from, 'tarde', { id })
  expect((await thread(from)).messages).toMatchObject([{ body: 'tarde', undecryptable: false }])
  const tickets = app.db.selectFrom('ticket').innerJoin('contact', 'contact.id', 'ticket.contactId').where('contact.number', '=', from)
  expect(await tickets.select('ticket.id').execute()).toHaveLength(1)
})

it('a delayed message is sent later, once and in order', async () => {
  const from = '5511933330007'
  await app.phone.says(from, 'Alô')
  const ticketId = await served(from)
  expect((await post('faults', { laterMs: 100, count: 3 })).status).toBe(202)
  for (const body of ['um', 'dois']) await app.as('bruno')('POST', `/messages/${ticketId}`, { body })
  await eventually(
    async () => (await shownOn(from)).map((line: any) => line.body),
    (bodies) => bodies.at(-1) === 'dois',
  )
  expect((await shownOn(from)).map((line: any) => line.body)).toEqual(['Alô', 'um', 'dois'])
  const rows = () =>
    app.db
      .selectFrom('outbox')
      .select(['attempts', 'putOff', 'state'])
      .where('ticketId', '=', ticketId)
      .where('kind', '=', 'send')
      .orderBy('n')
      .execute()
  // the channel has it shortly before its answer is recorded
  const taken = await eventually(rows, (all) => all.every(({ state }) => state === 'taken'))
  expect(taken).toMatchObject([
    { attempts: 1, putOff: 3 },
    { attempts: 1, putOff: 0 },
  ])
})
