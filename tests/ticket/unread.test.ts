import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScene, type Scene } from '#tests/http/scene.ts'
import type { Person } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { counts } from '#web/shell/title.ts'

let app: TestApp
let scene: Scene
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
})
afterAll(() => app.stop())

const listed = async (who: Person): Promise<any[]> => (await app.as(who)('GET', '/tickets/notifications')).body.tickets
const counted = async (who: Person): Promise<number[]> => (await app.as(who)('GET', '/tickets/unread')).body.ids

it('the unread list has the user’s own tickets and, if configured, waiting ones (A-RT-06)', async () => {
  const from = ['5511955550101', '5511955550102', '5511955550103']
  for (const number of from) await app.phone.says(number, 'oi')
  await app.phone.says('5511955550104', 'oi', { group: { id: '120363000000000888@g.us', name: 'Obra Sul' } })
  await app.settled()
  const all = async () => (await app.as('admin')('GET', '/tickets?showAll=true&withUnreadMessages=true&pageSize=100')).body.tickets
  const rows = await all()
  const ids = from.map((number) => rows.find((row: any) => row.contact.number === number).id)
  for (const [n, who] of (['ana', 'bruno'] as const).entries())
    await scene.made(who, 'PUT', `/tickets/${ids[n]}`, { status: 'open', queueId: scene.queues.vendas })
  for (const number of from) await app.phone.says(number, 'ainda aí?')
  await app.settled()
  for (const waiting of [false, true]) {
    await app.set('showNotificationPending', waiting ? 'true' : 'false')
    for (const who of ['ana', 'bruno', 'admin'] as const) {
      const seen = (await app.as(who)('GET', '/tickets?showAll=true&withUnreadMessages=true&pageSize=100')).body.tickets
      const same = seen.filter((row: any) => counts(row, scene.users[who], waiting)).map(({ id }: any) => id)
      expect(new Set(await counted(who))).toEqual(new Set(same))
    }
    expect((await counted('ana')).includes(ids[0])).toBe(true)
    expect((await counted('admin')).filter((id) => ids.includes(id))).toEqual(waiting ? [ids[2]] : [])
  }
})

it('a handed over ticket counts until its new agent opens it, also if it was read (A-RT-06)', async () => {
  await app.set('showNotificationPending', 'false')
  const number = '5511955550105'
  await app.phone.says(number, 'oi')
  await app.settled()
  const found = async () => (await app.as('admin')('GET', `/tickets?status=search&searchParam=${number}`)).body.tickets[0]
  const { id, uuid } = await found()
  await scene.made('ana', 'PUT', `/tickets/${id}`, { status: 'open', queueId: scene.queues.vendas })
  await scene.made('ana', 'POST', `/messages/${id}`, { body: 'Vou passar para o Bruno.' })
  expect((await found()).unreadMessages).toBe(0)
  await scene.made('ana', 'PUT', `/tickets/${id}`, { userId: scene.users.bruno, queueId: scene.queues.suporte, isTransfered: true })
  await app.settled()
  expect([await counted('bruno'), await counted('ana')]).toEqual([expect.arrayContaining([id]), expect.not.arrayContaining([id])])
  expect((await listed('bruno')).find((row) => row.id === id)).toMatchObject({ uuid, unreadMessages: 0 })
  await app.as('bruno')('GET', `/tickets/u/${uuid}`)
  await app.settled()
  expect(await counted('bruno')).not.toContain(id)
  expect((await listed('bruno')).map((row) => row.id)).not.toContain(id)
})

it('the notifications are the counted tickets, newest change first, in pages (A-RT-06)', async () => {
  await app.set('showNotificationPending', 'true')
  for (let n = 0; n < 25; n++) await app.phone.says(`55119556${String(60_000 + n)}`, `oi ${n}`)
  await app.settled()
  const ids = await counted('ana')
  const first = (await app.as('ana')('GET', '/tickets/notifications')).body
  const second = (await app.as('ana')('GET', '/tickets/notifications?pageNumber=2')).body
  const size = first.tickets.length
  expect(first.hasMore).toBe(true)
  expect([...first.tickets, ...second.tickets].map((row: any) => row.id)).toEqual(ids.slice(0, size + second.tickets.length))
})

it('the unread list is not limited to one page', async () => {
  await app.set('showNotificationPending', 'true')
  const before = (await counted('ana')).length
  for (let n = 0; n < 120; n++) await app.phone.says(`55119555${String(60_000 + n)}`, 'oi')
  await app.settled()
  expect((await counted('ana')).length).toBe(before + 120)
})
