import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

it('the log tells who blocked and unblocked a contact and when, and the list of blocked ones has it', async () => {
  const { body: elio } = await app.as('admin')('POST', '/contacts', { name: 'Élio Bloqueado', number: '5511985470001' })
  const from = Date.now()
  expect((await app.as('ana')('PUT', `/contacts/block/${elio.id}`, { active: false })).status).toBe(200)
  const blocked = async () => (await app.as('ana')('GET', '/contacts?active=false')).body.contacts.map(({ id }: { id: number }) => id)
  expect(await blocked()).toEqual([elio.id])
  expect((await app.as('bruno')('PUT', `/contacts/block/${elio.id}`, { active: true })).status).toBe(200)
  expect(await blocked()).toEqual([])
  const { changes } = (await app.as('admin')('GET', `/audit?list=contact&rowId=${elio.id}`)).body
  const acts = changes.filter(({ before, after }: Change) => before && after && before.active !== after.active)
  expect(acts.map(({ user }: Change) => user.name)).toEqual(['bruno', 'ana'])
  for (const { at } of acts) expect(Date.parse(at)).toBeGreaterThanOrEqual(from - 1000)
})
type Change = { user: { name: string }; before?: { active: boolean }; after?: { active: boolean }; at: string }
