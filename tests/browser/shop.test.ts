import { afterAll, beforeAll, expect, it } from 'vitest'
import { answer, type Customer, type Scene, scene, typing } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
  const option = (name: string, greetingMessage: string, more = {}) => ({
    name,
    greetingMessage,
    queueType: 'text',
    closeTicket: false,
    ...none,
    ...more,
  })
  const none = { optQueueId: null, optUserId: null, optIntegrationId: null, optFileId: null }
  const greeting = { greetingMessage: 'Olá, {nome}! Bem-vindo à loja.', sendIdQueue: 2, timeSendQueue: '30' }
  expect(await on.ask('PUT', '/whatsapp/1', greeting)).toMatchObject({ status: 200 })
  const chatbots = [
    option('Segunda via', 'Enviamos por e-mail.', { closeTicket: true }),
    option('Falar com gente', 'Já vamos atender, {nome}.'),
  ]
  expect(await on.ask('PUT', '/queue/1', { greetingMessage: 'Setor {fila}', chatbots })).toMatchObject({ status: 200 })
})
afterAll(() => on?.clear())

it('a shop’s menu leads the phone, an agent takes over, and the drawer explains it', async () => {
  const customer: Customer = { name: 'Lídia Freguesa', number: '5511933330001' }
  const phone = await on.phoneOf(customer)
  const ana = await on.enter('ana@demo.test')
  const says = typing(phone)
  await says('oi', /Bem-vindo à loja\.[\s\S]*\[ 1 \][\s\S]*Vendas/)
  const { page } = ana
  await page.getByRole('tab', { name: /Aguardando/ }).click()
  await page.getByRole('link', { name: customer.name }).click()
  await page.locator('[data-part=head-name]').click()
  const drawer = page.getByRole('complementary', { name: 'Contato', exact: true })
  await drawer.getByText('Perguntou pela fila').waitFor()
  expect(await drawer.locator('[data-part=automation-next]').innerText()).toMatch(/fila de redirecionamento .*às \d\d:\d\d/)

  await says('a caixa azul', /Opção inválida/)
  await says('vendas', /Setor Vendas[\s\S]*Falar com gente/)
  await says('２', /Já vamos atender/)
  const steps = drawer.locator('[data-part=automation]')
  await drawer.getByText('O menu chegou ao fim').waitFor()
  expect(await steps.evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.reason))).toEqual([
    ...['queueMenu', 'wrongAnswer', 'queueChosen', 'optionMenu', 'optionChosen', 'leaf'],
  ])
  expect((await steps.nth(2).innerText()).replaceAll('\n', ' ')).toMatch(
    /O cliente escolheu a fila.*vendas.*entendido como 1 · Vendas.*Fila: Vendas · Regra A-BOT-02/,
  )
  await ana.shot('what-happened')

  await page.locator('[data-part=head]').getByRole('button', { name: 'Aceitar', exact: true }).click()
  await page.locator('[data-part=head]').getByText('Em atendimento').waitFor()
  await answer(on, page, customer, 'Oi, Lídia! Aqui é a Ana.')
  await says('quero falar de novo com o robô: 1', /robô: 1/)
  await page.getByRole('log').getByText('robô: 1').last().waitFor()
  expect((await on.got(customer.number)).at(-1)!.body).toContain('Aqui é a Ana')
  expect(ana.wrong).toEqual([])
})

