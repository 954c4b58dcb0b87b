import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withinHours } from '#app/session/routes.ts'
import { password } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { openLine } from '#tests/support/socket.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'projector'] })
})
afterAll(() => app.stop())
beforeEach(async () => {
  await app.db.deleteFrom('loginFailure').execute()
  app.ctx.loginThrottle.forget()
})

const login = async (who: string, more: object = {}) => {
  const answer = await app.stranger('POST', '/auth/login', { email: `${who}@casa.test`, password, ...more })
  const cookie = answer.headers.get('set-cookie') ?? ''
  return { ...answer, cookie, kept: cookie.split(';')[0]!, token: answer.body?.token as string }
}
const refresh = async (cookie: string) => {
  const answer = await app.stranger('POST', '/auth/refresh_token', undefined, { cookie })
  return { ...answer, kept: (answer.headers.get('set-cookie') ?? '').split(';')[0]!, token: answer.body?.token as string }
}
const me = (token: string) => app.stranger('GET', '/auth/me', undefined, { authorization: `Bearer ${token}` })
const says = ({ status, body }: { status: number; body: any }) => [status, body?.error]

describe('signing in (R-AUTH-01)', () => {
  it('returns a working token and the user, and nothing of the password', async () => {
    const { status, body, token } = await login('ana')
    expect(status).toBe(200)
    expect(body.user).toMatchObject({ name: 'ana', companyId: app.company.companies.casa, queues: [{ name: 'Vendas' }] })
    expect(JSON.stringify(body)).not.toMatch(/argon2|passwordHash|secret/i)
    expect((await me(token)).body.name).toBe('ana')
  })
  it('hides the refresh token from scripts, and ends it with the browser by default (A-AUTH-01)', async () => {
    expect((await login('ana')).cookie).toMatch(/HttpOnly/i)
    expect((await login('ana')).cookie).toMatch(/SameSite=Lax/i)
    expect((await login('ana')).cookie).not.toMatch(/Max-Age|Expires/i)
    expect((await login('ana', { remember: true })).cookie).toMatch(/Max-Age=2592000/)
  })
  it('lists the own sign-ins, also refused ones, and marks this session (A-AUTH-13)', async () => {
    await login('ana')
    await login('ana', { password: 'errada' })
    await login('bruno')
    const { token } = await login('ana')
    const { body } = await app.stranger('GET', '/auth/sign-ins', undefined, { authorization: `Bearer ${token}` })
    expect(body.signIns.slice(0, 3).map(({ kind, isCurrent }: any) => [kind, isCurrent])).toEqual([
      ['signedIn', true],
      ['signInRefused', false],
      ['signedIn', false],
    ])
    expect(Object.keys(body.signIns[0])).toEqual(['id', 'at', 'kind', 'address', 'device', 'isCurrent', 'isOpen'])
    expect(body.signIns.length).toBeLessThanOrEqual(30)
  })
  it('ignores case and blanks of the email address', async () =>
    expect((await login('ana', { email: ' ANA@Casa.Test ' })).status).toBe(200))
  it('gives the same answer for a wrong password and an unknown address', async () => {
    const wrong = await login('ana', { password: 'errada' })
    const unknown = await login('ninguem')
    expect(says(wrong)).toEqual([401, 'ERR_INVALID_CREDENTIALS'])
    expect(unknown.body).toEqual(wrong.body)
  })
  it('refuses after ten failures, even the right password, for some time (A-AUTH-12)', async () => {
    for (let n = 1; n <= 10; n++) expect(says(await login('ana', { password: `errada ${n}` }))).toEqual([401, 'ERR_INVALID_CREDENTIALS'])
    expect(says(await login('ana', { password: 'errada' }))).toEqual([429, 'ERR_INVALID_CREDENTIALS'])
    expect(says(await login('ana'))).toEqual([429, 'ERR_INVALID_CREDENTIALS'])
    expect((await login('bruno')).status).toBe(200)
    await app.db
      .updateTable('loginFailure')
      .set({ at: new Date(Date.now() - 16 * 60_000).toISOString() })
      .execute()
    app.ctx.loginThrottle.forget()
    expect((await login('ana')).status).toBe(200)
  })
  it('forgets earlier failures after a success', async () => {
    for (let n = 1; n <= 9; n++) await login('ana', { password: 'errada' })
    expect((await login('ana')).status).toBe(200)
    for (let n = 1; n <= 9; n++) await login('ana', { password: 'errada' })
    expect((await login('ana')).status).toBe(200)
  })
  it('is refused outside a user’s hours, not to super users (A-AUTH-08, A-HOURS-05, R-HOURS-04)', async () => {
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000 - 3 * 3_600_000).toISOString().slice(11, 16) // São Paulo
    const hours = { startWork: at(120), endWork: at(180) }
    await app.db.updateTable('user').set(hours).where('id', '=', app.company.users.ana).execute()
    expect(says(await login('ana'))).toEqual([400, 'ERR_OUT_OF_HOURS'])
    await app.db.updateTable('user').set({ super: true }).where('id', '=', app.company.users.ana).execute()
    expect((await login('ana')).status).toBe(200)
    await app.db
      .updateTable('user')
      .set({ super: false, startWork: '00:00', endWork: '23:59' })
      .where('id', '=', app.company.users.ana)
      .execute()
  })
})

