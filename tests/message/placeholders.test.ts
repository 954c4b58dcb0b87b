import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Customer, customersOf } from '#tests/contact/customers.ts'
import { openScene, type Scene } from '#tests/http/scene.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* The variables of an agent's text (A-BOT-10): what is stored is what the customer reads. */
let app: TestApp
let scene: Scene
let iara: Customer
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
  iara = await customer('oi')
  await ok('PUT', `/contacts/${iara.id}`, { name: 'Iara Nunes' })
  await ok('PUT', `/tickets/${iara.ticketId}`, { status: 'open', queueId: scene.queues.vendas })
})
afterAll(() => app.stop())
const { customer, ok, sentTo, ticketsOf } = customersOf(() => ({ app, scene }))

const send = async (body: string, more: object = {}) => {
  const { messages } = await ok('POST', `/messages/${iara.ticketId}`, { body, ...more })
  await app.settled()
  return messages[0] as { id: number; body: string }
}
const newest = async (of: Customer) => (await sentTo(of)).at(-1)

it('a text is stored, answered and listed as the customer reads it', async () => {
  const { body } = await send('Olá {{nome}} ({numero}), aqui é {atendente}. {{fila}}')
  expect(body).toBe(`Olá Iara Nunes (${iara.number}), aqui é admin. {{fila}}`)
  expect(await newest(iara)).toBe(body)
  const { messages } = await ok('GET', `/messages/${iara.ticketId}`)
  expect(messages.at(-1).body).toBe(body)
  expect((await ticketsOf(iara)).at(-1)!.lastMessage).toBe(body)
})
it('an edit too', async () => {
  const { id } = await send('Oi')
  expect((await ok('POST', `/messages/edit/${id}`, { body: 'Oi, {primeiro nome}' })).body).toBe('Oi, Iara')
  await app.settled()
  expect(await newest(iara)).toBe('Oi, Iara')
})
it('an internal message stays as it was written', async () => {
  expect((await send('pedir o CPF de {nome}', { isPrivate: true })).body).toBe('pedir o CPF de {nome}')
})
it('a forwarded text has the values of the message, and never a variable', async () => {
  const caio = await customer('oi')
  const { id } = await send('Boleto de {{nome}}')
  await ok('POST', '/message/forward', { messageId: id, contactId: caio.id })
  await app.settled()
  expect(await newest(caio)).toBe('Boleto de Iara Nunes')
})
it('an interactive message too, also when it is forwarded', async () => {
  const caio = await customer('oi')
  const list = { title: 'Oi, {{primeiro nome}}', buttonText: 'Ver', sections: [{ rows: [{ title: 'Para {nome}' }] }] }
  const { messages } = await ok('POST', `/messages/lista/${iara.ticketId}`, list)
  await app.settled()
  expect([messages[0].interactive.title, messages[0].body]).toEqual(['Oi, Iara', expect.stringContaining('Para Iara Nunes')])
  await ok('POST', '/message/forward', { messageId: messages[0].id, contactId: caio.id })
  await app.settled()
  expect(await newest(caio)).toBe(messages[0].body)
})
it('a repeated call answers the first text, also after the contact was renamed', async () => {
  const id = { 'x-command-id': crypto.randomUUID() }
  const once = async () =>
    (await app.as('admin')('POST', `/messages/${iara.ticketId}`, { body: 'Tchau, {nome}' }, id)).body.messages[0].body
  const list = { title: 'Até logo, {nome}', buttonText: 'Ver', sections: [{ rows: [{ title: 'Sair' }] }] }
  const interactiveId = { 'x-command-id': crypto.randomUUID() }
  const interactiveOnce = async () =>
    (await app.as('admin')('POST', `/messages/lista/${iara.ticketId}`, list, interactiveId)).body.messages?.[0].interactive.title
  expect([await once(), await interactiveOnce()]).toEqual(['Tchau, Iara Nunes', 'Até logo, Iara Nunes'])
  await ok('PUT', `/contacts/${iara.id}`, { name: 'Iara Prado' })
  expect([await once(), await interactiveOnce()]).toEqual(['Tchau, Iara Nunes', 'Até logo, Iara Nunes'])
  await ok('PUT', `/contacts/${iara.id}`, { name: 'Iara Nunes' })
})
it('a text that its values make too long is stored with its variables', async () => {
  const long = '{nome}'.repeat(1600)
  expect((await send(long)).body).toBe(long)
  expect((await newest(iara))!.startsWith('Iara NunesIara Nunes')).toBe(true)
})
it('the number stays a variable if a merge gives the contact several', async () => {
  const caio = await customer('oi')
  await ok('PUT', `/tickets/${caio.ticketId}`, { status: 'open', queueId: scene.queues.vendas })
  await ok('PUT', `/tickets/${caio.ticketId}`, { status: 'closed', sendFarewellMessage: false })
  await ok('POST', `/contacts/${caio.id}/merge`, { targetId: iara.id })
  await app.phone.says(caio.number, 'sou eu')
  await app.settled()
  expect((await send('{nome}: {numero}')).body).toBe('Iara Nunes: {numero}')
  expect(await newest(caio)).toBe(`Iara Nunes: ${caio.number}`)
  const other = await customer('oi')
  const { messages } = await ok('GET', `/messages/${iara.ticketId}`)
  await ok('POST', '/message/forward', { messageId: messages.at(-1).id, contactId: other.id })
  await app.settled()
  expect(await newest(other)).toBe('Iara Nunes:')
})
