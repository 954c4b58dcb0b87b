import { afterAll, beforeAll, expect, it } from 'vitest'
import { password } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'projector'] })
})
afterAll(() => app?.stop())

const login = (email: string, secret = password, headers = {}) => app.stranger('POST', '/auth/login', { email, password: secret }, headers)
const sidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).sid as string

it('a sign-in elsewhere is sent to the user’s own sockets only', async () => {
  const [mine, colleague] = [await app.socket('carla'), await app.socket('bruno')]
  const ofAuth = ({ channel }: { channel: string }) => channel.endsWith('-auth')
  await login('carla@casa.test')
  expect(await mine.heard(ofAuth)).toMatchObject({ user: { id: app.company.users.carla } })
  await login('bruno@casa.test')
  expect(await colleague.heard(ofAuth)).toMatchObject({ user: { id: app.company.users.bruno } }) // and no such frame before it
})

it('the session id in live frames does not allow ending the session', async () => {
  const line = await app.socket('ana')
  const { body } = await login('ana@casa.test')
  const { sessionId: told } = await line.heard(({ channel }) => channel.endsWith('-auth'))
  expect(told).toBe(body.user.sessionId)
  const me = () => app.stranger('GET', '/auth/me', undefined, { authorization: `Bearer ${body.token}` })
  for (const id of [told, sidOf(body.token)])
    await app.stranger('DELETE', '/auth/logout', undefined, { cookie: `guiche_session=${id}.guess` })
  await app.stranger('POST', '/auth/refresh_token', undefined, { cookie: `guiche_session=${told}.guess` })
  app.ctx.viewerCache.forget()
  expect((await me()).body).toMatchObject({ sessionId: told })
})

it('the cookie alone is enough to sign out', async () => {
  const { headers, body } = await login('carla@casa.test')
  const cookie = headers.get('set-cookie')!.split(';')[0]!
  await app.stranger('DELETE', '/auth/logout', undefined, { cookie })
  expect((await app.stranger('POST', '/auth/refresh_token', undefined, { cookie })).status).toBe(401)
  app.ctx.viewerCache.forget()
  expect((await app.stranger('GET', '/auth/me', undefined, { authorization: `Bearer ${body.token}` })).status).toBe(403)
})

it('concurrent sign-ins leave one session of a user', async () => {
  await Promise.all(Array.from({ length: 6 }, () => login('dulce@casa.test')))
  const { rows } = await app.ctx.pool.query('select id from session where user_id = $1 and ended_at is null', [app.company.users.dulce])
  expect(rows).toHaveLength(1)
})

it('concurrent wrong passwords are limited like sequential ones', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => login('rita@casa.test', 'wrong')))
  expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(10)
  expect((await login('rita@casa.test')).status).toBe(429)
})

it('ended sessions are kept for thirty days', async () => {
  const userId = app.company.users.bruno
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const over = (endedAt: string | null, expiresAt: string) => ({
    ...{ id: crypto.randomUUID(), companyId: app.company.companies.casa, userId, remember: false, secretHash: '-', previousHash: null },
    ...{ rotatedAt: ago(60), endedAt, expiresAt },
  })
  const [ended, expired, young] = [over(ago(31), ago(1)), over(null, ago(31)), over(ago(29), ago(29))] as const
  await app.db.insertInto('session').values([ended, expired, young]).execute()
  await login('bruno@casa.test')
  const rows = await app.db.selectFrom('session').select('id').where('userId', '=', userId).execute()
  const left = rows.map(({ id }) => id)
  expect([ended, expired, young].map(({ id }) => left.includes(id))).toEqual([false, false, true])
})
