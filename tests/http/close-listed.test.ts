import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { openScene, type Scene } from './scene.ts'

let app: TestApp
let scene: Scene
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
})
afterAll(() => app.stop())

const statusOf = async ({ uuid }: { uuid: string }) => (await app.as('admin')('GET', `/tickets/u/${uuid}`)).body.status

it('closes the tickets of the filtered list, names their owners, and is undone in one step', async () => {
  const admin = app.as('admin')
  const { users, queues } = scene
  const ofAna = [await scene.served(), await scene.served()]
  const own = await scene.made('admin', 'POST', '/tickets', { contactId: (await scene.contact()).id, queueId: queues.vendas })
  const path = '/tickets/listed/close'
  expect((await admin('GET', `${path}?status=open`)).body).toMatchObject({ count: 1, holders: [{ user: { id: users.admin }, count: 1 }] })
  const everyone = await admin('GET', `${path}?status=open&showAll=true`)
  expect(everyone.body.count).toBe((await admin('GET', '/tickets?status=open&showAll=true')).body.count)
  expect(everyone.body.holders).toMatchObject([
    { user: { id: users.ana }, count: 2 },
    { user: { id: users.admin }, count: 1 },
  ])
  expect((await admin('GET', `${path}?status=open&showAll=true&queueIds=[${queues.suporte}]`)).body.count).toBe(0)

  const mine = await admin('POST', path, { status: 'open' })
  expect(mine.body.count).toBe(1)
  expect(await statusOf(own)).toBe('closed')
  expect(await Promise.all(ofAna.map(statusOf))).toEqual(['open', 'open'])

  const theirs = await admin('POST', path, { status: 'open', showAll: true, users: `[${users.ana}]` })
  expect(theirs.body.count).toBe(2)
  expect((await admin('POST', '/tickets/closeAll/undo', { batch: theirs.body.batch })).body).toEqual({ count: 2 })
  expect(await Promise.all(ofAna.map(statusOf))).toEqual(['open', 'open'])
})
