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
afterAll(() => app.stop())

it('a search of a user who is not admin never shows all, with any status (R-VIS-03)', async () => {
  const { id } = await scene.served() // ana serves it
  await app.settled()
  const found = async (who: Person, query: string) =>
    (await app.as(who)('GET', `/tickets?pageSize=100&${query}`)).body.tickets.some((row: { id: number }) => row.id === id)
  const search = `searchParam=${encodeURIComponent(`#${id}`)}`
  expect(await found('bruno', 'status=open&showAll=true')).toBe(true)
  for (const status of ['', '&status=open', '&status=search']) {
    expect(await found('bruno', `${search}&showAll=true${status}`)).toBe(false)
    expect(await found('ana', `${search}&showAll=true${status}`)).toBe(true)
    expect(await found('admin', `${search}&showAll=true${status}`)).toBe(true)
  }
})

it('the tickets of a contact say whether others exist that the caller may not see', async () => {
  const { contactId } = await scene.served() // in a queue that carla does not serve
  await app.settled()
  const elsewhere = async (who: Person) => (await app.as(who)('GET', `/tickets?contactId=${contactId}`)).body.elsewhere
  expect([await elsewhere('carla'), await elsewhere('ana'), await elsewhere('admin'), await elsewhere('rita')]).toEqual([
    ...[true, false, false, false],
  ])
  expect((await app.as('carla')('GET', '/tickets')).body.elsewhere).toBe(false)
})