describe('a user’s hours (A-AUTH-08)', () => {
  const at = (time: string) => new Date(`2026-01-05T${time}:00-03:00`)
  it.each([
    ['08:00', '18:00', '08:00', true],
    ['08:00', '18:00', '18:00', true],
    ['08:00', '18:00', '18:01', false],
    ['22:00', '06:00', '23:30', true],
    ['22:00', '06:00', '05:59', true],
    ['22:00', '06:00', '12:00', false],
    ['09:00', '09:00', '03:00', true],
  ])('from %s to %s allow %s: %s', (start, end, now, held) => expect(withinHours(start, end, 'America/Sao_Paulo', at(now))).toBe(held))
})

describe('the refresh token', () => {
  it('is rotated at each use and returns a working token (R-AUTH-05)', async () => {
    const first = await login('ana')
    const next = await refresh(first.kept)
    expect(next.status).toBe(200)
    expect(next.kept).not.toBe(first.kept)
    expect((await me(next.token)).status).toBe(200)
    expect((await refresh(next.kept)).status).toBe(200)
  })
  it('works in two tabs within ten seconds (A-AUTH-03)', async () => {
    const first = await login('ana')
    const [one, two] = await Promise.all([refresh(first.kept), refresh(first.kept)])
    expect([one.status, two.status]).toEqual([200, 200])
    const current = [one, two].find(({ kept }) => kept !== '')!
    expect((await refresh(current.kept)).status).toBe(200)
  })
  it('ends the whole session if it is reused later (A-AUTH-03)', async () => {
    const first = await login('ana')
    const next = await refresh(first.kept)
    await app.db
      .updateTable('session')
      .set({
        spent: sql`(select coalesce(jsonb_agg(one || jsonb_build_object('at', (one ->> 'at')::timestamptz - interval '11 seconds')), '[]') from jsonb_array_elements(spent) one)`,
      })
      .where('endedAt', 'is', null)
      .execute()
    expect(says(await refresh(first.kept))).toEqual([401, 'ERR_SESSION_EXPIRED'])
    expect(says(await refresh(next.kept))).toEqual([401, 'ERR_SESSION_EXPIRED'])
    expect(await eventually(() => me(next.token), 403)).toEqual([403, 'ERR_SESSION_EXPIRED'])
  })
  it('with a wrong secret ends the session', async () => {
    const { kept } = await login('ana')
    expect(says(await refresh(`${kept.slice(0, -4)}AAAA`))).toEqual([401, 'ERR_SESSION_EXPIRED'])
    expect(says(await refresh(kept))).toEqual([401, 'ERR_SESSION_EXPIRED'])
  })
  it.each(['', 'guiche_session=', 'guiche_session=x.y', `guiche_session=${'-'.repeat(36)}.x`, `guiche_session=${crypto.randomUUID()}.x`])(
    'is refused if it is malformed or unknown: %s',
    async (cookie) => expect((await refresh(cookie)).body.error).toMatch(/^ERR_(SESSION_EXPIRED|INVALID_INPUT)$/),
  )
  it('expires with its session', async () => {
    const { kept } = await login('ana')
    await app.db
      .updateTable('session')
      .set({ expiresAt: new Date(Date.now() - 1000).toISOString() })
      .where('endedAt', 'is', null)
      .execute()
    expect(says(await refresh(kept))).toEqual([401, 'ERR_SESSION_EXPIRED'])
  })
})

