import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openScene, type Scene } from '#tests/http/scene.ts'
import type { Person } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
let scene: Scene
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
})
afterAll(() => app.stop())
beforeEach(async () => {
  await app.db.deleteFrom('failureDismissal').execute()
})

const failedMessages = async (who: Person): Promise<any[]> => (await app.as(who)('GET', '/messages/failed')).body.messages
const failureSeenBy = async (who: Person, id: number) => (await failedMessages(who)).find((one) => one.id === id)
const failNextSends = (count = 1) =>
  scene.made('admin', 'POST', `/sandbox/${scene.connections.loja}/faults`, { failCode: 'BLOCKED', count })
/** Opens a socket of the user, as any screen does. */
async function openScreen(who: Person) {
  const socket = await app.socket(who)
  socket.emit('joinNotification')
  socket.emit('knock')
  await socket.heard(({ action }) => action === 'unknown') // messages sent before this one have arrived too
  return socket
}

it('a failed message is listed for its sender and for the current owner of the ticket', async () => {
  const ticket = await scene.served()
  const { id } = await scene.failed(ticket)
  expect(await failureSeenBy('ana', id)).toMatchObject({
    ticketId: ticket.id,
    uuid: ticket.uuid,
    inSight: true,
    body: 'Bom dia',
    failed: 'BLOCKED',
  })
  expect([await failureSeenBy('bruno', id), await failureSeenBy('admin', id), await failureSeenBy('root', id)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])

  const toCarla = { isTransfered: true, queueId: scene.queues.suporte, userId: scene.users.carla }
  await scene.made('ana', 'PUT', `/tickets/${ticket.id}`, toCarla)
  expect(await failureSeenBy('ana', id)).toMatchObject({ inSight: false, contact: { name: expect.stringMatching(/^Pessoa/) } })
  expect(await failureSeenBy('carla', id)).toMatchObject({ inSight: true })

  await scene.made('carla', 'PUT', `/tickets/${ticket.id}`, { status: 'pending', userId: null })
  expect([(await failureSeenBy('ana', id)).id, await failureSeenBy('carla', id)]).toEqual([id, undefined])
})

it('a failed message of a closed ticket is listed until it is sent again or deleted', async () => {
  const ticket = await scene.served()
  const { id } = await scene.failed(ticket)
  const other = await scene.failed(ticket)
  await scene.made('ana', 'PUT', `/tickets/${ticket.id}`, { status: 'closed' })
  expect(await failureSeenBy('ana', id)).toMatchObject({ inSight: true })
  await scene.made('ana', 'PUT', `/tickets/${ticket.id}`, { status: 'open', queueId: scene.queues.vendas })
  await scene.made('ana', 'POST', `/messages/${id}/again`, {})
  expect((await app.as('ana')('DELETE', `/messages/${other.id}`)).status).toBe(200)
  expect([await failureSeenBy('ana', id), await failureSeenBy('ana', other.id)]).toEqual([undefined, undefined])
})

it('a failed forward into a colleague’s ticket is listed live for its sender', async () => {
  const target = await scene.made('admin', 'POST', '/tickets', {
    ...{ contactId: (await scene.contact()).id, queueId: scene.queues.suporte, userId: scene.users.admin },
    whatsappId: scene.connections.loja,
  })
  const { id: messageId } = await scene.message(await scene.served())
  await app.settled()
  const [ana, carla] = await Promise.all([openScreen('ana'), openScreen('carla')])
  await failNextSends()
  expect((await app.as('ana')('POST', '/message/forward', { messageId, contactId: target.contactId })).status).toBe(200)
  await ana.heard(({ channel, action }) => channel.endsWith('-failedMessage') && action === 'refresh')
  const [mine] = await failedMessages('ana')
  expect(mine).toMatchObject({ ticketId: target.id, inSight: false, failed: 'BLOCKED' })
  expect((await failedMessages('admin'))[0]).toMatchObject({ id: mine.id, inSight: true })
  expect(carla.of('failedMessage')).toEqual([])
})

it('a failed message in a group without an owner is listed only for its sender', async () => {
  const group = { id: '120363000000000777@g.us', name: 'Obra Central' }
  await app.phone.says('5511966660001', 'alguém aí?', { group, connection: scene.connections.loja })
  await app.settled()
  const { tickets } = (await app.as('bruno')('GET', '/tickets?status=group&showAll=true')).body
  const ticket = tickets.find((row: any) => row.contact.name === group.name)
  expect(ticket).toMatchObject({ status: 'group', userId: null })
  await failNextSends()
  const { id } = await scene.message(ticket, 'bruno')
  await app.settled()
  expect([(await failureSeenBy('bruno', id))?.id, await failureSeenBy('admin', id)]).toEqual([id, undefined])
})

it('a dismissed failure disappears on all screens of that user, and only there', async () => {
  const ticket = await scene.served()
  const { id } = await scene.failed(ticket)
  await scene.made('ana', 'PUT', `/tickets/${ticket.id}`, { isTransfered: true, queueId: scene.queues.vendas, userId: scene.users.bruno })
  const { count } = (await app.as('ana')('GET', '/messages/failed')).body
  const other = await openScreen('ana')
  expect((await app.as('ana')('POST', `/messages/${id}/dismiss`)).status).toBe(204)
  await other.heard(({ channel }) => channel.endsWith('-failedMessage'))
  expect(await failureSeenBy('ana', id)).toBeUndefined()
  expect((await app.as('ana')('GET', '/messages/failed')).body.count).toBe(count - 1)
  expect(await failureSeenBy('bruno', id)).toMatchObject({ inSight: true })
  expect((await app.as('ana')('POST', `/messages/${id}/dismiss`)).status).toBe(404)
  expect((await app.as('carla')('POST', `/messages/${id}/dismiss`)).status).toBe(404)
  expect((await app.as('bruno')('GET', `/tickets/u/${ticket.uuid}`)).body.failedMessages).toBe(1)
})

it('a contact whose name is a number is masked for users who must not see numbers', async () => {
  const ticket = await scene.served()
  const { id } = await scene.failed(ticket)
  await scene.made('admin', 'PUT', `/contacts/${ticket.contactId}`, { name: '5511977776666' })
  await app.set('enableLGPD', 'enabled')
  await app.set('lgpdHideNumber', 'enabled')
  await expect.poll(async () => (await failureSeenBy('ana', id)).contact.name).toMatch(/\*/)
  await app.set('lgpdHideNumber', 'disabled')
})

it('a list that was read before shows each acknowledgement and each failure (R-INBOX-20)', async () => {
  const ticket = await scene.served()
  const listed = async () => {
    const { tickets } = (await app.as('ana')('GET', '/tickets?status=open')).body
    const { lastMessageAck, failedMessages } = tickets.find((one: { id: number }) => one.id === ticket.id)
    return [lastMessageAck, failedMessages]
  }
  expect(await listed()).toEqual([null, 0])
  await scene.message(ticket, 'ana', { body: 'Bom dia' })
  await listed() // as it is before the channel has answered
  await expect.poll(listed).toEqual([2, 0])
  await scene.failed(ticket)
  await expect.poll(listed).toEqual([0, 1])
})
