import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScene, type Scene } from '#tests/http/scene.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
let scene: Scene
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
})
afterAll(() => app?.stop())

const idOf = (who: 'ana' | 'carla' | 'rita') => app.company.users[who]
const admin = () => app.as('admin')
const change = (id: number, body: object) => admin()('PUT', `/queue/${id}`, body)
const queueIdsOf = async (who: 'ana' | 'carla') => (await admin()('GET', `/users/${idOf(who)}`)).body.queueIds as number[]

it('a queue sets its users as the form of each user does (A-USER-02)', async () => {
  const { vendas } = app.company.queues
  const { body: queue } = await admin()('POST', '/queue', { name: 'Financeiro', color: '#a1b2c3', userIds: [idOf('ana'), idOf('carla')] })
  expect(queue).toMatchObject({ userIds: [idOf('ana'), idOf('carla')], usersCount: 2, users: [{ name: 'ana' }, { name: 'carla' }] })
  expect(await queueIdsOf('ana')).toEqual([vendas, queue.id])
  expect((await app.as('ana')('GET', '/auth/me')).body.queues).toMatchObject([{ name: 'Vendas' }, { name: 'Financeiro' }])
  const { id: contactId } = await scene.contact()
  const ticket = await scene.made('carla', 'POST', '/tickets', { contactId, queueId: queue.id })
  expect((await change(queue.id, { userIds: [idOf('ana')] })).body.userIds).toEqual([idOf('ana')])
  await app.settled()
  const after = (await admin()('GET', `/tickets/u/${ticket.uuid}`)).body
  expect(after).toMatchObject({ status: 'pending', userId: null }) // the open ticket of the removed user waits again
  const { changes } = (await admin()('GET', `/audit?list=user&rowId=${idOf('carla')}`)).body
  expect(changes[0]).toMatchObject({ act: 'changed', before: { queues: [{}, { name: 'Financeiro' }] }, after: { queues: [{}] } })
  const listed = (await app.as('ana')('GET', '/queue')).body.find(({ id }: { id: number }) => id === queue.id)
  expect(listed.usersCount).toBe(1)
  expect(listed).not.toHaveProperty('userIds')
})

it('only users of the same company whom the caller may change can be set', async () => {
  const { suporte } = app.company.queues
  expect((await app.as('ana')('PUT', `/queue/${suporte}`, { userIds: [] })).body.error).toBe('ERR_NO_PERMISSION')
  expect((await change(suporte, { userIds: [idOf('rita')] })).body.error).toBe('ERR_NO_USER_FOUND')
  const { body: colleague } = await admin()('POST', '/users', { name: 'Super', email: 'superior@casa.test' })
  await app.db.updateTable('user').set({ super: true }).where('id', '=', colleague.id).execute()
  expect((await change(suporte, { userIds: [colleague.id] })).body.error).toBe('ERR_NO_PERMISSION')
})

it('a change in a user’s form makes the open form of the queue outdated', async () => {
  const { suporte } = app.company.queues
  const { body: before } = await admin()('GET', `/queue/${suporte}`)
  await admin()('PUT', `/users/${idOf('ana')}`, { queueIds: [...(await queueIdsOf('ana')), suporte] })
  const { body } = await change(suporte, { userIds: before.userIds, version: before.version })
  expect(body.error).toBe('ERR_ROW_CHANGED')
  expect((await admin()('GET', `/queue/${suporte}`)).body.userIds).toContain(idOf('ana'))
})
