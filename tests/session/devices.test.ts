import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Person, password } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { openLine } from '#tests/support/socket.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'projector'] })
})
afterAll(() => app?.stop())
beforeEach(() => several('enabled'))

const several = async (value: 'enabled' | 'disabled') => {
  app.forget('admin')
  const answer = await app.as('admin')('PUT', '/settings/severalDevices', { value })
  expect(answer.status).toBe(200)
}
type Session = { token: string; cookie: string; sessionId: string }
async function login(who: Person, sent: Record<string, string> = {}): Promise<Session> {
  const { body, headers } = await app.stranger('POST', '/auth/login', { email: `${who}@casa.test`, password }, sent)
  return { token: body.token, cookie: headers.get('set-cookie')!.split(';')[0]!, sessionId: body.user.sessionId }
}
const by =
  ({ token }: Session) =>
  (method: 'GET' | 'PUT' | 'DELETE', path: string, body?: object) =>
    app.stranger(method, path, body, { authorization: `Bearer ${token}` })
/** Which of the sessions still get a new access token. */
const alive = async (...sessions: Session[]) => {
  app.ctx.viewerCache.forget()
  return Promise.all(sessions.map(async (one) => (await by(one)('GET', '/auth/me')).status === 200))
}
const ends = async (sessionId: string) =>
  (await app.as('admin')('GET', '/security-log?kind=sessionEnded')).body.events.filter(
    ({ detail }: { detail: { session: string } }) => detail.session === sessionId,
  )

it('a company may let its users sign in on several devices (A-AUTH-04)', async () => {
  const first = await login('ana')
  const line = await openLine(app.url, first.token)
  const second = await login('ana')
  expect(await alive(first, second)).toEqual([true, true])
  await app.ctx.broadcast(`company-${app.company.companies.casa}-auth`, { to: app.company.users.ana, action: 'last' })
  const frame = await line.heard(({ channel }) => channel.endsWith('-auth'))
  expect(frame.action).toBe('last') // no notice of the second sign-in came before
  line.close()
  const refreshed = await app.stranger('POST', '/auth/refresh_token', undefined, { cookie: first.cookie })
  expect(refreshed.status).toBe(200)
})

it('the setting is off by default, and only admins change it (A-AUTH-04)', async () => {
  const { body } = await app.as('rita')('GET', '/companySettingOne?column=severalDevices')
  expect(body).toEqual({ severalDevices: 'disabled' })
  const ana = await login('ana')
  const refused = await by(ana)('PUT', '/settings/severalDevices', { value: 'disabled' })
  expect([refused.status, refused.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
  const [first, second] = [await login('rita'), await login('rita')]
  expect(await alive(first, second)).toEqual([false, true])
})

it('switching it off leaves each user the newest session, with a notice and a record (A-AUTH-14)', async () => {
  const [oldest, older, newest] = [await login('ana'), await login('ana'), await login('ana')]
  const only = await login('bruno')
  const foreign = await login('rita')
  const line = await openLine(app.url, older.token)
  await several('disabled')
  const ended = await line.heard(({ channel }) => channel.endsWith('-auth'))
  expect(ended).toMatchObject({ user: { id: app.company.users.ana }, sessionId: newest.sessionId })
  expect(await line.closed).toBe(4001)
  expect(await alive(oldest, older, newest, only, foreign)).toEqual([false, false, true, true, true])
  expect(await ends(older.sessionId)).toMatchObject([{ user: { name: 'ana' }, address: null, detail: { reason: 'oneDevice' } }])
  expect(await ends(newest.sessionId)).toEqual([])
  const next = await login('ana')
  expect(await alive(newest, next)).toEqual([false, true])
})

it('keeps a session that can still be used, not a newer one that has expired', async () => {
  const [used, expired] = [await login('carla'), await login('carla')]
  await app.db
    .updateTable('session')
    .set({ expiresAt: new Date(Date.now() - 1000).toISOString() })
    .where('userId', '=', app.company.users.carla)
    .where('endedAt', 'is', null)
    .where('createdAt', '=', (eb) =>
      eb
        .selectFrom('session')
        .select((s) => s.fn.max('createdAt').as('at'))
        .where('userId', '=', app.company.users.carla),
    )
    .execute()
  await several('disabled')
  expect(await alive(used, expired)).toEqual([true, false])
})

it('sign-ins at the moment of the change leave one session of each user', async () => {
  for (let round = 0; round < 5; round++) {
    await several('enabled')
    await Promise.all([login('dulce'), login('dulce'), several('disabled'), login('dulce'), login('dulce')])
    const { rows } = await app.ctx.pool.query('select id from session where user_id = $1 and ended_at is null', [app.company.users.dulce])
    expect(rows).toHaveLength(1)
  }
})

it('lists which own sign-ins are still open, and ends the others on request (A-AUTH-14)', async () => {
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'
  const [first, second] = [await login('bruno'), await login('bruno', { 'user-agent': userAgent })]
  const colleague = await login('ana')
  const list = async () => (await by(second)('GET', '/auth/sign-ins')).body
  const open = await list()
  expect(open.signIns.slice(0, 2)).toMatchObject([
    { kind: 'signedIn', isCurrent: true, isOpen: true },
    { kind: 'signedIn', isCurrent: false, isOpen: true },
  ])
  expect(open.signIns[0].device).toBe('Firefox, Linux')
  expect(open.others).toBeGreaterThanOrEqual(1)
  const line = await openLine(app.url, first.token)
  expect((await by(second)('DELETE', '/auth/sign-ins')).body).toEqual({ ended: open.others })
  expect(await line.heard(({ channel }) => channel.endsWith('-auth'))).toMatchObject({ sessionId: second.sessionId })
  expect(await alive(first, second, colleague)).toEqual([false, true, true])
  expect(await ends(first.sessionId)).toMatchObject([{ user: { name: 'bruno' }, detail: { reason: 'others' } }])
  expect((await by(second)('DELETE', '/auth/sign-ins')).body).toEqual({ ended: 0 })
  const { others, signIns } = await list()
  expect([others, signIns.filter(({ isOpen }: { isOpen: boolean }) => isOpen).length]).toEqual([0, 1])
})

it('a change of the own password ends the other sessions of the user', async () => {
  const [first, second] = [await login('carla'), await login('carla')]
  const change = (to: string, now: string) => by(second)('PUT', `/users/${app.company.users.carla}`, { password: to, currentPassword: now })
  expect((await change('outra-senha-boa', password)).status).toBe(200)
  expect(await alive(first, second)).toEqual([false, true])
  expect((await change(password, 'outra-senha-boa')).status).toBe(200)
})
