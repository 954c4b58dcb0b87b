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
