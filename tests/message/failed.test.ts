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

const told = async (who: Person): Promise<any[]> => (await app.as(who)('GET', '/messages/failed')).body.messages
const knows = async (who: Person, id: number) => (await told(who)).find((one) => one.id === id)
const breaks = (count = 1) => scene.made('admin', 'POST', `/sandbox/${scene.connections.loja}/faults`, { failCode: 'BLOCKED', count })
/** A screen of theirs, whatever it shows. */
async function listens(who: Person) {
  const line = await app.socket(who)
  line.emit('joinNotification')
  line.emit('knock')
  await line.heard(({ action }) => action === 'unknown') // what was said before it was heard too
  return line
}

it('tells who sent what did not leave, wherever its ticket went, and who serves it now', async () => {
  const ticket = await scene.served()
  const { id } = await scene.failed(ticket)
  expect(await knows('ana', id)).toMatchObject({
    ticketId: ticket.id,
    uuid: ticket.uuid,
    inSight: true,
    body: 'Bom dia',
    failed: 'BLOCKED',
  })
  expect([await knows('bruno', id), await knows('admin', id), await knows('root', id)]).toEqual([undefined, undefined, undefined])

  const toCarla = { isTransfered: true, queueId: scene.queues.suporte, userId: scene.users.carla }
  await scene.made('ana', 'PUT', `/tickets/${ticket.id}`, toCarla)
  expect(await knows('ana', id)).toMatchObject({ inSight: false, contact: { name: expect.stringMatching(/^Pessoa/) } })
  expect(await knows('carla', id)).toMatchObject({ inSight: true })

  await scene.made('carla', 'PUT', `/tickets/${ticket.id}`, { status: 'pending', userId: null })
  expect([(await knows('ana', id)).id, await knows('carla', id)]).toEqual([id, undefined])
})

it('tells of what failed in a ticket that was resolved since, and no longer once it was sent again or deleted', async () => {
  const ticket = await scene.served()
  const { id } = await scene.failed(ticket)
  const other = await scene.failed(ticket)
  await scene.made('ana', 'PUT', `/tickets/${ticket.id}`, { status: 'closed' })
  expect(await knows('ana', id)).toMatchObject({ inSight: true })
  await scene.made('ana', 'PUT', `/tickets/${ticket.id}`, { status: 'open', queueId: scene.queues.vendas })
  await scene.made('ana', 'POST', `/messages/${id}/again`, {})
  expect((await app.as('ana')('DELETE', `/messages/${other.id}`)).status).toBe(200)
  expect([await knows('ana', id), await knows('ana', other.id)]).toEqual([undefined, undefined])
})

it('tells of a forward that failed in a colleague’s ticket, which the sender does not see, as it happens', async () => {
  const target = await scene.made('admin', 'POST', '/tickets', {
    ...{ contactId: (await scene.contact()).id, queueId: scene.queues.suporte, userId: scene.users.admin },
    whatsappId: scene.connections.loja,
  })
  const { id: messageId } = await scene.message(await scene.served())
  await app.settled()
  const [ana, carla] = await Promise.all([listens('ana'), listens('carla')])
  await breaks()
  expect((await app.as('ana')('POST', '/message/forward', { messageId, contactId: target.contactId })).status).toBe(200)
  await ana.heard(({ channel, action }) => channel.endsWith('-failedMessage') && action === 'refresh')
  const [mine] = await told('ana')
  expect(mine).toMatchObject({ ticketId: target.id, inSight: false, failed: 'BLOCKED' })
  expect((await told('admin'))[0]).toMatchObject({ id: mine.id, inSight: true })
  expect(carla.of('failedMessage')).toEqual([])
})

it('tells of a group that is nobody’s only who wrote there', async () => {
  const group = { id: '120363000000000777@g.us', name: 'Obra Central' }
  await app.phone.says('5511966660001', 'alguém aí?', { group, connection: scene.connections.loja })
  await app.settled()
  const { tickets } = (await app.as('bruno')('GET', '/tickets?status=group&showAll=true')).body
  const ticket = tickets.find((row: any) => row.contact.name === group.name)
  expect(ticket).toMatchObject({ status: 'group', userId: null })
  await breaks()
  const { id } = await scene.message(ticket, 'bruno')
  await app.settled()
  expect([(await knows('bruno', id))?.id, await knows('admin', id)]).toEqual([id, undefined])
})

it('is silent about what somebody dismissed, to them alone and on each of their screens', async () => {
  const ticket = await scene.served()
  const { id } = await scene.failed(ticket)
  await scene.made('ana', 'PUT', `/tickets/${ticket.id}`, { isTransfered: true, queueId: scene.queues.vendas, userId: scene.users.bruno })
  const { count } = (await app.as('ana')('GET', '/messages/failed')).body
  const other = await listens('ana')
  expect((await app.as('ana')('POST', `/messages/${id}/dismiss`)).status).toBe(204)
  await other.heard(({ channel }) => channel.endsWith('-failedMessage'))
  expect(await knows('ana', id)).toBeUndefined()
  expect((await app.as('ana')('GET', '/messages/failed')).body.count).toBe(count - 1)
  expect(await knows('bruno', id)).toMatchObject({ inSight: true })
  expect((await app.as('ana')('POST', `/messages/${id}/dismiss`)).status).toBe(404)
  expect((await app.as('carla')('POST', `/messages/${id}/dismiss`)).status).toBe(404)
  expect((await app.as('bruno')('GET', `/tickets/u/${ticket.uuid}`)).body.failedMessages).toBe(1)
})

it('shows who must not see numbers no contact whose name is one', async () => {
  const ticket = await scene.served()
  const { id } = await scene.failed(ticket)
  await scene.made('admin', 'PUT', `/contacts/${ticket.contactId}`, { name: '5511977776666' })
  await app.set('enableLGPD', 'enabled')
  await app.set('lgpdHideNumber', 'enabled')
  await expect.poll(async () => (await knows('ana', id)).contact.name).toMatch(/\*/)
  await app.set('lgpdHideNumber', 'disabled')
})
