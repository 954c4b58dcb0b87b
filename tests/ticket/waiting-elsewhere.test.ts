import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScene, type Scene } from '#tests/http/scene.ts'
import type { Person } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
let scene: Scene
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
})
afterAll(() => app?.stop())

const count = async (who: Person) => (await app.as(who)('GET', '/tickets/waiting-elsewhere')).body

it('counts waiting tickets that the caller does not see, and nothing else (A-VIS-01)', async () => {
  const { vendas, suporte } = app.company.queues
  const opened = async (more: object) => {
    const { id: contactId } = await scene.contact()
    return scene.made('admin', 'POST', '/tickets', { contactId, status: 'pending', ...more })
  }
  for (const queueId of [vendas, suporte, suporte]) await opened({ queueId })
  await app.as('admin')('POST', `/sandbox/${app.company.connections.loja}/inbound`, {
    ...{ id: 'sem-fila-1', from: '5511955550077', name: 'Sem fila', body: 'Oi' },
  })
  await app.settled()
  expect(await count('ana')).toEqual({ withoutQueue: 1, inOtherQueues: 2 })
  expect(await count('bruno')).toEqual({ withoutQueue: 0, inOtherQueues: 0 }) // serves both queues, and sees those without one
  expect(await count('admin')).toEqual({ withoutQueue: 0, inOtherQueues: 0 })
  expect(await count('rita')).toEqual({ withoutQueue: 0, inOtherQueues: 0 }) // another company
})

it('says that a customer has tickets which the caller does not see, and nothing about them', async () => {
  const { vendas, suporte } = app.company.queues
  const listed = async (who: Person, contactId: number) => {
    const { tickets, elsewhere } = (await app.as(who)('GET', `/tickets?contactId=${contactId}`)).body
    return [tickets.map(({ id }: { id: number }) => id), elsewhere]
  }
  const { id: contactId } = await scene.contact()
  const open = (queueId: number) => scene.made('admin', 'POST', '/tickets', { contactId, status: 'pending', queueId })
  const first = await open(suporte)
  await scene.made('admin', 'PUT', `/tickets/${first.id}`, { status: 'closed', sendFarewellMessage: false })
  await app.settled()
  const second = await open(vendas)
  await app.settled()
  expect(await listed('ana', contactId)).toEqual([[second.id], true])
  expect(await listed('admin', contactId)).toEqual([[second.id, first.id], false])
  expect(await listed('rita', contactId)).toEqual([[], false]) // another company's contact does not exist
  const { id: newcomer } = await scene.contact()
  await scene.made('admin', 'POST', '/tickets', { contactId: newcomer, status: 'pending', queueId: vendas })
  await app.settled()
  expect((await listed('ana', newcomer))[1]).toBe(false)
})
