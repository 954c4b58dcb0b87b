import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

/* What a phone and its network do beside writing, and what becomes of it here: each by the way that every provider takes. */
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

it('what is typed on the company’s own phone stands in the ticket as that, leaves nobody twice and has its marks', async () => {
  const from = '5511933330001'
  await app.phone.says(from, 'Oi, quanto custa?')
  const id = await app.phone.says(from, 'Cem reais', { fromMe: true })
  await app.phone.says(from, 'Cem reais', { fromMe: true, id })
  const told = await thread(from)
  expect(told.messages.map((one: any) => [one.body, one.fromMe, one.elsewhere, one.ack, one.user])).toEqual([
    ['Oi, quanto custa?', false, false, 0, null],
    ['Cem reais', true, true, 1, null],
  ])
  expect(told).toMatchObject({ unreadMessages: 0, lastMessage: 'Cem reais' })

  expect((await post('marks', { id, mark: 'read' })).status).toBe(202)
  await app.phone.says(from, 'Noventa', { fromMe: true, edits: id })
  expect((await thread(from)).messages.at(-1)).toMatchObject({ ack: 3, body: 'Noventa', isEdited: true, elsewhere: true })
  expect((await shownOn(from)).map((line: any) => [line.body, line.mine])).toEqual([
    ['Oi, quanto custa?', true],
    ['Noventa', false],
  ])
})

it('what is typed to somebody without a ticket opens one', async () => {
  const from = '5511933330002'
  await app.phone.says(from, 'Seu pedido chegou', { fromMe: true, name: 'Casa' })
  const { messages, id } = await thread(from)
  expect(messages).toMatchObject([{ body: 'Seu pedido chegou', elsewhere: true }])
  const row = await app.as('bruno')('GET', `/tickets/${id}`)
  expect(row.status === 200 ? row.body.contact.name : from).toBe(from) // nobody is called by the name of who wrote to them
})

it('a call is turned down and answered once, and stands among the messages (A-CALL-01)', async () => {
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

it('what the network took and did not deliver is shown with its reason, and is sent again by the agent', async () => {
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

it('what nobody can read waits as such until it comes, in its place', async () => {
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

it('what nobody could read comes also after its ticket was closed, and opens no other', async () => {
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

it('what the channel puts off leaves later, once, and in its order', async () => {
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
  // the channel has it a moment before its answer is on record
  const taken = await eventually(rows, (all) => all.every(({ state }) => state === 'taken'))
  expect(taken).toMatchObject([
    { attempts: 1, putOff: 3 },
    { attempts: 1, putOff: 0 },
  ])
})
