import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

it('edits and removals made while a connection is offline reach the phone when it is back', async () => {
  const { contacts, connections, queues } = app.company
  const bruno = app.as('bruno')
  const asked = { contactId: contacts.maria, whatsappId: connections.balcao, queueId: queues.vendas }
  const { id } = (await bruno('POST', '/tickets', asked)).body
  const [first, second] = await Promise.all(
    ['primiera', 'segunda'].map(async (body) => (await bruno('POST', `/messages/${id}`, { body })).body.messages[0].id),
  )
  await app.settled()
  const status = (to: 'CONNECTED' | 'DISCONNECTED') =>
    app.db.updateTable('connection').set({ status: to }).where('id', '=', connections.balcao).execute()
  const phone = async () =>
    (await app.as('admin')('GET', `/sandbox/${connections.balcao}/phone/5511987654321`)).body.map(
      ({ body, removed }: { body: string; removed: boolean }) => (removed ? 'removed' : body),
    )

  await status('DISCONNECTED')
  await bruno('PUT', `/messages/${first}`, { body: 'primeira' })
  await bruno('DELETE', `/messages/${second}`)
  await bruno('POST', `/messages/${id}`, { body: 'terceira' })
  const waiting = () => app.db.selectFrom('outbox').select(['n', 'attempts']).where('state', '=', 'waiting').execute()
  await eventually(waiting, (rows) => rows.length === 3)
  expect((await waiting()).map(({ attempts }) => attempts)).toEqual([0, 0, 0])
  expect((await phone()).sort()).toEqual(['primiera', 'segunda'])

  await status('CONNECTED')
  await eventually(waiting, (rows) => rows.length === 0)
  expect((await phone()).sort()).toEqual(['primeira', 'removed', 'terceira'])
})
