import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScene, type Scene } from '#tests/calls/scene.ts'
import { startHouse, type TestHouse } from '#tests/kit/server.ts'
import { countedStatuses, counts } from '#web/shell/title.ts'

let house: TestHouse
let scene: Scene
beforeAll(async () => {
  house = await startHouse()
  scene = await openScene(house)
}, 60_000)
afterAll(() => house.stop(), 30_000)

it('keeps a contact whose number is none, shows it in no list, and opens no ticket with it until it is put right (R-PHONE-02)', async () => {
  const admin = house.as('admin')
  const listed = async () => (await admin('GET', '/contacts?searchParam=Número Torto')).body.count
  const { status, body } = await admin('POST', '/contacts', { name: 'Número Torto', number: '12345678' })
  expect([status, body.validNumber, await listed()]).toEqual([200, false, 0])
  const open = () => admin('POST', '/tickets', { contactId: body.id, queueId: scene.queues.vendas })
  expect(await open()).toMatchObject({ status: 400, body: { error: 'ERR_WAPP_INVALID_CONTACT' } })
  const put = await admin('PUT', `/contacts/${body.id}`, { name: 'Número Torto', number: '5511955550099' })
  expect([put.body.validNumber, await listed()]).toEqual([true, 1])
  expect((await open()).status).toBe(200)
})

it('counts one’s own with something unread, and on request those in waiting, never a colleague’s (A-RT-06)', async () => {
  const from = ['5511955550101', '5511955550102', '5511955550103']
  for (const number of from) await house.phone.says(number, 'oi')
  await house.settled()
  const all = (await house.as('admin')('GET', '/tickets?showAll=true&withUnreadMessages=true')).body.tickets
  const ids = from.map((number) => all.find((row: any) => row.contact.number === number).id)
  for (const [n, who] of (['ana', 'bruno'] as const).entries())
    await scene.made(who, 'PUT', `/tickets/${ids[n]}`, { status: 'open', queueId: scene.queues.vendas })
  for (const number of from) await house.phone.says(number, 'ainda aí?')
  await house.settled()
  const counted = async (who: 'ana' | 'admin', waiting: boolean) => {
    const filter = encodeURIComponent(JSON.stringify(countedStatuses(waiting)))
    const { tickets } = (await house.as(who)('GET', `/tickets?withUnreadMessages=true&pageSize=100&statusFilter=${filter}`)).body
    return tickets.filter((row: any) => ids.includes(row.id) && counts(row, scene.users[who], waiting)).map(({ id }: any) => id)
  }
  expect(await counted('ana', false)).toEqual([ids[0]])
  expect(await counted('admin', false)).toEqual([])
  expect(await counted('admin', true)).toEqual([ids[2]])
})
