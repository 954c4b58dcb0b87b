import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* The sandbox network does not know numbers that end with 0000. */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const create = (number: string) => app.as('admin')('POST', '/contacts', { name: 'Iara Nova', number })
const setStatus = (status: 'CONNECTED' | 'DISCONNECTED') =>
  app.db.updateTable('connection').set({ status }).where('companyId', '=', app.company.companies.casa).execute()

it('a contact is refused if its number is not on the network (ERR_WAPP_INVALID_CONTACT)', async () => {
  expect(await create('5511944420000')).toMatchObject({ status: 400, body: { error: 'ERR_WAPP_INVALID_CONTACT' } })
  expect((await create('5511944420001')).status).toBe(200)
  expect(await create('5511944420001')).toMatchObject({ status: 409, body: { error: 'ERR_DUPLICATED_CONTACT' } })
})

it('a changed number is checked, an unchanged one is not', async () => {
  const { id } = (await create('5511944420002')).body
  const change = (number: string) => app.as('admin')('PUT', `/contacts/${id}`, { number })
  expect(await change('5511944430000')).toMatchObject({ status: 400, body: { error: 'ERR_WAPP_INVALID_CONTACT' } })
  expect(await change('+55 11 94442-0002')).toMatchObject({ status: 200, body: { number: '5511944420002' } })
  expect(await change('5511944420003')).toMatchObject({ status: 200, body: { number: '5511944420003' } })
})

it('a number is not checked while no connection can be asked', async () => {
  await setStatus('DISCONNECTED')
  expect((await create('5511944440000')).status).toBe(200)
  await setStatus('CONNECTED')
})
