import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePasswordLink } from '#app/session/password-link.ts'
import { type Mailbox, openMailbox } from '#tests/support/mailbox.ts'
import { type Person, password } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { openLine } from '#tests/support/socket.ts'

/* A-AUTH-09: a user who forgot the password gets a link by mail, and the answer reveals no addresses. */
let app: TestApp
let box: Mailbox
beforeAll(async () => {
  app = await startTestApp({ config: { publicUrl: 'https://inbox.exemplo.test' } })
  box = await openMailbox()
})
afterAll(async () => {
  await app?.stop()
  await box?.close()
})

let homes = 0
const fromElsewhere = () => ({ 'x-forwarded-for': `198.51.100.${++homes}` })
const forgot = (email: string, headers = fromElsewhere()) => app.stranger('POST', '/auth/forgot-password', { email }, headers)
const reset = (token: string | undefined, newPassword: string) => app.stranger('POST', '/auth/reset-password', { token, newPassword })
const signIn = (who: Person, by: string) => app.stranger('POST', '/auth/login', { email: `${who}@casa.test`, password: by })
const over = [400, 'ERR_RESET_TOKEN']
const says = ({ status, body }: { status: number; body: any }) => [status, body?.error]
async function mail(n: number) {
  await expect.poll(() => box.mails.length).toBe(n)
  const { to, source } = box.mails.at(-1)!
  const text = source.replace(/=\r?\n/g, '').replaceAll('=3D', '=')
  return { to, text, token: /inbox\.exemplo\.test\/reset-password#([\w-]{43})/.exec(text)?.[1] }
}

it('the answer is the same for everybody, and a known user gets a link that works once', async () => {
  expect((await forgot('ana@casa.test')).body).toEqual({ mails: false })
  const values = { mailHost: '127.0.0.1', mailPort: String(box.port), mailSecurity: 'none', mailFrom: 'guiche@exemplo.test' }
  const rows = Object.entries(values).map(([key, value]) => ({ key, value }))
  await app.db.insertInto('platformSetting').values(rows).execute()
  await app.db.updateTable('user').set({ language: 'es' }).where('id', '=', app.company.users.ana).execute()
  await app.as('admin')('DELETE', `/users/${app.company.users.bruno}`)

  const before = await signIn('ana', password)
  const answers = []
  for (const email of ['ninguem@casa.test', 'bruno@casa.test', 'ANA@casa.test']) answers.push(await forgot(email))
  expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(Array(3).fill({ status: 200, body: { mails: true } }))
  const { to, text, token } = await mail(1)
  expect(to).toEqual(['ana@casa.test'])
  expect(text).toContain('vale una hora')
  expect((await app.stranger('POST', '/auth/password-link', { token })).body).toEqual({
    email: 'ana@casa.test',
    company: 'Casa',
    minLength: 5,
  })

  expect(says(await reset(token, 'curta'))).toEqual([400, 'ERR_INVALID_INPUT']) // at least six characters
  expect(says(await reset(token, 'senha123'))).toEqual([400, 'ERR_INVALID_INPUT'])
  const both = await Promise.all([reset(token, 'a nova da ana'), reset(token, 'a outra da ana')])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  expect(says(await reset(token, 'mais uma vez'))).toEqual(over)
  expect((await signIn('ana', password)).status).toBe(401)
  const me = await app.stranger('GET', '/auth/me', undefined, { authorization: `Bearer ${before.body.token}` })
  expect(me.status).toBe(403)
  const { body } = await app.as('admin')('GET', '/security-log?kind=passwordLinkMade')
  expect(body.events[0]).toMatchObject({ user: null, address: expect.stringMatching(/^198\.51\.100\./), detail: { by: 'forgotten' } })
  expect(JSON.stringify(body.events)).not.toContain(token)
})

it('a link is valid for an hour, replaces the one before, and ends with a new password', async () => {
  const given = await makePasswordLink(app.db, { id: app.company.users.carla, companyId: app.company.companies.casa })
  await forgot('carla@casa.test')
  const first = (await mail(2)).token
  await forgot('carla@casa.test')
  const second = (await mail(3)).token
  expect(says(await reset(first, 'primeira senha'))).toEqual(over)
  const links = app.db.selectFrom('passwordLink').select(['forgotten', 'expiresAt']).where('userId', '=', app.company.users.carla)
  const left = (await links.execute()).map(({ forgotten, expiresAt }) => [
    forgotten,
    Math.round((Date.parse(expiresAt) - Date.now()) / 60_000),
  ])
  expect(left.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([
    [false, 3 * 24 * 60],
    [true, 60],
  ])
  expect((await reset(second, 'segunda senha')).body).toEqual({ email: 'carla@casa.test' })
  expect(says(await app.stranger('POST', '/auth/password', { token: given, password: 'do convite' }))).toEqual([400, 'ERR_PASSWORD_LINK'])
  for (const token of [undefined, '', 'x', 'x'.repeat(43)]) expect(says(await reset(token, 'qualquer uma'))).toEqual(over)
  const late = await makePasswordLink(app.db, { id: app.company.users.carla, companyId: app.company.companies.casa })
  await app.db
    .updateTable('passwordLink')
    .set({ expiresAt: new Date(Date.now() - 1000).toISOString() })
    .execute()
  expect(says(await reset(late, 'tarde demais'))).toEqual(over)
})

it('the address may be stored and typed in any case, and a new password ends every socket', async () => {
  const { carla } = app.company.users
  await app.db.updateTable('user').set({ email: 'Carla@Casa.test' }).where('id', '=', carla).execute()
  const socket = await openLine(
    app.url,
    (await app.stranger('POST', '/auth/login', { email: ' carla@CASA.test ', password: 'segunda senha' })).body.token,
  )
  expect((await forgot('carla@CASA.test')).status).toBe(200)
  const { to, token } = await mail(4)
  expect(to).toEqual(['Carla@casa.test'])
  expect((await reset(token, 'terceira senha')).status).toBe(200)
  expect(await socket.closed).toBe(4001)
  await app.db.updateTable('user').set({ email: 'carla@casa.test' }).where('id', '=', carla).execute()
})

it('requests are limited for each mailbox and each address', async () => {
  for (let n = 0; n < 5; n++) {
    expect((await forgot('dulce@casa.test')).body).toEqual({ mails: true })
    if (n < 3) expect((await mail(5 + n)).to).toEqual(['dulce@casa.test'])
  }
  await forgot('admin@casa.test') // mails are sent in the order of the requests
  expect((await mail(8)).to).toEqual(['admin@casa.test'])
  const here = fromElsewhere()
  const asked = []
  for (let n = 0; n < 6; n++) asked.push((await forgot(`tentativa${n}@casa.test`, here)).status)
  expect(asked).toEqual([200, 200, 200, 200, 200, 429])
  expect((await forgot('tentativa6@casa.test')).status).toBe(200)
})

it('a repeated request sends a mail after a failed one (A-AUTH-09)', async () => {
  const sent = box.mails.length
  Object.assign(box.says, { refuses: 'no such mailbox', refused: 0 })
  await forgot('admin@casa.test')
  await expect.poll(() => box.says.refused).toBe(5) // the mail is not tried any more
  box.says.refuses = null
  await forgot('admin@casa.test')
  expect((await mail(sent + 1)).to).toEqual(['admin@casa.test'])
})