it('a shop’s silent customer is redirected later, and the drawer explains it (A-BOT-09)', async () => {
  const silent: Customer = { name: 'Mudo Freguês', number: '5511933330004' }
  await typing(await on.phoneOf(silent))('alguém?', /Bem-vindo à loja/)
  expect((await on.ask('POST', '/sandbox/clock', { advanceMs: 31 * 60_000 })).status).toBe(200)
  const ana = await on.enter('ana@demo.test')
  const { page } = ana
  await page.getByRole('tab', { name: /Aguardando/ }).click()
  await page.getByRole('link', { name: silent.name }).click()
  await page.locator('[data-part=head-name]').click()
  const drawer = page.getByRole('complementary', { name: 'Contato', exact: true })
  const moved = drawer.locator('[data-part=automation][data-reason=TicketRedirected]')
  await moved.filter({ hasText: /Esperou demais sem fila[\s\S]*Fila: Suporte · Regra A-BOT-09/ }).waitFor()
  expect(await drawer.locator('[data-part=automation-next]').count()).toBe(0)
  await ana.shot('redirected')
  expect(ana.wrong).toEqual([])
  await ana.leave()
})

it('consent leads to the shop’s menu, and the drawer shows its time and text (A-LGPD-01)', async () => {
  const set = { enableLGPD: 'enabled', lgpdMessage: 'Usamos seus dados.', lgpdConsent: 'enabled', lgpdLink: 'https://loja.test/lgpd' }
  for (const [key, value] of Object.entries(set)) expect((await on.ask('PUT', `/settings/${key}`, { value })).status).toBe(200)
  const customer: Customer = { name: 'Otávio Novo', number: '5511933330002' }
  const says = typing(await on.phoneOf(customer))
  const ana = await on.enter('ana@demo.test')
  const { page } = ana
  await says('oi', /Usamos seus dados\.[\s\S]*\[ 1 \][\s\S]*Aceito/)
  await page.getByRole('tab', { name: /Aguardando/ }).click()
  await page.locator('[data-part=asked]').click() // beside the waiting tickets until the contact answers
  const asked = page.locator('[data-part=card]').filter({ hasText: customer.name })
  await asked.getByText('Aguardando consentimento').waitFor()
  await ana.shot('asked')
  const silent: Customer = { name: 'Nélson Calado', number: '5511933330003' }
  await typing(await on.phoneOf(silent))('alguém?', /Usamos seus dados/)
  const other = page.locator('[data-part=card]').filter({ hasText: silent.name })
  await says('aceito', /Bem-vindo à loja/)
  await asked.waitFor({ state: 'hidden' })
  await other.hover()
  await other.getByRole('button', { name: 'Aceitar', exact: true }).click() // a silent contact can be accepted
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Fila').selectOption({ label: 'Vendas' })
  await dialog.getByRole('button', { name: 'Aceitar', exact: true }).click()
  await page.locator('[data-part=head]').getByText('Em atendimento').waitFor()
  await page.getByRole('tab', { name: /Aguardando/ }).click()
  await page.getByRole('link', { name: customer.name }).click()
  await page.locator('[data-part=head-name]').click()
  const drawer = page.getByRole('complementary', { name: 'Contato', exact: true })
  await drawer.getByText('Uso de dados aceito (LGPD)').waitFor()
  const given = drawer.locator('[data-part=automation][data-reason=ConsentGiven]')
  expect(await given.innerText()).toMatch(/O cliente aceitou o uso de seus dados[\s\S]*[0-9a-f]{64}[\s\S]*A-LGPD-01/)
  const hash = drawer.locator('[data-part=consent-text]')
  expect(await hash.innerText()).toMatch(/sha256 [0-9a-f]{64}/) // with the contact, so each later ticket shows it
  await hash.scrollIntoViewIfNeeded()
  await ana.shot('consent')
  expect(ana.wrong).toEqual([])

  const [uuid] = /[0-9a-f-]{36}/.exec(page.url())!
  const otto = await on.enter('auditor@demo.test', { at: `/tickets/${uuid}/history` }) // an auditor without access to the inbox reads the reason too
  const why = 'O cliente aceitou o uso de seus dados · Regra A-LGPD-01'
  await otto.page.locator('[data-part=fact-why]').filter({ hasText: why }).waitFor()
  await otto.page.getByRole('region', { name: 'Conversa' }).getByText(why).waitFor()
  await otto.shot('consent-replay')
  await otto.leave()
})
