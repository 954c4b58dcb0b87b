import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '#tests/support/mailbox.ts'
import { type Ask, startTestApp, type TestApp } from '#tests/support/server.ts'

/* A-USER-04: a user created by an admin sets the password with a link. */
let app: TestApp
let box: Mailbox
let admin: Ask
let made = 0
beforeAll(async () => {
  app = await startTestApp({ config: { publicUrl: 'https://inbox.exemplo.test' } })
  box = await openMailbox({ user: 'guiche', pass: 'abre-te sésamo' })
  admin = app.as('admin')
})
afterAll(async () => {
  await app?.stop()
  await box?.close()
})

async function colleague(more: object = {}) {
  const email = `convidada${++made}@casa.test`
  const { body } = await admin('POST', '/users', { name: 'Convidada', email, ...more })
  return { id: body.id as number, email }
}
const invite = async (id: number) => (await admin('POST', `/users/${id}/password-link`)).body
const tokenIn = (link: string) => /#([\w-]{43})/.exec(link)![1]!
const set = (token: string, password = 'escolhida-por-ela') => app.stranger('POST', '/auth/password', { token, password })
const code = ({ status, body }: { status: number; body: any }) => [status, body?.error]
const mailed = async (wanted: number) => {
  await expect.poll(() => box.mails.length).toBe(wanted)
  return box.mails.at(-1)!
}
const settings = (values: Record<string, string>) =>
  Promise.all(Object.entries(values).map(([key, value]) => admin('PUT', `/settings/${key}`, { value })))

it('without mail, the admin gets a link that works once; only the newest is valid (A-USER-04)', async () => {
  const { id, email } = await colleague()
  expect((await app.stranger('POST', '/auth/login', { email, password: 'qualquer' })).status).toBe(401)
  const first = await invite(id)
  expect(first).toEqual({ sent: false, failed: null, link: expect.stringMatching(/^https:\/\/inbox\.exemplo\.test\/password#/) })
  const second = await invite(id)
  expect(code(await set(tokenIn(first.link)))).toEqual([400, 'ERR_PASSWORD_LINK'])
  expect((await set(tokenIn(second.link))).body.user).toMatchObject({ email })
  expect(code(await set(tokenIn(second.link), 'outra-vez'))).toEqual([400, 'ERR_PASSWORD_LINK'])
  expect((await admin('GET', `/users/${id}`)).body.hasPassword).toBe(true)
  expect((await app.stranger('POST', '/auth/login', { email, password: 'escolhida-por-ela' })).status).toBe(200)
})
it('a link ends when the e-mail or the password changes', async () => {
  const { id } = await colleague()
  const astray = await invite(id)
  expect((await admin('PUT', `/users/${id}`, { email: `certo${id}@casa.test` })).status).toBe(200)
  expect(code(await set(tokenIn(astray.link)))).toEqual([400, 'ERR_PASSWORD_LINK'])
  const first = await invite(id)
  const { token } = (await set(tokenIn(first.link))).body
  const second = await invite(id)
  const own = { password: 'só-minha-senha', currentPassword: 'escolhida-por-ela' }
  expect((await app.stranger('PUT', `/users/${id}`, own, { authorization: `Bearer ${token}` })).status).toBe(200)
  expect(code(await set(tokenIn(second.link)))).toEqual([400, 'ERR_PASSWORD_LINK'])
})
it('a link ends when the user is retired', async () => {
  const { id } = await colleague()
  const { link } = await invite(id)
  await admin('DELETE', `/users/${id}`)
  expect(code(await set(tokenIn(link)))).toEqual([400, 'ERR_PASSWORD_LINK'])
  expect(code(await admin('POST', `/users/${id}/password-link`))).toEqual([404, 'ERR_NO_USER_FOUND'])
})
it('a link is mailed in the user’s language by the mail server that the operator set up', async () => {
  expect(code(await admin('PUT', '/settings/mailHost', { value: '127.0.0.1' }))).toEqual([403, 'ERR_NO_PERMISSION'])
  expect(code(await admin('POST', '/settings/mail/test'))).toEqual([403, 'ERR_NO_PERMISSION'])
  await app.db.updateTable('user').set({ super: true }).where('id', '=', app.company.users.admin).execute()
  app.ctx.viewerCache.forget() // as the notification does a moment later
  expect(code(await admin('POST', '/settings/mail/test'))).toEqual([400, 'ERR_MAIL_NOT_SET'])
  await settings({ mailHost: '127.0.0.1', mailPort: String(box.port), mailSecurity: 'none', mailFrom: 'guiche@exemplo.test' })
  await settings({ mailUser: 'guiche', mailPassword: 'errada' })
  const wrong = await admin('POST', '/settings/mail/test', undefined, { 'accept-language': 'en' })
  expect(code(wrong)).toEqual([400, 'ERR_MAIL_SIGN_IN'])
  expect(wrong.body.message).toContain('535')
  for (const [change, error, named] of [
    [{ mailHost: 'smtp.nada.invalid' }, 'ERR_MAIL_NO_HOST', 'smtp.nada.invalid'],
    [{ mailHost: '127.0.0.1', mailPort: '9' }, 'ERR_MAIL_UNREACHABLE', 'port 9'],
    [{ mailPort: String(box.port), mailSecurity: 'tls' }, 'ERR_MAIL_TLS', 'secure connection'],
  ] as const) {
    await settings(change)
    const broken = await admin('POST', '/settings/mail/test', undefined, { 'accept-language': 'en' })
    expect(code(broken)).toEqual([400, error])
    expect(broken.body.message).toContain(named)
    const { id } = await colleague()
    expect((await invite(id)).failed).toMatch(/servidor de e-mail|conexão segura/) // in the admin's language
  }
  await settings({ mailSecurity: 'none' })
  await settings({ mailPassword: 'abre-te sésamo' })
  expect((await admin('POST', '/settings/mail/test')).body).toEqual({ to: 'admin@casa.test' })
  expect(await mailed(1)).toMatchObject({ to: ['admin@casa.test'], from: 'guiche@exemplo.test' })
  const { body: told } = await admin('GET', '/settings')
  expect(told.find(({ key }: any) => key === 'mailPassword').value).toBe('set')
  expect(JSON.stringify(told)).not.toContain('sésamo')

  const { id, email } = await colleague({ language: 'es' })
  expect(await invite(id)).toEqual({ sent: true, link: null, failed: null })
  const mail = await mailed(2)
  const source = mail.source.replace(/=\r?\n/g, '').replaceAll('=3D', '=')
  expect([mail.to, source]).toEqual([[email], expect.stringContaining('una sola vez')])
  expect((await set(tokenIn(source))).status).toBe(200)
})
it('a link is shown to the admin with the mail server’s answer if the mail failed', async () => {
  box.says.refuses = '5.1.1 no such mailbox'
  const { id } = await colleague()
  const { sent, link, failed } = await invite(id)
  expect([sent, failed]).toEqual([false, expect.stringContaining('no such mailbox')])
  expect((await set(tokenIn(link))).status).toBe(200)
})
