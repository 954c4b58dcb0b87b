import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePasswordLink } from '#app/session/password-link.ts'
import { type Person, password } from '#tests/support/seed-companies.ts'
import { type Answer, startTestApp, type TestApp } from '#tests/support/server.ts'

/* A-USER-04: a link sets a password once within three days and reveals nothing to strangers. */
let app: TestApp
const lines: string[] = []
beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'projector'], log: (line) => void lines.push(line) })
})
afterAll(() => app.stop())

const says = ({ status, body }: Answer) => [status, body?.error]
const linkOf = (who: Person) => makePasswordLink(app.db, { id: app.company.users[who], companyId: app.company.companies.casa })
const look = (token: string, headers = {}) => app.stranger('POST', '/auth/password-link', { token }, headers)
const set = (token: string, to: string) => app.stranger('POST', '/auth/password', { token, password: to })
const signIn = async (who: Person, by: string) =>
  (await app.stranger('POST', '/auth/login', { email: `${who}@casa.test`, password: by })).status

describe('a password link', () => {
  it('shows its user, signs in with the new password and ends old sessions', async () => {
    const old = await app.stranger('POST', '/auth/login', { email: 'ana@casa.test', password })
    const token = await linkOf('ana')
    expect((await look(token)).body).toEqual({ email: 'ana@casa.test', company: 'Casa', minLength: 5 })
    const { status, body, headers } = await set(token, 'uma frase bem longa')
    expect([status, body.user.name, headers.get('set-cookie')?.includes('HttpOnly')]).toEqual([200, 'ana', true])
    expect((await app.stranger('GET', '/auth/me', undefined, { authorization: `Bearer ${body.token}` })).status).toBe(200)
    expect((await app.stranger('GET', '/auth/me', undefined, { authorization: `Bearer ${old.body.token}` })).status).toBe(403)
    expect([await signIn('ana', password), await signIn('ana', 'uma frase bem longa')]).toEqual([401, 200])
    const { events } = (await app.as('admin')('GET', '/security-log?kind=passwordSet')).body
    expect(events).toMatchObject([{ user: { name: 'ana' }, detail: { by: 'link' } }])
    expect(JSON.stringify(events)).not.toContain(token)
  })
  it('is recorded in the security log without its token', async () => {
    const token = await linkOf('ana')
    const { events } = (await app.as('admin')('GET', '/security-log?kind=passwordLinkMade')).body
    expect(events[0]).toMatchObject({ user: null, address: null, detail: { user: app.company.users.ana, by: 'command' } })
    expect(JSON.stringify(events)).not.toContain(token)
    expect((await app.as('admin')('GET', '/security-log/check')).body.holds).toBe(true)
  })
  it('refuses blank, repetitive and common passwords', async () => {
    const token = await linkOf('carla')
    for (const weak of ['     ', '\u00a0\u2003\u00a0\u2003 ', '11111', 'aaaaaaaa', '123456', 'Password', 'senha123'])
      expect({ weak, says: says(await set(token, weak)) }).toEqual({ weak, says: [400, 'ERR_INVALID_INPUT'] })
    expect((await set(token, ' com brancos ')).status).toBe(200)
    expect([await signIn('carla', 'com brancos'), await signIn('carla', ' com brancos ')]).toEqual([401, 200])
  })
  it('works once, also for two at the same time', async () => {
    const token = await linkOf('bruno')
    const both = await Promise.all([set(token, 'primeira senha'), set(token, 'segunda senha')])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    expect([says(await look(token)), says(await set(token, 'terceira senha'))]).toEqual(Array(2).fill([400, 'ERR_PASSWORD_LINK']))
  })
  it('expires after three days or with the next link', async () => {
    const first = await linkOf('carla')
    const second = await linkOf('carla')
    expect([says(await look(first)), (await look(second)).status]).toEqual([[400, 'ERR_PASSWORD_LINK'], 200])
    const { expiresAt } = await app.db.selectFrom('passwordLink').select('expiresAt').where('usedAt', 'is', null).executeTakeFirstOrThrow()
    expect(Math.round((Date.parse(expiresAt) - Date.now()) / 3_600_000)).toBe(72)
    await app.db
      .updateTable('passwordLink')
      .set({ expiresAt: new Date(Date.now() - 1000).toISOString() })
      .execute()
    expect([says(await look(second)), says(await set(second, 'tarde demais'))]).toEqual(Array(2).fill([400, 'ERR_PASSWORD_LINK']))
  })
  it('gives the same answer if it is unknown, used or expired', async () => {
    const used = await linkOf('dulce')
    await set(used, 'a senha da dulce')
    const [never, over] = [await look('x'.repeat(43)), await look(used)]
    expect(never.body).toEqual(over.body)
    expect([(await look('x')).status, (await set('x'.repeat(43), 'curta')).status, (await set(used, 'abc')).status]).toEqual([
      400, 400, 400,
    ])
  })
  it('is stored only as a hash and never logged', async () => {
    const token = await linkOf('carla')
    await look(token)
    await set(token, 'senha da carla agora')
    expect(JSON.stringify(await app.db.selectFrom('passwordLink').selectAll().execute())).not.toContain(token)
    expect(lines.join('')).toContain('/api/auth/password')
    expect(lines.join('')).not.toContain(token)
    expect(lines.join('')).not.toContain('senha da carla agora')
  })
  it('cannot be guessed from one address, and a valid link works from another', async () => {
    const token = await linkOf('bruno')
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const guesses: number[] = []
    for (let n = 0; n < 40; n++) guesses.push((await look(String(n).padStart(43, 'y'), from('198.51.100.77'))).status)
    expect([guesses[0], guesses.at(-1)]).toEqual([400, 429])
    const paused = await look(token, from('198.51.100.77'))
    expect([paused.status, Number(paused.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect((await look(token, from('198.51.100.78'))).status).toBe(200)
  })
})
