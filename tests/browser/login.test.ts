import { afterAll, beforeAll, expect, it } from 'vitest'
import { demoPassword } from '#app/demo/accounts.ts'
import { signInAs } from '#tests/support/browser.ts'
import { type Stage, startBrowserEnv } from '#tests/support/browser-env.ts'
import { client, signIn } from '#tests/support/processes.ts'

let on: Stage
beforeAll(async () => {
  on = await startBrowserEnv()
})
afterAll(() => on?.clear())

it.each([1440, 390])('the sign-in card does not move while the page loads, at %i px', async (width) => {
  const stranger = await on.come({ width, height: 844 })
  const { page } = stranger
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  let offer: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    offer = resolve
  })
  await page.route('**/api/demo', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/login')
  const field = page.getByLabel('E-mail')
  await field.waitFor()
  const before = await field.boundingBox()
  offer()
  await page.locator('[data-part=login-demo]').waitFor()
  expect(await field.boundingBox()).toEqual(before)
  const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  await page.evaluate(drawn)
  expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual([])
  await stranger.shot(`login-${width}`)
  await stranger.leave()
})

it('a first visit uses the browser’s language in any variant, or the default one', async () => {
  for (const [spoken, title] of [
    ['es-419', 'Iniciar sesión en Guichê'],
    ['tr', 'Guichê’de oturum aç'],
    ['en-GB', 'Sign in to Guichê'],
    ['pt-PT', 'Entrar no Guichê'],
    ['ja-JP', 'Entrar no Guichê'],
  ] as const) {
    const context = await on.browser.newContext({ locale: spoken, baseURL: on.server.url })
    const page = await context.newPage()
    await page.goto('/login')
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    expect([await page.title(), await page.locator('html').getAttribute('lang')]).toEqual([
      title,
      spoken === 'es-419' ? 'es' : spoken === 'tr' ? 'tr' : spoken === 'en-GB' ? 'en' : 'pt-BR',
    ])
    await context.close()
  }
})

it('the sign-in form shows errors in the chosen language and keeps its button’s name', async () => {
  const stranger = await on.come({ language: 'tr' })
  const { page } = stranger
  await page.goto('/login')
  const enter = page.getByRole('button', { name: 'Oturum aç', exact: true })
  await enter.click()
  const [email, password] = [page.getByLabel('E-posta'), page.getByLabel('Parola', { exact: true })]
  await page.getByRole('alert').filter({ hasText: 'Zorunlu' }).waitFor()
  await email.and(page.locator(':focus')).waitFor()
  expect([await email.getAttribute('aria-invalid'), await password.getAttribute('aria-invalid')]).toEqual(['true', 'false'])
  await email.fill('ana@demo.test')
  await email.press('Enter')
  await password.and(page.locator(':focus')).waitFor()
  await password.fill('yanlış')
  const answered = Promise.withResolvers<void>()
  await page.route('**/api/auth/login', async (route) => {
    await answered.promise
    await route.continue()
  })
  await password.press('Enter')
  await page.locator('.bp6-spinner').waitFor()
  expect(await enter.count()).toBe(1)
  expect(await page.locator('main').ariaSnapshot()).not.toMatch(/loading/i)
  answered.resolve()
  await page.getByRole('alert').filter({ hasText: 'eşleşmiyor' }).waitFor()
  expect(await email.inputValue()).toBe('ana@demo.test')
  await stranger.shot('login-refused')
  await stranger.leave()
})

it('the sign-in page links to the support if the operator gave an address (A-SUPPORT-01)', async () => {
  const { token } = await signIn(() => on.server.url, 'super@demo.test')
  const set = (value: string) => client(() => on.server.url, token)('PUT', '/settings/supportUrl', { value })
  const stranger = await on.come()
  await stranger.page.goto('/login')
  await stranger.page.getByRole('button', { name: 'Entrar', exact: true }).waitFor()
  expect(await stranger.page.getByRole('link', { name: 'Chamar suporte' }).count()).toBe(0)
  expect((await set('https://wa.me/5511900000009')).status).toBe(200)
  await stranger.page.reload()
  const link = stranger.page.getByRole('link', { name: 'Chamar suporte' })
  await link.waitFor()
  expect(await link.getAttribute('href')).toBe('https://wa.me/5511900000009')
  await stranger.shot('login-support')
  expect((await set('')).status).toBe(200)
  expect(stranger.wrong).toEqual([])
})

it('a sign-in welcomes the user', async () => {
  const ana = await on.come({ width: 390, height: 844 })
  await signInAs(ana, 'ana@demo.test')
  await ana.page.locator('[data-part=toast]').getByText('Boas-vindas, Ana!').waitFor()
  await ana.shot('login-welcome')
  expect(ana.wrong).toEqual([])
  await ana.leave()
})

it('a sign-in welcomes the user in the language of the account', async () => {
  const context = await on.browser.newContext({ locale: 'en-GB', baseURL: on.server.url })
  const page = await context.newPage()
  await page.goto('/login')
  await page.getByLabel('Email').fill('ana@demo.test')
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.locator('[data-part=toast]').getByText('Boas-vindas, Ana!').waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR')
  await context.close()
})
