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

it('notes of a contact’s earlier tickets are shown to users who may see those (A-VIS-02)', async () => {
  const earlier = await scene.served()
  const { id: noteId } = await scene.note(earlier)
  await scene.made('ana', 'PUT', `/tickets/${earlier.id}`, { status: 'closed' })
  const later = await scene.made('carla', 'POST', '/tickets', {
    ...{ contactId: earlier.contactId, queueId: scene.queues.suporte, status: 'pending' },
  })
  const notes = async (who: 'bruno' | 'carla', query = '') =>
    (await app.as(who)('GET', `/ticket-notes/list?ticketId=${later.id}${query}`)).body.map(({ id }: { id: number }) => id)
  const ofContact = `&contactId=${earlier.contactId}`
  expect([await notes('bruno', ofContact), await notes('bruno'), await notes('carla', ofContact)]).toEqual([[noteId], [], []])
})
