import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHouse, type TestHouse } from '#tests/kit/server.ts'
import { openScene, type Scene } from './scene.ts'

/* The same call asked again with its command id, after an answer that was lost: it answers what the first one answered. */
let house: TestHouse
let scene: Scene
beforeAll(async () => {
  house = await startHouse()
  scene = await openScene(house)
}, 30_000)
afterAll(() => house?.stop(), 30_000)

const again = async (method: string, path: string, body?: object) => {
  const headers = { 'x-command-id': crypto.randomUUID() }
  return [await house.as('ana')(method, path, body, headers), await house.as('ana')(method, path, body, headers)]
}

it('opens one ticket and answers with it, whatever became of it since', async () => {
  const headers = { 'x-command-id': crypto.randomUUID() }
  const asked = { contactId: (await scene.contact()).id, queueId: scene.queues.vendas }
  const open = () => house.as('ana')('POST', '/tickets', asked, headers)
  const first = await open()
  expect(first.status).toBe(200)
  const [again, another] = await Promise.all([open(), house.as('ana')('POST', '/tickets', asked)])
  expect([again.status, again.body.uuid, again.body.status]).toEqual([200, first.body.uuid, 'open'])
  expect([another.status, another.body.error]).toEqual([409, 'ERR_OTHER_OPEN_TICKET'])
  await scene.made('ana', 'PUT', `/tickets/${first.body.id}`, { status: 'closed' })
  await house.settled() // its place is free
  const late = await open()
  expect([late.status, late.body.uuid, late.body.status]).toEqual([200, first.body.uuid, 'closed'])
  const all = await house.db.selectFrom('ticket').select('id').where('contactId', '=', asked.contactId).execute()
  expect(all).toEqual([{ id: first.body.id }])
  expect((await house.as('bruno')('POST', '/tickets', asked, headers)).body.uuid).not.toBe(first.body.uuid) // another's act
})
it('opens one ticket when both come at once', async () => {
  const headers = { 'x-command-id': crypto.randomUUID() }
  const asked = { contactId: (await scene.contact()).id, queueId: scene.queues.vendas }
  const both = await Promise.all([0, 1].map(() => house.as('ana')('POST', '/tickets', asked, headers)))
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(both[0]!.body.id).toBe(both[1]!.body.id)
})
it('answers a transfer with the same ticket, also where it left the sight of who gave it, and one that closes with its successor', async () => {
  const to = { isTransfered: true, queueId: scene.queues.suporte, userId: scene.users.carla }
  const given = await scene.served()
  const [one, two] = await again('PUT', `/tickets/${given.id}`, to)
  expect([one!.status, two!.status, two!.body.id, two!.body.user.name]).toEqual([200, 200, given.id, 'carla'])
  expect((await house.as('ana')('PUT', `/tickets/${given.id}`, to)).status).toBe(404)
  await house.set('closeTicketOnTransfer', 'true')
  const closed = await scene.served()
  const [first, second] = await again('PUT', `/tickets/${closed.id}`, to)
  await house.set('closeTicketOnTransfer', 'false')
  expect([first!.status, second!.status, second!.body.uuid]).toEqual([200, 200, first!.body.uuid])
  expect(first!.body.id).not.toBe(closed.id)
  const all = await house.db.selectFrom('ticket').select('id').where('contactId', '=', closed.contactId).execute()
  expect(all).toHaveLength(2)
})
it('deletes once', async () => {
  const { id } = await scene.served()
  const headers = { 'x-command-id': crypto.randomUUID() }
  const remove = () => house.as('admin')('DELETE', `/tickets/${id}`, undefined, headers)
  expect([(await remove()).status, (await remove()).status]).toEqual([204, 204])
  expect((await house.as('admin')('DELETE', `/tickets/${id}`)).status).toBe(404)
})
