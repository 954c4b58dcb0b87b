import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '#tests/support/wait.ts'
import { type Customer, chooseOf, type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

it('a menu option offers only its queue’s agents, and marks others (A-BOT-03, A-TRANSFER-05)', async () => {
  const financeiro = (await on.ask('GET', '/queue')).body.find(({ name }: { name: string }) => name === 'Financeiro').id
  const bruno = (await on.ask('GET', '/users/list')).body.find(({ name }: { name: string }) => name === 'Bruno Lima')
  const admin = await on.enter('admin@demo.test', { at: '/queues' })
  const { page } = admin
  const row = page.getByRole('row').filter({ hasText: 'Financeiro' })
  const dialog = page.getByRole('dialog')
  const edit = async () => {
    await row.getByRole('button', { name: /Editar/ }).click()
    await dialog.getByRole('tab', { name: 'Bot' }).click()
  }
  await edit()
  await dialog.getByRole('button', { name: 'Adicionar opção', exact: true }).click()
  await dialog.getByLabel('Nome da opção 1').fill('Falar com gente')
  await dialog.getByLabel('Tipo: Falar com gente').selectOption({ label: 'Atendente' })
  const whom = dialog.getByLabel('Atendente: Falar com gente')
  const offered = await whom.locator('option').allInnerTexts()
  expect(offered).toEqual(expect.arrayContaining(['Qualquer um da fila', 'Bruno Lima', 'Helena Prado']))
  expect(offered).not.toContain('Carla Mendes')
  await whom.selectOption({ label: 'Bruno Lima' })
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { queueIds } = (await on.ask('GET', `/users/${bruno.id}`)).body
  const left = queueIds.filter((id: number) => id !== financeiro)
  expect((await on.ask('PUT', `/users/${bruno.id}`, { queueIds: left })).status).toBe(200)
  await edit()
  const wrong = dialog.getByRole('alert').filter({ hasText: 'Bruno Lima não atende esta fila' })
  await wrong.waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  await wrong.scrollIntoViewIfNeeded()
  await admin.shot('option-person-narrow')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await admin.shot('option-person-dark')
  await whom.selectOption({ label: 'Qualquer um da fila' })
  await wrong.waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(admin.wrong).toEqual([])
})

it('the panel shows rotation, greeting and rating with rules (A-ROT-01, A-TICKET-03, A-NPS-02)', async () => {
  const change = async (path: string, to: object) => expect(await on.ask('PUT', path, to)).toMatchObject({ status: 200 })
  const set = { greetingAcceptedMessage: 'Oi, {nome}, sou da loja.', sendGreetingAccepted: 'enabled', userRating: 'enabled' }
  for (const { id } of (await on.ask('GET', '/whatsapp')).body)
    await change(`/whatsapp/${id}`, { ratingMessage: 'De 0 a 10, como foi?', expiresTicketNPS: 30 })
  await change('/whatsapp/1', { greetingMessage: 'Com quem?' })
  for (const [key, value] of Object.entries(set)) await change(`/settings/${key}`, { value })
  await change('/queue/1', { ativarRoteador: true, tempoRoteador: 5 })
  const ana = await on.enter('ana@demo.test')
  const { page } = ana
  const customer: Customer = { name: 'Rosa Rodada', number: '5511933330009' }
  const says = async (body: string, told: RegExp) => {
    const from = { id: `rosa-${body}`, from: customer.number, name: customer.name, body }
    expect((await on.ask('POST', '/sandbox/1/inbound', from)).status).toBe(202)
    await eventually(
      () => on.got(customer.number),
      (got) => got.some((one) => told.test(one.body)),
    )
  }
  await says('oi', /Com quem/)
  await says('vendas', /aguarde/)
  await page.getByRole('tab', { name: /Aguardando/ }).click()
  await page.getByRole('link', { name: customer.name }).click()
  await page.locator('[data-part=head-name]').click()
  const drawer = page.getByRole('complementary', { name: 'Contato', exact: true })
  const step = (reason: string) => drawer.locator(`[data-part=automation][data-reason=${reason}]`)
  const next = (rule: string) => drawer.locator(`[data-part=automation-next][data-rule=${rule}]`)
  await step('rotation').filter({ hasText: 'Ana Souza' }).waitFor()
  const card = page.locator('[data-part=card]').filter({ hasText: customer.name })
  await card
    .locator('[data-part=card-agent]')
    .filter({ hasText: /^Ana Souzaaté \d\d:\d\d$/ })
    .waitFor({ state: 'attached' }) // the mouse is over the card
  await next('A-ROT-01')
    .filter({ hasText: /rodízio da fila passa adiante às \d\d:\d\d/ })
    .waitFor()
  await next('A-ROT-01').scrollIntoViewIfNeeded()
  await ana.shot('why-rotating')

  const head = page.locator('[data-part=head]')
  await head.getByRole('button', { name: 'Aceitar', exact: true }).click()
  await step('greetingAccepted')
    .filter({ hasText: /Oi, Rosa Rodada, sou da loja\.[\s\S]*A-TICKET-03/ })
    .waitFor()
  expect(await next('A-ROT-01').count()).toBe(0)
  await step('greetingAccepted').scrollIntoViewIfNeeded()
  await ana.shot('why-greeted')

  const at = page.url()
  await head.getByRole('button', { name: 'Resolver', exact: true }).click()
  await page.getByText(`${customer.name}: resolvido`).waitFor()
  await page.goto(at)
  await page.locator('[data-part=head-name]').waitFor()
  await drawer.waitFor() // the panel stays as it was left
  await next('A-NPS-02')
    .filter({ hasText: /Encerra sem avaliação às \d\d:\d\d/ })
    .waitFor()
  await next('A-NPS-02').scrollIntoViewIfNeeded()
  await ana.shot('why-rated')
  expect(ana.wrong).toEqual([])
})

it('the log shows when the rotation moved a ticket on, and to whom (A-ROT-01)', async () => {
  const ana = await on.enter('ana@demo.test')
  const carla = await on.enter('carla@demo.test')
  const customer: Customer = { name: 'Vera Vez', number: '5511933330010' }
  for (const body of ['oi', 'vendas']) {
    const from = { id: `vera-${body}`, from: customer.number, name: customer.name, body }
    expect((await on.ask('POST', '/sandbox/1/inbound', from)).status).toBe(202)
    await eventually(
      () => on.got(customer.number),
      (got) => got.length === (body === 'oi' ? 1 : 2),
    )
  }
  const turns = async () => {
    const [ticket] = (await on.ask('GET', '/tickets?status=search&searchParam=Vera')).body.tickets
    const { body } = await on.ask('GET', `/tickets-log/${ticket.id}`)
    return { uuid: ticket.uuid, names: body.filter(({ way }: any) => way === 'rotation').map(({ user }: any) => user.name) }
  }
  await eventually(turns, ({ names }) => names.length === 1)
  expect((await on.ask('POST', '/sandbox/clock', { advanceMs: 5 * 60_000 })).status).toBe(200)
  const { uuid, names } = await eventually(turns, (now) => now.names.length === 2)
  const [reader, name] = names[1] === 'Ana Souza' ? [ana, 'Ana Souza'] : [carla, 'Carla Mendes']
  expect(names[1]).toBe(name)
  await reader.page.goto(`/tickets/${uuid}`)
  await chooseOf(reader.page, 'Registro do atendimento')
  await reader.page.getByRole('dialog').getByText(`Passou adiante após 5 min: ${name}`).waitFor()
  await reader.shot('log-moved-on')
  expect([...ana.wrong, ...carla.wrong]).toEqual([])
})