describe('a session', () => {
  it('ends at sign-out: both tokens stop working', async () => {
    const { kept, token } = await login('ana')
    const answer = await app.stranger('DELETE', '/auth/logout', undefined, { authorization: `Bearer ${token}`, cookie: kept })
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([204, expect.stringMatching(/guiche_session=;/)])
    expect(await eventually(() => me(token), 403)).toEqual([403, 'ERR_SESSION_EXPIRED'])
    expect(says(await refresh(kept))).toEqual([401, 'ERR_SESSION_EXPIRED'])
  })
  it('ends at another sign-in of its user, and its socket is notified (A-AUTH-04, R-AUTH-07)', async () => {
    const first = await login('bruno')
    const line = await openLine(app.url, first.token)
    const second = await login('bruno')
    const { users, companies } = app.company
    const { sessionId } = second.body.user
    const told = await line.heard((frame) => frame.channel === `company-${companies.casa}-auth` && frame.sessionId === sessionId)
    expect(told).toMatchObject({ action: 'update', user: { id: users.bruno } })
    expect(await line.closed).toBe(4001)
    expect(await eventually(() => me(first.token), 403)).toEqual([403, 'ERR_SESSION_EXPIRED'])
    expect((await me(second.token)).status).toBe(200)
  })
  it('is not opened by a forged, cut or foreign token', async () => {
    const { token } = await login('ana')
    const [head, , tail] = token.split('.')
    const forged = `${head}.${Buffer.from(JSON.stringify({ sid: crypto.randomUUID() })).toString('base64url')}.${tail}`
    const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${token.split('.')[1]}.`
    for (const one of [forged, unsigned, token.slice(0, -3), 'x', `${token}x`])
      expect(says(await me(one))).toEqual([403, 'ERR_SESSION_EXPIRED'])
  })
})

describe('a company', () => {
  const companies = () => app.db.updateTable('company')
  it('that is switched off refuses sign-ins and ends sessions (A-AUTH-07)', async () => {
    const { kept, token } = await login('rita')
    await companies().set({ status: false }).where('id', '=', app.company.companies.vizinha).execute()
    expect(says(await login('rita'))).toEqual([401, 'ERR_NO_PERMISSION'])
    expect(await eventually(() => me(token), 403)).toEqual([403, 'ERR_SESSION_EXPIRED'])
    expect(says(await refresh(kept))).toEqual([401, 'ERR_NO_PERMISSION'])
    await companies().set({ status: true }).where('id', '=', app.company.companies.vizinha).execute()
    expect((await login('rita')).status).toBe(200)
  })
  it('with an expired subscription may only sign in and read its user (A-AUTH-05, A-AUTH-06)', async () => {
    const day = (days: number) => new Date(Date.now() + days * 86_400_000 - 3 * 3_600_000).toISOString().slice(0, 10)
    const due = (dueDate: string | null, id: number) => companies().set({ dueDate }).where('id', '=', id).execute()
    const ask = async (token: string, path: string) =>
      says(await app.stranger('GET', path, undefined, { authorization: `Bearer ${token}` }))
    const { vizinha, casa } = app.company.companies
    await due(day(-1), vizinha)
    const { token, kept, status } = await login('rita')
    expect(status).toBe(200)
    expect(await ask(token, '/tickets')).toEqual([402, 'ERR_SUBSCRIPTION_EXPIRED'])
    expect(await ask(token, '/nothing-of-ours')).toEqual([402, 'ERR_SUBSCRIPTION_EXPIRED'])
    expect(await ask(token, '/auth/me')).toEqual([200, undefined])
    expect(await ask(token, '/version')).toEqual([200, undefined])
    expect((await refresh(kept)).status).toBe(200)
    const line = await openLine(app.url, token) // the socket that reports the payment
    line.close()
    await due(day(0), vizinha) // the due date itself is still paid
    expect(await eventually(() => app.stranger('GET', '/tickets', undefined, { authorization: `Bearer ${token}` }), 200)).toEqual([
      200,
      undefined,
    ])
    await due(null, vizinha)
    await due(day(-1), casa)
    expect(await ask((await login('ana')).token, '/tickets')).toEqual([200, undefined]) // R-AUTH-04
    await due(null, casa)
  })
})

/** A session is cached for a moment, and the notification of its end arrives a little later. */
async function eventually(ask: () => Promise<{ status: number; body: any }>, wanted: number) {
  for (let left = 100; ; left--) {
    const answer = await ask()
    if (answer.status === wanted || left === 0) return says(answer)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
