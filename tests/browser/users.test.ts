import { afterAll, beforeAll, expect, it } from 'vitest'
import { accept, type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
}, 120_000)
afterAll(() => on?.clear(), 40_000)

it('adds a colleague, gives them a permission, shows them their own profile, and retires them (A-USER-01 to 03)', async () => {
  const admin = await on.enter('admin@demo.test', { at: '/users' })
  const { page } = admin
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await row('Ana Souza').waitFor()
  await admin.shot('users')
  expect(
    await row('Admin')
      .getByRole('button', { name: /Excluir/ })
      .count(),
  ).toBe(0) // oneself
  const form = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Adicionar usuário' }).click()
  await form.getByLabel('Nome').fill('Zilda Ramos')
  await form.getByLabel('E-mail').fill('ana@demo.test')
  await form.getByLabel('Senha').fill('segredo-dela')
  await form.getByText('Vendas', { exact: true }).click()
  expect(await form.getByRole('checkbox', { name: 'Vendas' }).isChecked()).toBe(true)
  await admin.shot('users-form')
  await form.getByRole('button', { name: 'Salvar' }).click()
  await form.getByText('Este e-mail já está em uso.').waitFor()
  await form.getByLabel('E-mail').fill('zilda@demo.test')
  await form.getByRole('tab', { name: 'Permissões' }).click()
  await form.getByText('Ver atendimentos sem fila', { exact: true }).click()
  await admin.shot('users-permissions')
  await form.getByRole('button', { name: 'Salvar' }).click()
  await form.waitFor({ state: 'detached' })
  await row('Zilda Ramos').getByText('Vendas').waitFor()

  const zilda = await on.on.come()
  await zilda.page.goto('/login')
  await zilda.page.getByLabel('E-mail').fill('zilda@demo.test')
  await zilda.page.getByLabel('Senha', { exact: true }).fill('segredo-dela')
  await zilda.page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await zilda.page
    .locator('[data-part=topbar]')
    .getByRole('button', { name: /^Sua conta/ })
    .click()
  expect(await zilda.page.locator('nav').getByText('Usuários').count()).toBe(0)
  await zilda.page.getByRole('menuitem', { name: 'Meu perfil' }).click()
  const own = zilda.page.getByRole('dialog')
  await own.getByLabel('Nome').waitFor()
  expect(await own.getByRole('tab').count()).toBe(0)
  expect(await own.getByLabel('Início do expediente').count()).toBe(0)
  await own.getByLabel('Nova senha').fill('minha-propria')
  await own.getByLabel('Senha atual').fill('errada')
  await own.getByRole('button', { name: 'Salvar' }).click()
  await own.getByText('A senha atual não confere.').waitFor()
  await zilda.shot('profile')
  await own.getByLabel('Senha atual').fill('segredo-dela')
  await own.getByLabel('Nome').fill('Zilda R.')
  await own.getByRole('button', { name: 'Salvar' }).click()
  await own.waitFor({ state: 'detached' })
  await row('Zilda R.').waitFor() // colleagues see the new name at once

  const { uuid } = await on.says({ name: 'Zeca Cliente', number: '5511944571001' }, 'Alguém aí?')
  await zilda.page.goto(`/tickets/${uuid}`)
  await accept(zilda.page, 'Vendas')
  await row('Zilda R.')
    .getByRole('button', { name: /Excluir/ })
    .click()
  const ask = page.getByRole('alertdialog')
  await ask.getByText('1 atendimento aberto volta para a espera.').waitFor()
  await admin.shot('users-retire')
  await ask.getByRole('button', { name: 'Excluir', exact: true }).click()
  await row('Zilda R.').waitFor({ state: 'detached' })
  await zilda.page.getByRole('button', { name: 'Entrar', exact: true }).waitFor() // signed out at once
  expect((await on.ask('GET', `/tickets/u/${uuid}`)).body).toMatchObject({ status: 'pending', user: null })

  await page.getByRole('button', { name: 'Adicionar usuário' }).click()
  await form.getByLabel('Nome').fill('Yara Nunes')
  await form.getByLabel('E-mail').fill('yara@demo.test')
  await form.getByRole('button', { name: 'Salvar' }).click()
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue() // no mail is set up (A-USER-04)
  await admin.shot('users-link')
  await zilda.page.goto(link)
  await zilda.page.getByText('yara@demo.test').waitFor()
  expect(admin.wrong).toEqual([])
}, 120_000)
