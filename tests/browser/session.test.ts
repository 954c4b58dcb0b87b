import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, signInAs } from '#tests/support/browser.ts'
import { accept, bubble, type Scene, scene, words } from './scene.ts'

let on: Scene
let address: string
beforeAll(async () => {
  on = await scene()
  const { uuid } = await on.says({ name: 'Saulo Sessão', number: '5511944550001' }, 'Volto já')
  address = `/tickets/${uuid}`
})
afterAll(() => on?.clear())

it('the page loads by itself once the server answers again', async () => {
  const ana = await on.enter('ana@demo.test')
  const { page } = ana
  let away = true
  await page.route('**/api/**', (route) => (away ? route.abort() : route.continue()))
  await page.goto(address)
  await page.getByText('Não foi possível carregar').waitFor()
  await ana.shot('boot-away')
  away = false
  await bubble(page, 'Volto já').waitFor() // without any click
  await ana.leave()
})

/** The same account signs in elsewhere, and then here again. */
async function sentAway({ page }: Person): Promise<void> {
  const second = await on.enter('admin@demo.test')
  await page.waitForURL(/\/login\?to=/)
  await second.leave()
  await page.getByLabel('Senha', { exact: true }).and(page.locator(':focus')).waitFor() // the e-mail is filled in
  await page.getByLabel('Senha', { exact: true }).fill('demo-1234')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
}

it('every tab shows the user who signed in last in this browser', async () => {
  const first = await on.on.come()
  const second = { ...first, page: await first.context.newPage() }
  for (const { page } of [first, second]) await page.goto('/login')
  await signInAs(first, 'bruno@demo.test')
  await first.page.getByRole('button', { name: /^Sua conta.*Bruno/ }).waitFor()
  await second.page.getByLabel('E-mail').fill('ana@demo.test')
  await second.page.getByLabel('Senha', { exact: true }).fill('demo-1234')
  await second.page.getByRole('button', { name: 'Entrar', exact: true }).click()
  for (const { page } of [second, first]) await page.getByRole('button', { name: /^Sua conta.*Ana/ }).waitFor()
  expect(first.wrong).toEqual([])
  await first.leave()
})

it('a return from Meta after the session ended signs in first and continues', async () => {
  const { page, leave } = await on.on.come()
  await page.goto('/connections?code=abc&state=def')
  await page.locator('input[type=email]').fill('admin@demo.test')
  await page.locator('input[type=password]').fill('demo-1234')
  await page.locator('button[type=submit]').click()
  await page.getByRole('dialog', { name: 'Páginas e contas da Meta' }).waitFor()
  await leave()
})

it('an unsaved settings text returns after the session ended, and can be saved', async () => {
  const first = await on.enter('admin@demo.test', { at: '/settings' })
  const { page } = first
  const row = page.locator('[data-setting=lgpdMessage]')
  await row.getByRole('textbox').fill('A meio da frase')
  await sentAway(first)
  await row.getByRole('button', { name: 'Salvar' }).waitFor()
  expect(await row.getByRole('textbox').inputValue()).toBe('A meio da frase')
  await row.getByRole('button', { name: 'Salvar' }).click()
  await expect.poll(async () => (await on.ask('GET', '/setting/lgpdMessage')).body.value).toBe('A meio da frase')
  expect(first.wrong).toEqual([])
  await first.leave()
})

it('a half-filled form returns after the session ended elsewhere, and can be saved', async () => {
  const name = `Fila a meio ${Date.now()}`
  const first = await on.enter('admin@demo.test', { at: '/queues' })
  const { page } = first
  const form = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Nova fila' }).first().click()
  await form.getByLabel(/^Nome/).fill(name)
  await form.getByRole('tab', { name: /Mensagens/ }).click()
  await form.getByLabel(/^Mensagem de saudação/).fill('Bem-vindo a meio')
  await sentAway(first)
  await page.getByText('O que você tinha digitado voltou.').waitFor()
  await first.shot('form-is-back')
  expect(await form.getByLabel(/^Mensagem de saudação/).inputValue()).toBe('Bem-vindo a meio')
  await form.getByRole('button', { name: 'Salvar', exact: true }).click()
  await form.waitFor({ state: 'detached' })
  const { body } = await on.ask('GET', '/queue')
  expect(body.find((queue: { name: string }) => queue.name === name)).toMatchObject({ greetingMessage: 'Bem-vindo a meio' })
  await page.reload()
  await page.getByRole('button', { name: 'Nova fila' }).first().click()
  await form.getByLabel(/^Nome/).waitFor()
  expect(await form.getByLabel(/^Nome/).inputValue()).toBe('') // restored only once
  expect(first.wrong).toEqual([])
})

it('a half-filled form returns after the session ended in another tab', async () => {
  const first = await on.enter('carla@demo.test')
  const { page: other } = first
  await other.getByRole('button', { name: /^Sua conta/ }).waitFor()
  const page = await first.context.newPage()
  await page.goto('/contacts')
  await page.getByRole('button', { name: 'Novo contato' }).first().click()
  const name = page.getByRole('dialog').getByLabel(/^Nome/)
  await name.fill('Meia Pessoa')
  await other.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('token')}` }
    await fetch('/api/auth/logout', { method: 'DELETE', headers })
  })
  await other.goto('/tickets')
  await page.waitForURL(/\/login\?to=%2Fcontacts/)
  expect(await page.getByLabel('E-mail').inputValue()).toBe('carla@demo.test')
  await page.getByLabel('Senha', { exact: true }).fill('demo-1234')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await page.getByText('O que você tinha digitado voltou.').waitFor()
  expect(await name.inputValue()).toBe('Meia Pessoa')
  await first.leave()
})

it('the user returns to the same place and draft after the session ended elsewhere', async () => {
  const first = await on.enter('bruno@demo.test', { at: address })
  await accept(first.page)
  await words(first.page).fill('Já estou verificando')
  const second = await on.enter('bruno@demo.test')
  await first.page.waitForURL(/\/login\?to=/)
  await first.page.getByText('Sua conta foi acessada em outro lugar').waitFor()
  await first.page.reload()
  await first.page.getByText('Sua conta foi acessada em outro lugar').waitFor() // still shown
  await second.leave()
  expect(await first.page.getByLabel('E-mail').inputValue()).toBe('bruno@demo.test') // the email address is filled in
  await first.page.getByLabel('Senha', { exact: true }).fill('demo-1234')
  await first.page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await first.page.waitForURL(new RegExp(address))
  await bubble(first.page, 'Volto já').waitFor()
  expect(await words(first.page).inputValue()).toBe('Já estou verificando')
  expect(await first.page.evaluate(() => sessionStorage.getItem('ended'))).toBe(null)
  expect(first.wrong).toEqual([])
})
