import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkSecurityLog, noCompany, recordSecurity, shortened } from '#app/security/log.ts'
import { password } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'projector'] })
})
afterAll(() => app.stop())

const login = (email: string, secret = password) => app.stranger('POST', '/auth/login', { email, password: secret })
const logOf = async (who: 'admin' | 'root', query = '') => (await app.as(who)('GET', `/security-log?${query}`)).body.events as any[]

it('the log records sign-ins, failures and sign-outs with address and without secrets', async () => {
  const { body } = await login('ana@casa.test')
  await login('ana@casa.test', 'uma senha errada')
  const authorization = `Bearer ${body.token}`
  await app.stranger('DELETE', '/auth/logout', undefined, { authorization })
  const events = (await logOf('admin', 'searchParam=ana')).reverse()
  const user = { id: app.company.users.ana, name: 'ana' }
  expect(events).toMatchObject([
    { kind: 'signedIn', user, address: '127.0.0.1', detail: { session: body.user.sessionId } },
    { kind: 'signInRefused', user, detail: { reason: 'password' } },
    { kind: 'signedOut', user, detail: { session: body.user.sessionId } },
  ])
  const whole = JSON.stringify(await app.db.selectFrom('securityEvent').selectAll().execute())
  expect(whole).not.toContain('uma senha errada')
  expect(whole).not.toContain(body.token)
})

it('the log shortens an unknown account, and only the platform’s log has it', async () => {
  await login('alguem.de.fora@correio.example.com')
  expect(JSON.stringify(await logOf('admin'))).not.toContain('unknown')
  const rows = await app.db.selectFrom('securityEvent').selectAll().where('companyId', '=', noCompany).execute()
  expect(rows).toMatchObject([{ kind: 'signInRefused', userId: null, detail: { reason: 'unknown', account: 'a…@c….com' } }])
  await app.db.updateTable('user').set({ super: true }).where('id', '=', app.company.users.admin).execute()
  app.ctx.viewerCache.forget()
  expect(await logOf('admin', 'kind=signInRefused')).toContainEqual(expect.objectContaining({ companyId: noCompany }))
})

it.each([
  ['maria@correio.com.br', 'm…@c….br'],
  ['x', 'x…'],
  ['não é endereço', 'n…'],
  ['', ''],
])('the address %j is shortened to %j', (email, told) => expect(shortened(email)).toBe(told))

it('the log is hidden from other companies and from agents', async () => {
  await login('rita@casa.test')
  expect(new Set((await logOf('root')).map(({ companyId }) => companyId))).toEqual(new Set([app.company.companies.vizinha]))
  expect((await logOf('admin')).map(({ user }) => user?.name)).not.toContain('rita')
  expect((await app.as('bruno')('GET', '/security-log')).status).toBe(403)
})

it('the log is one hash chain per company, and a changed entry is found', async () => {
  const companyId = app.company.companies.vizinha
  const event = { companyId, kind: 'exported', userId: null, address: null } as const
  await Promise.all(Array.from({ length: 40 }, (_, i) => recordSecurity(app.db, { ...event, detail: { ticket: `t${i}`, ok: true } })))
  const good = await checkSecurityLog(app.db, companyId)
  expect(good).toMatchObject({ holds: true })
  expect(good.events).toBeGreaterThanOrEqual(40)
  const touch = (set: object, n: number) =>
    app.db.updateTable('securityEvent').set(set).where('companyId', '=', companyId).where('n', '=', n).execute()
  await touch({ address: '10.0.0.1' }, 20)
  expect((await app.as('root')('GET', '/security-log/check')).body).toEqual({ events: 19, holds: false, brokenAt: 20, platform: null })
  await touch({ address: null }, 20)
  expect(await checkSecurityLog(app.db, companyId)).toMatchObject({ holds: true })
  await app.db.deleteFrom('securityEvent').where('companyId', '=', companyId).where('n', '=', 5).execute()
  expect(await checkSecurityLog(app.db, companyId)).toEqual({ events: 4, holds: false, brokenAt: 5 })
})

it('removed entries are detected by the sessions they belong to', async () => {
  const companyId = app.company.companies.casa
  await login('carla@casa.test')
  const all = await app.db.selectFrom('securityEvent').selectAll().where('companyId', '=', companyId).orderBy('n').execute()
  expect(await checkSecurityLog(app.db, companyId)).toEqual({ events: all.length, holds: true, brokenAt: null })
  const gone = app.db.deleteFrom('securityEvent').where('companyId', '=', companyId)
  await gone.where('n', '=', all.length).execute()
  expect(await checkSecurityLog(app.db, companyId)).toEqual({ events: all.length - 1, holds: false, brokenAt: all.length })
  await gone.execute()
  expect(await checkSecurityLog(app.db, companyId)).toEqual({ events: 0, holds: false, brokenAt: 1 })
  const rows = all.map(({ id: _, ...row }) => ({ ...row, detail: JSON.stringify(row.detail) }))
  await app.db.insertInto('securityEvent').values(rows).execute()
  expect(await checkSecurityLog(app.db, companyId)).toMatchObject({ holds: true })
})

it('a super user sees the check of the platform’s log, and can jump to an entry', async () => {
  await recordSecurity(app.db, { companyId: noCompany, kind: 'demoRemoved', userId: null, address: null })
  const check = async () => (await app.as('admin')('GET', '/security-log/check')).body
  expect((await check()).platform).toMatchObject({ holds: true })
  const touch = (address: string | null) =>
    app.db.updateTable('securityEvent').set({ address }).where('companyId', '=', noCompany).where('kind', '=', 'demoRemoved').execute()
  await touch('10.9.9.9')
  const { platform, ...own } = await check()
  expect([own.holds, platform.holds]).toEqual([true, false])
  const near = await logOf('admin', `near=${platform.brokenAt}`)
  expect(near).toContainEqual(expect.objectContaining({ companyId: noCompany, n: platform.brokenAt }))
  expect(near.every(({ n }) => Math.abs(n - platform.brokenAt) <= 2)).toBe(true)
  await touch(null)
  const ticket = crypto.randomUUID()
  await recordSecurity(app.db, {
    companyId: app.company.companies.casa,
    kind: 'replayed',
    userId: null,
    address: null,
    detail: { ticket },
  })
  expect(await logOf('admin', `searchParam=${ticket.toUpperCase()}`)).toMatchObject([{ kind: 'replayed', detail: { ticket } }])
})

it('an entry is rolled back with its transaction', async () => {
  const companyId = app.company.companies.casa
  const before = await checkSecurityLog(app.db, companyId)
  const failing = app.db.transaction().execute(async (tx) => {
    await recordSecurity(tx, { companyId, kind: 'erased', userId: null, address: null })
    throw new Error('not after all')
  })
  await expect(failing).rejects.toThrow('not after all')
  expect(await checkSecurityLog(app.db, companyId)).toEqual(before)
})
