import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, type Scene } from '#tests/http/scene.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'
import { type Customer, customersOf } from './customers.ts'

let app: TestApp
let scene: Scene
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
})
afterAll(() => app.stop())
const { newNumber, ok, customer, close, sentTo } = customersOf(() => ({ app, scene }))

describe('a changed number (A-CONTACT-05)', () => {
  const after = async (ms: number) =>
    expect((await app.as(await scene.superUser())('POST', '/sandbox/clock', { advanceMs: ms })).status).toBe(200)
  const renumbered = (of: Customer): Customer => ({ ...of, number: newNumber() })

  it('the farewell of a ticket that was closed before goes to the number it had then, once', async () => {
    const { balcao } = scene.connections
    await app.db.updateTable('connection').set({ complationMessage: 'Até logo!' }).where('id', '=', balcao).execute()
    const iara = await customer('oi')
    await close(iara, { sendFarewellMessage: true })
    const moved = renumbered(iara)
    await ok('PUT', `/contacts/${iara.id}`, { number: moved.number })
    await after(10_000)
    await eventually(
      () => sentTo(iara),
      (sent) => sent.length > 0,
    )
    await app.settled()
    expect([await sentTo(iara), await sentTo(moved)]).toEqual([['Até logo!'], []])
    await app.db.updateTable('connection').set({ complationMessage: null }).where('id', '=', balcao).execute()
  })
  it('a waiting message goes to the number it was written for, and a later one to the new', async () => {
    const { balcao } = scene.connections
    const iara = await customer('oi')
    await ok('PUT', `/tickets/${iara.ticketId}`, { status: 'open', queueId: scene.queues.vendas })
    const [first, second] = [renumbered(iara), renumbered(iara)]
    const status = (to: 'CONNECTED' | 'DISCONNECTED') =>
      app.db.updateTable('connection').set({ status: to }).where('id', '=', balcao).execute()
    await status('DISCONNECTED')
    const waits = (body: string) => ok('POST', `/messages/${iara.ticketId}`, { body })
    await waits('chave 4411')
    await ok('PUT', `/contacts/${iara.id}`, { number: first.number })
    await waits('chave 4412')
    await ok('PUT', `/contacts/${iara.id}`, { number: second.number })
    await waits('chave 4413')
    await status('CONNECTED')
    await eventually(
      () => sentTo(second),
      (sent) => sent.length > 0,
    )
    await app.settled()
    expect([await sentTo(iara), await sentTo(first), await sentTo(second)]).toEqual([['chave 4411'], ['chave 4412'], ['chave 4413']])
  })
  it('the network’s id goes with the former number, and stays for its other form', async () => {
    const iara = await customer('oi')
    const lid = `9${iara.number}`
    const identity = { companyId: app.company.companies.casa, network: 'whatsapp', kind: 'lid', key: lid, id: lid, contactId: iara.id }
    await app.db.insertInto('contactIdentity').values(identity).execute()
    const kinds = async () =>
      (await app.db.selectFrom('contactIdentity').select('kind').where('contactId', '=', iara.id).orderBy('kind').execute()).map(
        ({ kind }) => kind,
      )
    await ok('PUT', `/contacts/${iara.id}`, { number: iara.number.replace(/^(55119)9?/, '$1') })
    expect(await kinds()).toEqual(['lid', 'phone'])
    await ok('PUT', `/contacts/${iara.id}`, { number: newNumber() })
    expect(await kinds()).toEqual(['phone'])
  })
})
