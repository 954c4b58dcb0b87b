import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScene, type Scene } from '#tests/http/scene.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
let scene: Scene
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
})
afterAll(() => app.stop())

it('a contact with an invalid number is in no list and gets no ticket (R-PHONE-02)', async () => {
  const admin = app.as('admin')
  const listed = async () => (await admin('GET', '/contacts?searchParam=Número Torto')).body.count
  const { status, body } = await admin('POST', '/contacts', { name: 'Número Torto', number: '12345678' })
  expect([status, body.validNumber, await listed()]).toEqual([200, false, 0])
  const open = () => admin('POST', '/tickets', { contactId: body.id, queueId: scene.queues.vendas })
  expect(await open()).toMatchObject({ status: 400, body: { error: 'ERR_WAPP_INVALID_CONTACT' } })
  const put = await admin('PUT', `/contacts/${body.id}`, { name: 'Número Torto', number: '5511955550099' })
  expect([put.body.validNumber, await listed()]).toEqual([true, 1])
  expect((await open()).status).toBe(200)
})
