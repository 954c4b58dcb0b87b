import { afterAll, beforeAll, expect, it } from 'vitest'
import { customerOf } from '#tests/bots/customer.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())
const admin = (method: string, path: string, body?: unknown) => app.as('admin')(method, path, body)

it('the order of queues that is set by hand holds in the list and in the bot menu (A-BOT-02)', async () => {
  const { vendas, suporte } = app.company.queues
  const { loja } = app.company.connections
  await app.db.updateTable('connection').set({ greetingMessage: 'Olá!' }).where('id', '=', loja).execute()
  const names = async () => (await admin('GET', '/queue')).body.map(({ name }: { name: string }) => name)
  expect(await names()).toEqual(['Vendas', 'Suporte'])
  const { status, body } = await admin('PUT', '/queue/order', { ids: [suporte, vendas] })
  expect([status, body.map(({ orderQueue }: { orderQueue: number }) => orderQueue)]).toEqual([200, [1, 2]])
  expect(await names()).toEqual(['Suporte', 'Vendas'])
  expect(await customerOf(app, loja).says('oi')).toEqual(['Olá!\n\n*[ 1 ]* - Suporte\n*[ 2 ]* - Vendas'])
  const queuesOf = (rows: { queues: { name: string }[] }) => rows.queues.map(({ name }) => name)
  expect(queuesOf((await app.as('bruno')('GET', '/auth/me')).body)).toEqual(['Suporte', 'Vendas'])
  expect(queuesOf((await admin('GET', `/users/${app.company.users.bruno}`)).body)).toEqual(['Suporte', 'Vendas'])
  expect(queuesOf((await admin('GET', `/whatsapp/${loja}`)).body)).toEqual(['Suporte', 'Vendas'])
  await admin('PUT', '/queue/order', { ids: [vendas] }) // a queue that the list does not name follows
  expect(await names()).toEqual(['Vendas', 'Suporte'])
  const { changes } = (await admin('GET', `/audit?list=queue&rowId=${vendas}`)).body
  expect(changes[0]).toMatchObject({ act: 'changed', before: { orderQueue: 2 }, after: { orderQueue: 1 } })
})

it('lanes keep the order that is set by hand', async () => {
  const lane = async (name: string) => (await admin('POST', '/tags', { name, color: '#123456', kanban: 1 })).body.id as number
  const [first, second] = [await lane('Proposta'), await lane('Fechado')]
  const lanes = async () => (await admin('GET', '/tag/kanban')).body.lista.map(({ id }: { id: number }) => id)
  const { pista } = app.company.tags
  expect(await lanes()).toEqual([pista, first, second])
  expect((await admin('PUT', '/tag/kanban/order', { ids: [second, pista, first] })).status).toBe(200)
  expect(await lanes()).toEqual([second, pista, first])
  const listed = (await admin('GET', '/tags?kanban=1')).body.tags.map(({ id }: { id: number }) => id)
  const choices = (await admin('GET', '/tags/list?kanban=1')).body.map(({ id }: { id: number }) => id)
  expect([listed, choices]).toEqual([
    [second, pista, first],
    [second, pista, first],
  ])
})

it('a lane that others name is deleted after a confirmation, and taken out of them (A-LANE-01)', async () => {
  const lane = async (name: string, more: object = {}) =>
    (await admin('POST', '/tags', { name, color: '#123456', kanban: 1, ...more })).body.id as number
  const goal = await lane('Destino')
  const from = await lane('Origem', { nextLaneId: goal, timeLane: 5 })
  const back = await lane('Retorno', { rollbackLaneId: goal })
  const refused = await admin('DELETE', `/tags/${goal}`)
  expect([refused.status, refused.body]).toMatchObject([409, { error: 'ERR_LANE_IN_USE', lanes: 2 }])
  expect((await admin('GET', `/tags/${from}`)).body).toMatchObject({ nextLaneId: goal, timeLane: 5, version: 1 })
  expect((await admin('DELETE', `/tags/${goal}?release=true`)).status).toBe(204)
  expect((await admin('GET', `/tags/${from}`)).body).toMatchObject({ nextLaneId: null, timeLane: null, version: 2 })
  expect((await admin('GET', `/tags/${back}`)).body).toMatchObject({ rollbackLaneId: null })
})
