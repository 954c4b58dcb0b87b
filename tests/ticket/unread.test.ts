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

it('the unread list is not limited to one page', async () => {
  await app.set('showNotificationPending', 'true')
  const before = (await counted('ana')).length
  for (let n = 0; n < 120; n++) await app.phone.says(`55119555${String(60_000 + n)}`, 'oi')
  await app.settled()
  expect((await counted('ana')).length).toBe(before + 120)
})
