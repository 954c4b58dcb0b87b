import { afterAll, beforeAll, expect, it } from 'vitest'
import { openClock } from '#app/scheduler/clock.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

/* A-RT-03, by the simulated clock: the test asks for a heartbeat when one is due. */
let app: TestApp
let minutes = 0
beforeAll(async () => {
  app = await startTestApp({ roles: ['web'], clock: openClock(() => minutes * 60_000) })
})
afterAll(() => app?.stop())

const online = async () =>
  (await app.db.selectFrom('userPresence').select('id').where('online', '=', true).orderBy('id').execute()).map(({ id }) => id)
const seenAt = async (id: number) =>
  (await app.db.selectFrom('userPresence').select('seenAt').where('id', '=', id).executeTakeFirst())?.seenAt
async function at(minute: number): Promise<number[]> {
  minutes = minute
  await app.server.presence.renew()
  return online()
}

it('a user is offline after eleven silent minutes, and online again after activity', async () => {
  const { ana, bruno, admin } = app.company.users
  const boss = await app.socket('admin')
  const [silent, speaking] = [await app.socket('ana'), await app.socket('bruno')]
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

it('a user whom no process holds is shown offline, once', async () => {
  const { carla, dulce } = app.company.users
  const companyId = app.company.companies.casa
  const gone = (id: number, ms: number) => ({ id, companyId, online: true, seenAt: new Date(app.ctx.clock.now() - ms).toISOString() })
  await app.db
    .insertInto('userPresence')
    .values([gone(carla, 130_000), gone(dulce, 20_000)])
    .execute()
  const line = await app.socket('admin')
  await app.server.presence.renew()
  const told = await line.heard(({ channel, id, user }) => channel.endsWith('-user') && id === carla && !user?.online) // a frame about their arrival may come before
  expect(told.user).toMatchObject({ id: carla, online: false, availability: 'offline' })
  const users = (await app.as('admin')('GET', '/users/list')).body as { id: number; online: boolean }[]
  expect(users.filter(({ id }) => [carla, dulce].includes(id)).map(({ online: now }) => now)).toEqual([false, true])
})
