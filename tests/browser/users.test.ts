import { afterAll, beforeAll, expect, it } from 'vitest'
import { demoPassword } from '#app/demo/accounts.ts'
import type { Flag } from '#domain/access.ts'
import { flags } from '#domain/access.ts'
import { published } from '#domain/user/rules.ts'
import { accept, bubble, type Scene, scene, words } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

it('an admin adds a user, grants a permission and retires the user (A-USER-01 to 03)', async () => {
  const admin = await on.enter('admin@demo.test', { at: '/users' })
  const { page } = admin
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await row('Ana Souza').waitFor()
  await admin.shot('users')
  expect(
    await row('Admin')
      .getByRole('button', { name: /Excluir/ })
      .count(),
  ).toBe(0) // not the admin's own row
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
  expect(await form.getByRole('tabpanel', { name: 'Permissões' }).getByRole('checkbox').count()).toBe(flags.length) // without any switch of no effect
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
  await words(zilda.page).fill('Já estou vendo')
  await row('Zilda R.')
    .getByRole('button', { name: /Editar/ })
    .click()
  await form.getByText('Vendas', { exact: true }).click()
  await form.getByText('Ao salvar, 1 atendimento aberto desta pessoa').waitFor()
  await admin.shot('users-queue-taken')
  await form.getByRole('button', { name: 'Salvar' }).click()
  await form.waitFor({ state: 'detached' })
  await zilda.page.getByText('Este atendimento não está mais com você.').waitFor()
  await zilda.page.getByText('Seu rascunho, guardado').waitFor()
  await words(zilda.page).press('Enter')
  await zilda.page.getByText('Não foi enviado.').waitFor()
  expect(await words(zilda.page).inputValue()).toBe('Já estou vendo')
  await zilda.shot('queue-taken')
  await row('Zilda R.')
    .getByRole('button', { name: /Editar/ })
    .click()
  await form.getByText('Vendas', { exact: true }).click()
  await form.getByRole('button', { name: 'Salvar' }).click()
  await form.waitFor({ state: 'detached' })
  await zilda.page.goto(`/tickets/${uuid}`)
  await zilda.page.locator('[data-part=head]').getByRole('button', { name: 'Aceitar', exact: true }).click()
  await zilda.page.locator('[data-part=head]').getByText('Em atendimento').waitFor()
  expect(await words(zilda.page).inputValue()).toBe('Já estou vendo')

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
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue() // no mail server is configured (A-USER-04)
  await admin.shot('users-link')
  await zilda.page.goto(link)
  await zilda.page.getByText('yara@demo.test').waitFor()
  expect(admin.wrong).toEqual([])
})

/** Whether each permission shows its element. */
type Shown = Record<Flag, boolean>
it('each permission shows its element only to users with it (R-PERM-03 to 06, R-VIS-02 to 05)', async () => {
  const make = async (name: string, granted: Partial<Record<Flag, boolean>>) => {
    const email = `${name}@demo.test`
    const body = { name, email, password: demoPassword, queueIds: [1], ...published(granted) }
    expect((await on.ask('POST', '/users', body)).status).toBe(200)
    return email
  }
  const all = Object.fromEntries(flags.map((name) => [name, true]))
  const people = [await make('nenhuma', {}), await make('todas', all)] as const
  const customer = { name: 'Hugo Histórico', number: '5511944571010' }
  const before = await on.says(customer, 'Segredo do suporte')
  expect((await on.ask('PUT', `/tickets/${before.id}`, { status: 'open', queueId: 2 })).status).toBe(200)
  expect((await on.ask('PUT', `/tickets/${before.id}`, { status: 'closed', sendFarewellMessage: false })).status).toBe(200)
  const now = await on.says(customer, 'Agora nas vendas')
  const inQueue = { status: 'pending', userId: null, queueId: 1, isTransfered: true }
  expect((await on.ask('PUT', `/tickets/${now.id}`, inQueue)).status).toBe(200)
  await on.says({ name: 'Sem Fila Nenhuma', number: '5511944571011' }, 'Alguém?')

  const sees = async (email: string): Promise<Shown> => {
    const { page, wrong, leave } = await on.enter(email)
    const go = (to: string) => page.evaluate((path) => history.pushState(null, '', path), to) // without loading the client again
    const there = async (what: { count: () => Promise<number> }) => (await what.count()) > 0
    await page.getByRole('tab', { name: /Aguardando/ }).click()
    const card = (name: string) => page.locator('[data-part=card]').filter({ hasText: name })
    await card(customer.name).hover()
    const list = {
      allTicket: await there(card('Sem Fila Nenhuma')),
      allowGroup: await there(page.getByRole('tab', { name: /Grupos/ })),
      userClosePendingTicket: await there(card(customer.name).getByRole('button', { name: 'Fechar sem atender' })),
      allowConnections: await there(page.locator('nav').getByRole('link', { name: 'Conexões' })),
      allowRealTime: await there(page.locator('nav').getByRole('link', { name: 'Tempo real' })),
      allowAudit: await there(page.locator('nav').getByRole('link', { name: 'Auditoria' })),
    }
    await page.getByRole('button', { name: /^Filtros/ }).click()
    await page.getByLabel('Só não lidos').waitFor()
    const allUserChat = await there(page.getByLabel('Ver de todos'))
    await page.keyboard.press('Escape')
    await go(`/tickets/${now.uuid}`)
    await bubble(page, 'Agora nas vendas').waitFor()
    const allHistoric = await there(bubble(page, 'Segredo do suporte'))
    await go('/Kanban')
    await page.getByRole('region', { name: 'Em aberto' }).waitFor()
    const showDashboard = await there(page.getByText('Adicionar colunas'))
    await go('/connections')
    await page.getByRole('heading', { name: list.allowConnections ? 'Conexões' : 'Você não tem acesso a esta página' }).waitFor()
    expect(wrong).toEqual([])
    await leave()
    return { ...list, allUserChat, allHistoric, showDashboard }
  }
  const each = (is: boolean) => Object.fromEntries(flags.map((name) => [name, is]))
  expect(await sees(people[0])).toEqual(each(false))
  expect(await sees(people[1])).toEqual(each(true))
})

it('the theme and menu of an account apply on a device that had others', async () => {
  const carla = await on.enter('carla@demo.test')
  const { page } = carla
  expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
  const { id } = (await on.ask('GET', '/users?searchParam=carla')).body.users[0]
  expect((await on.ask('PUT', `/users/${id}`, { defaultTheme: 'dark', defaultMenu: 'closed' })).status).toBe(200)
  await page.reload()
  await page.locator('html[data-theme=dark] [data-folded]').waitFor()
  expect(carla.wrong).toEqual([])
  await carla.leave()
})
