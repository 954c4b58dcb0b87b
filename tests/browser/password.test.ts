import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePasswordLink } from '#app/session/password-link.ts'
import { openStore } from '#projections/postgres.ts'
import { type Stage, startBrowserEnv } from '#tests/support/browser-env.ts'
import { openMailbox } from '#tests/support/mailbox.ts'
import { client, signIn } from '#tests/support/processes.ts'

let on: Stage
beforeAll(async () => {
  on = await startBrowserEnv()
})
afterAll(() => on?.clear())

async function link(email: string): Promise<string> {
  const { db } = openStore(on.databaseUrl, 1)
  try {
    const user = await db.selectFrom('user').select(['id', 'companyId']).where('email', '=', email).executeTakeFirstOrThrow()
    return `/password#${await makePasswordLink(db, user)}`
  } finally {
    await db.destroy()
  }
}

it('a user chooses the first password by a link, sees its rule first, and is signed in', async () => {
  const { page, shot } = await on.come()
  const asked: string[] = []
  page.on('request', (request) => void asked.push(`${request.url()} ${request.headers().referer ?? ''}`))
  const at = await link('bruno@demo.test')
  await page.goto(at)
  await page.getByText('Escolha a senha de bruno@demo.test').waitFor()
  expect(new URL(page.url()).hash).toBe('')
  const field = page.getByLabel('Nova senha')
  await page.getByText('De 5 a 50 caracteres').waitFor()
  await shot('password')
  await field.fill('abc')
  await page.getByRole('button', { name: 'Salvar e entrar' }).click()
  await page.getByRole('alert').getByText('A senha deve ter pelo menos 5 caracteres').waitFor()
  expect(await field.inputValue()).toBe('abc')
  await field.fill('uma frase que eu lembro')
  await field.press('Enter')
  await page.waitForURL('**/tickets')
  await page.getByRole('tab', { name: /Atendendo/ }).waitFor()
  expect(asked.filter((one) => one.includes(at.split('#')[1]!))).toEqual([])
})

it('an expired link explains the next step, in the user’s language and on a phone', async () => {
  const { page, shot } = await on.come({ language: 'en', width: 390, height: 844, theme: 'dark' })
  for (const at of ['/password', `/password#${'x'.repeat(43)}`, '/password#nonsense']) {
    await page.goto('/login')
    await page.goto(at)
    await page.getByText('This link is no longer valid.').waitFor()
  }
  await shot('password-over')
  await page.getByRole('button', { name: 'Go to sign-in' }).click()
  await page.getByLabel('Email').waitFor()
})

it('a forgotten password is reset by a mailed link (A-AUTH-09, R-RESET-01 to 04, R-VALID-08)', async () => {
  const box = await openMailbox()
  const { page, shot, wrong } = await on.come()
  try {
    await page.goto('/login')
    await page.getByRole('link', { name: 'Esqueceu a senha?' }).click()
    const field = page.getByLabel('E-mail')
    const send = page.getByRole('button', { name: /^Envia/ })
    await field.fill('carla')
    await send.click()
    await page.getByRole('alert').getByText('Isto não parece um e-mail.').waitFor()
    await field.fill('carla@demo.test')
    await send.click()
    await page.getByRole('alert').getByText('Este servidor não envia e-mails.').waitFor()

    const { token } = await signIn(() => on.server.url, 'super@demo.test')
    const ask = client(() => on.server.url, token)
    const mail = { mailHost: '127.0.0.1', mailPort: String(box.port), mailSecurity: 'none', mailFrom: 'guiche@demo.test' }
    for (const [key, value] of Object.entries(mail)) expect((await ask('PUT', `/settings/${key}`, { value })).status).toBe(200)
    await send.click()
    await page.getByRole('button', { name: 'Enviado!' }).waitFor()
    await page.getByText('Link de redefinição de senha enviado com sucesso').waitFor()
    await page.getByRole('status').getByText('Se carla@demo.test for de alguém').waitFor()
    await shot('forgot')
    await page.getByRole('button', { name: 'Enviar', exact: true }).waitFor() // it can be requested again
    await expect.poll(() => box.mails.length).toBe(1)
    const way = /\/reset-password#[\w-]{43}/.exec(box.mails[0]!.source.replace(/=\r?\n/g, '').replaceAll('=3D', '='))![0]

    await page.goto(way)
    await page.getByText('Escolha a nova senha de carla@demo.test').waitFor()
    expect(new URL(page.url()).hash).toBe('')
    await page.reload()
    await page.getByText('Escolha a nova senha de carla@demo.test').waitFor()
    const [first, second] = [page.getByLabel('Nova senha', { exact: true }), page.getByLabel('Confirme a nova senha')]
    const alert = page.getByRole('alert')
    await first.fill('curta')
    await first.press('Enter')
    await alert.getByText('A senha deve ter pelo menos 6 caracteres').waitFor()
    await first.fill('lembrei dela agora')
    await second.fill('lembrei dela agor')
    await second.press('Enter')
    await alert.getByText('As senhas não coincidem').waitFor()
    await shot('reset')
    await second.fill('lembrei dela agora')
    await second.press('Enter')
    await page.getByText('Senha redefinida com sucesso').waitFor()
    await page.waitForURL('**/login')
    await page.getByLabel('E-mail').fill('carla@demo.test')
    await page.getByLabel('Senha', { exact: true }).fill('lembrei dela agora')
    await page.getByRole('button', { name: 'Entrar', exact: true }).click()
    await page.waitForURL('**/tickets')
    await page.goto('/forgot-password')
    await page.waitForURL('**/tickets') // R-ROUTE-01
    expect(wrong).toEqual([])
  } finally {
    await box.close()
  }
})

it('an invalid reset link shows a message instead of the form, in any address (R-RESET-02)', async () => {
  const { page, shot } = await on.come({ language: 'tr', width: 390, height: 844, theme: 'dark' })
  for (const at of ['/reset-password', '/reset-password?token=nonsense', `/reset-password?token=${'x'.repeat(43)}`]) {
    await page.goto('/login')
    await page.goto(at)
    await page.getByRole('alert').getByText('Sıfırlama bağlantısı eksik ya da geçersiz.').waitFor()
    expect(await page.locator('form').count()).toBe(0)
    expect(new URL(page.url()).search).toBe('')
  }
  await shot('reset-over')
  await page.getByRole('link', { name: 'Yeni bağlantı iste' }).click()
  await page.getByRole('heading', { name: 'Parolayı sıfırla' }).waitFor()
  await page.getByRole('link', { name: 'Oturum açma sayfasına dön' }).click()
  await page.waitForURL('**/login')
})
