import { sql } from 'kysely'
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
  for (const line of [boss, silent, speaking]) line.close()
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
  line.close()
})

it('the dashboard counts who is online of those who were not removed, without a reload (V22)', async () => {
  const { ana, bruno: bia, carla: caio } = app.company.users
  const companyId = app.company.companies.casa
  await app.db.deleteFrom('userPresence').execute()
  await sql`insert into "user" (company_id, name, email, password_hash, retired_at)
    values (${companyId}, 'Rui', 'rui@casa.test', '', now())`.execute(app.db)
  minutes = 60
  const [tab, otherTab, cable, desk] = [
    await app.socket('ana'),
    await app.socket('ana'),
    await app.socket('bruno'),
    await app.socket('carla'),
  ]
  expect((await app.as('carla')('PUT', `/users/${caio}/away`, { away: true })).status).toBeLessThan(300)
  const shows = (usersOnline: number) =>
    expect.poll(async () => (await app.as('admin')('GET', '/dashboard/now')).body).toMatchObject({ usersOnline, usersTotal: 5 })
  const disconnects = (id: number) => app.server.presence.recordDisconnect({ id, companyId } as never)
  await shows(3)

  tab.close()
  await tab.closed
  expect(await at(61)).toContain(ana)
  await disconnects(ana)
  await shows(3)
  otherTab.close() // at the minute 61
  await otherTab.closed
  minutes = 62
  await eventually(
    async () => {
      await disconnects(ana)
      return online()
    },
    (ids) => !ids.includes(ana),
  )
  await shows(2)

  for (const minute of [64, 66, 68, 70.5]) {
    minutes = minute
    desk.emit('userStatus')
    await eventually(
      () => seenAt(caio),
      (when) => Date.parse(when!) >= Date.now() + minute * 60_000 - 1000,
    )
    await at(minute)
  }
  expect(await at(71)).toEqual([caio]) // eleven minutes after the last sign of the pulled cable
  await shows(1)
  const users = (await app.as('admin')('GET', '/users/list')).body as { id: number; online: boolean; availability: string }[]
  expect(users.find(({ id }) => id === caio)).toMatchObject({ online: true, availability: 'away' })
  expect(users.find(({ id }) => id === bia)).toMatchObject({ online: false, availability: 'offline' })
  for (const line of [cable, desk]) line.close()
})
