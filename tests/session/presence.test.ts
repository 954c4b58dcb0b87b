import { afterAll, beforeAll, expect, it } from 'vitest'
import { openClock } from '#app/scheduler/clock.ts'
import { startHouse, type TestHouse } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

/* A-RT-03, by the house's clock: a beat is asked for where one is due. */
let house: TestHouse
let minutes = 0
beforeAll(async () => {
  house = await startHouse({ roles: ['web'], clock: openClock(() => minutes * 60_000) })
})
afterAll(() => house?.stop())

const online = async () =>
  (await house.db.selectFrom('userPresence').select('id').where('online', '=', true).orderBy('id').execute()).map(({ id }) => id)
const seenAt = async (id: number) =>
  (await house.db.selectFrom('userPresence').select('seenAt').where('id', '=', id).executeTakeFirst())?.seenAt
async function at(minute: number): Promise<number[]> {
  minutes = minute
  await house.server.presence.renew()
  return online()
}

it('shows as offline who has been silent for eleven minutes with an open socket, and as online again who speaks', async () => {
  const { ana, bruno, admin } = house.company.users
  const boss = await house.socket('admin')
  const [silent, speaking] = [await house.socket('ana'), await house.socket('bruno')]
  await eventually(online, (ids) => ids.length === 3)
  expect(await at(8.5)).toEqual([ana, bruno, admin].sort((a, b) => a - b))
  for (const line of [speaking, boss]) line.emit('userStatus')
  for (const id of [bruno, admin])
    await eventually(
      () => seenAt(id),
      (when) => Date.parse(when!) >= Date.now() + 8.5 * 60_000 - 1000,
    )
  for (const minute of [9, 9.5, 10, 10.4]) expect(await at(minute)).toContain(ana)
  expect(await at(11)).toEqual([bruno, admin].sort((a, b) => a - b))
  silent.emit('userStatus')
  await eventually(online, (ids) => ids.includes(ana))
  const ofAna = () => boss.of('user').filter(({ id }) => id === ana)
  await boss.heard(({ id, user }) => id === ana && user.online && ofAna().length > 1)
})

it('shows nobody as online whom no process holds, and tells it once', async () => {
  const { carla, dulce } = house.company.users
  const companyId = house.company.companies.casa
  const gone = (id: number, ms: number) => ({ id, companyId, online: true, seenAt: new Date(house.house.clock.now() - ms).toISOString() })
  await house.db
    .insertInto('userPresence')
    .values([gone(carla, 130_000), gone(dulce, 20_000)])
    .execute()
  const line = await house.socket('admin')
  await house.server.presence.renew()
  const told = await line.heard(({ channel, id, user }) => channel.endsWith('-user') && id === carla && !user?.online) // that they came may be told before
  expect(told.user).toMatchObject({ id: carla, online: false, availability: 'offline' })
  const users = (await house.as('admin')('GET', '/users/list')).body as { id: number; online: boolean }[]
  expect(users.filter(({ id }) => [carla, dulce].includes(id)).map(({ online: now }) => now)).toEqual([false, true])
})
