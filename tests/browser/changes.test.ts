import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf } from '#tests/support/axe.ts'
import { type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

it('the change list shows author, before and after, filters, and needs a permission', async () => {
  const { id, version } = (await on.ask('GET', '/queue')).body.find(({ name }: any) => name === 'Suporte')
  const long = `Olá! ${'Atendemos de segunda a sexta, das 8 às 18 horas. '.repeat(8)}Até já.`
  const admin = await on.enter('admin@demo.test', { at: `/queues?open=${id}` })
  const { page } = admin
  const form = page.getByRole('dialog')
  await form.getByLabel('Nome').fill('Suporte Técnico')
  await form.getByRole('button', { name: 'Salvar' }).click()
  await form.waitFor({ state: 'detached' })
  expect((await on.ask('PUT', `/queue/${id}`, { greetingMessage: long, version: version + 1 })).status).toBe(200)
  const { body: tag } = await on.ask('POST', '/tags', { name: 'Passageira', color: '#c2410c' })
  await on.ask('DELETE', `/tags/${tag.id}`)

  const leaver = (await on.ask('GET', '/users/list')).body.find(({ email }: any) => email === 'carla@demo.test')
  expect((await on.ask('PUT', `/users/${leaver.id}`, { showDashboard: 'enabled', defaultMenu: 'closed' })).status).toBe(200)

  await page.getByRole('link', { name: 'Alterações' }).click()
  const rows = page.getByRole('table', { name: 'Alterações' }).getByRole('row')
  const renamed = rows
    .filter({ hasText: 'Alterou' })
    .filter({ has: page.getByRole('insertion') })
    .filter({ hasText: 'Nome' })
  await renamed.waitFor()
  const { name } = (await on.ask('GET', '/users/list')).body.find(({ email }: any) => email === 'admin@demo.test')
  await renamed.getByText(name).first().waitFor()
  expect(await renamed.getByRole('deletion').innerText()).toMatch(/Suporte$/)
  expect(await renamed.getByRole('insertion').innerText()).toMatch(/Suporte Técnico$/)
  await rows.filter({ hasText: 'Excluiu' }).getByText('Passageira').first().waitFor()
  expect(await page.getByRole('link', { name: 'Passageira' }).count()).toBe(0) // a deleted row has no link

  const greeted = rows.filter({ hasText: 'Mensagem de saudação' })
  expect(await greeted.innerText()).not.toContain('Até já.')
  await greeted.getByRole('button', { name: 'Mostrar tudo' }).click()
  await greeted.getByText('Até já.').waitFor()
  expect(await rows.filter({ hasText: leaver.name }).innerText()).toMatch(/desligado[\s→]+depois:\s+ligado/)
  expect(await rows.filter({ hasText: leaver.name }).innerText()).toMatch(/Recolhido/)
  await admin.shot('changes')

  await page.getByLabel('Cadastro').selectOption('tag')
  await expect.poll(() => rows.count()).toBe(3)
  await page.getByLabel('Pessoa').selectOption({ label: name })
  await page.getByText('Nenhuma alteração com estes filtros').waitFor()
  await admin.shot('changes-none')
  await page.reload()
  await page.getByText('Nenhuma alteração com estes filtros').waitFor()
  await page.getByRole('button', { name: 'Limpar filtros' }).first().click()
  await expect.poll(() => rows.count()).toBe(6)
  await renamed.getByRole('button', { name: 'Só as alterações de Suporte Técnico' }).click()
  await expect.poll(() => rows.count()).toBe(3)
  expect(page.url()).toContain(`rowId=${id}`)
  await renamed.getByRole('link', { name: 'Suporte Técnico' }).click()
  await form.waitFor()
  await page.goBack()
  await form.waitFor({ state: 'detached' }) // Back closes the form first
  await page.goBack()
  await expect.poll(() => rows.count()).toBe(3)
  for (const [key, value] of Object.entries({ scheduleType: 'company', transferMessage: 'constructor' }))
    expect((await on.ask('PUT', `/settings/${key}`, { value })).status).toBe(200)
  await page.goto('/security-log')
  const set = page.getByRole('row').filter({ hasText: 'Configuração alterada' })
  const told = ['Horário de atendimento · de: Sem horário · para: Da empresa', 'para: constructor'] // a choice by its label, a text as it was typed
  for (const one of told) await set.getByText(one).and(page.locator(':visible')).waitFor()
  const access = page.getByRole('row').filter({ hasText: 'Acesso alterado' }).first()
  await access.getByText(`usuário: ${leaver.name} · motivo: alterado`).and(page.locator(':visible')).waitFor()
  await admin.shot('security-log')
  await page.goto('/audit?from=2020-01-01&to=2020-01-02')
  await page.getByText('Nenhuma alteração com estes filtros').waitFor()
  expect(admin.wrong).toEqual([])

  const otto = await on.enter('auditor@demo.test', { width: 390, height: 844, theme: 'dark', at: '/audit' })
  await otto.page.getByText('Suporte Técnico').and(otto.page.locator(':visible')).first().waitFor()
  expect(await otto.page.getByRole('table').getByRole('link').count()).toBe(0) // a reader without write permission gets no links to forms
  expect(await otto.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await otto.shot('changes-390')
  expect(await faultsOf(otto.page, 'changes')).toEqual([])
  const ana = await on.enter('ana@demo.test')
  await ana.page.getByRole('link', { name: 'Tags' }).waitFor()
  expect(await ana.page.getByRole('link', { name: 'Alterações' }).count()).toBe(0)
})

it('an unsupported filter in the address is named, instead of showing a wider list silently', async () => {
  const { page, leave, shot } = await on.enter('auditor@demo.test', { at: '/audit?from=2026-02-31&list=queue' })
  await page.getByText('não estreita a lista: from=2026-02-31').waitFor()
  await shot('changes-ignored')
  await page.getByRole('button', { name: 'Limpar filtros' }).click()
  await page.getByText('não estreita a lista').waitFor({ state: 'detached' })
  await leave()
})

it('one filter bar limits every log list to a period, and explains reversed dates', async () => {
  const otto = await on.enter('auditor@demo.test', { width: 390, height: 844 })
  const { page } = otto
  const late = '2026-03-02T01:30:00Z' // still March 1st in the company's zone
  await page.clock.setFixedTime(late)
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), date: new Date(late).toUTCString() } })
  })
  const bar = page.getByRole('group', { name: 'Filtros' })
  const days = () => Promise.all(['De', 'Até'].map((edge) => bar.getByLabel(edge, { exact: true }).inputValue()))
  for (const path of ['/audit', '/history', '/security-log']) {
    await page.goto(path)
    const period = bar.getByLabel('Período')
    await period.selectOption('Últimos 7 dias')
    expect(await days()).toEqual(['2026-02-23', '2026-03-01'])
    await period.selectOption('Este mês')
    expect(await days()).toEqual(['2026-03-01', '2026-03-01'])
    await period.selectOption('Últimos 7 dias')
    await bar.getByLabel('Até', { exact: true }).fill('2026-02-20')
    await bar.getByRole('alert').getByText('assim nada é encontrado').waitFor()
    await expect.poll(() => period.locator('option:checked').innerText()).toBe('Período escolhido')
    await otto.shot(`filters${path.replace('/', '-')}`)
    await bar.getByLabel('De', { exact: true }).fill('2026-02-01')
    await bar.getByRole('alert').waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(await faultsOf(page, path)).toEqual([])
    await bar.getByRole('button', { name: 'Limpar filtros' }).click()
    expect(await days()).toEqual(['', ''])
  }
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 768 })
    await page.goto('/history')
    const names = page
      .getByRole('table')
      .locator('td:first-child, td:nth-child(2), td:nth-child(3), td:nth-child(4) span, td:nth-child(5), td:nth-last-child(3)')
    await names.first().waitFor()
    await otto.shot(`history-${width}`)
    const cut = await names.evaluateAll((all) =>
      all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map((one) => one.textContent),
    )
    expect([width, cut]).toEqual([width, []])
  }
  expect(otto.wrong).toEqual([])
})
