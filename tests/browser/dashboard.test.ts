import { afterAll, beforeAll, expect, it } from 'vitest'
import { demoPassword } from '#app/demo/accounts.ts'
import { faultsOf } from '#tests/support/axe.ts'
import { enterAs, type Person } from '#tests/support/browser.ts'
import { client, signIn } from '#tests/support/processes.ts'
import { eventually } from '#tests/support/wait.ts'
import { type Scene, scene } from './scene.ts'

/* The first screen of supervisors. */
let on: Scene
let admin: Person
beforeAll(async () => {
  on = await scene()
  admin = await on.enter('admin@demo.test', { at: '/' })
})
afterAll(() => on?.clear())

const card = (name: string, one = admin) => one.page.locator(`[data-card=${name}] strong`)
const shown = async (name: string) => Number((await card(name).textContent())!.replaceAll('.', ''))

it('the cards show the numbers of now and of today, and follow a new ticket (R-DASH-01)', async () => {
  await card('supportPending').waitFor()
  const before = [await shown('supportPending'), await shown('tickets')]
  await admin.shot('dashboard')
  await on.says({ name: 'Nova Figueira', number: '5511944433221' }, 'Bom dia')
  await eventually(
    () => shown('supportPending'),
    (n) => n === before[0]! + 1,
  )
  await admin.page.reload()
  await eventually(
    () => shown('tickets'),
    (n) => n === before[1]! + 1,
  )
  expect(await card('active').textContent()).toMatch(/^\d+\/\d+$/)
  expect(admin.wrong).toEqual([])
})

it('the numbers of a period that goes on follow without a reload', async () => {
  const { page } = admin
  await page.clock.install()
  await page.goto('/')
  await card('tickets').waitFor()
  const before = await shown('tickets')
  await on.says({ name: 'Mais uma', number: '5511944433223' }, 'Boa tarde')
  await page.clock.fastForward(31_000)
  await eventually(
    () => shown('tickets'),
    (n) => n === before + 1,
  )
  await page.clock.resume()
})

it('filters and tab are in the address, and a period without tickets says so (R-DASH-07)', async () => {
  const { page } = admin
  await page.goto('/')
  await page.getByLabel('Período', { exact: true }).selectOption({ label: 'Últimos 7 dias' })
  await page.getByLabel('Fila').selectOption({ label: 'Suporte' })
  await page.getByRole('tab', { name: 'Atendentes' }).click()
  await page.locator('[data-part=numbers]').waitFor()
  await expect.poll(() => page.url()).toMatch(/tab=attendants&date_from=\d{4}-\d\d-\d\d&date_to=\d{4}-\d\d-\d\d&queueIds=/)
  await admin.shot('dashboard-agents')
  await page.goto('/?date_from=2020-01-01&date_to=2020-01-31')
  await page.getByText('Sem dados para o período selecionado').first().waitFor()
  await expect.poll(() => page.getByText('Sem dados para o período selecionado').count()).toBe(2)
  await page.getByRole('tab', { name: 'Avaliações' }).click()
  await page.getByText('Nenhuma avaliação no período').waitFor()
  await page.goto('/?queueIds=[99999]')
  await page.getByText('#99999 (removido)').waitFor({ state: 'attached' })
  expect(await shown('tickets')).toBe(0)
  expect(admin.wrong).toEqual([])
})

it('a switch measures in service hours, also in the file and in the report (A-COUNT-05)', async () => {
  const { page } = admin
  await page.goto('/')
  const times = page.getByRole('table', { name: 'Tempos' })
  await times.waitFor()
  expect(await times.locator('[data-part=closed]').count()).toBe(0)
  const box = page.getByRole('checkbox', { name: 'Só horário de atendimento' })
  await box.focus()
  await page.keyboard.press('Space')
  await expect.poll(() => times.locator('[data-part=closed]').count()).toBe(5)
  await expect.poll(() => page.url()).toContain('openHours=true')
  await page.getByRole('button', { name: 'O que conta em Só horário de atendimento' }).click()
  await page.getByText(/Vale o horário que estava em vigor naquele momento/).waitFor()
  await admin.shot('dashboard-open-hours')
  await page.keyboard.press('Escape')
  await page.reload()
  await page.getByText('só no horário de atendimento.', { exact: false }).waitFor()
  expect(await box.isChecked()).toBe(true)
  await page.getByRole('tab', { name: 'Atendentes' }).click()
  const asked = page.waitForRequest(/\/dashboard\/attendants\?.*openHours=true/)
  await page.getByRole('button', { name: 'Exportar para Excel' }).click()
  await asked
  await page.getByRole('tab', { name: 'Desempenho' }).click()
  await card('tickets').getByRole('link').click()
  await page.waitForURL(/\/reports\?.*openHours=true/)
  expect(await page.getByRole('checkbox', { name: 'Só horário de atendimento' }).isChecked()).toBe(true)
  expect(admin.wrong).toEqual([])
})

it('the target of the first answer is a card with its parts, once it is set (A-COUNT-15)', async () => {
  const { page } = admin
  await page.goto('/')
  await card('reopened').waitFor()
  expect(await card('target').count()).toBe(0)
  await page.goto('/settings')
  await page.getByLabel('Meta da primeira resposta (minutos)').fill('15')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await on.ask('GET', '/setting/firstAnswerTarget')).body.value, { interval: 500 }).toBe('15')
  await on.says({ name: 'Nova Pereira', number: '5511944433229' }, 'Bom dia')
  await eventually(
    async () => {
      await page.goto('/')
      await card('target').waitFor()
      return page.locator('[data-card=target] small').textContent()
    },
    (text) => text !== null && /0 no prazo · 0 fora do prazo · \d+ ainda no prazo/.test(text),
  )
  await admin.shot('dashboard-target')
  expect((await on.ask('PUT', '/settings/firstAnswerTarget', { value: '' })).status).toBe(200)
  expect(admin.wrong).toEqual([])
})

it('a removed agent and their tickets stay choosable, marked as removed (A-COUNT-04)', async () => {
  const { page } = admin
  const { id } = (await on.ask('POST', '/users', { name: 'Saulo Saiu', email: 'saulo@demo.test', password: demoPassword })).body
  await eventually(
    () => on.ask('DELETE', `/users/${id}`), // the server may be busy
    ({ status }) => status < 300 || status === 404,
  )
  for (const [path, choose] of [
    ['/', () => page.getByLabel('Atendente', { exact: true }).selectOption({ label: 'Saulo Saiu (removido)' })],
    ['/reports', () => page.getByRole('button', { name: 'Atendentes' }).click()],
  ] as const) {
    await page.goto(path)
    await choose()
  }
  await page.getByLabel('Saulo Saiu (removido)').waitFor()
})

it('the arrow keys reach every tab', async () => {
  const { page } = admin
  await page.goto('/')
  await page.getByRole('tab', { name: 'Desempenho' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).toMatch(/tab=assessments/)
})

it('without a period the screen asks for one, and a turned one is explained (R-DASH-05)', async () => {
  const { page } = admin
  await page.goto('/')
  await page.getByLabel('Período', { exact: true }).selectOption({ label: 'Qualquer período' })
  await page.getByText('Parametrize o filtro').waitFor()
  await page.goto('/?date_from=2026-02-02')
  await page.getByText('Sem o dia “Até”: até hoje.').waitFor()
  await page.goto('/?date_from=2026-02-02&date_to=2026-02-01')
  await page.getByRole('alert').waitFor()
  expect(await page.locator('[data-part=card]').count()).toBe(0)
  for (const address of ['/?date_from=2010-01-01', '/reports?dateFrom=2010-01-01&dateTo=2026-01-01']) {
    await page.goto(address)
    await page.getByRole('alert').filter({ hasText: 'passa de dez anos' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(1) // no error that a retry cannot help
  }
})

it.each(['attendants', 'breakdown'])('every column of the wide table is visible at 1,440 px: %s', async (tab) => {
  const { page } = admin
  const before = page.viewportSize()!
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/?tab=${tab}`)
  const box = page.locator('section:has(> [data-part=numbers])')
  await box.waitFor()
  await admin.shot(`dashboard-${tab}`)
  expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 900, height: 900 })
  await expect.poll(() => box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeGreaterThan(0)
  const left = () =>
    box.evaluate((element) => element.querySelector('th[scope=row]')!.getBoundingClientRect().x - element.getBoundingClientRect().x)
  await box.evaluate((element) => element.scrollTo({ left: 400 }))
  expect(await left()).toBeLessThan(20)
  expect(await left()).toBeGreaterThanOrEqual(0)
  await page.setViewportSize(before)
})

it('a number leads to its tickets, as many as it says', async () => {
  const { page } = admin
  await page.goto('/')
  await card('tickets').waitFor()
  const n = await shown('tickets')
  expect(n).toBeGreaterThan(0)
  await card('tickets').getByRole('link').click()
  await page.waitForURL(/\/reports\?/)
  await page
    .getByText(new RegExp(`\\b${n}\\b`))
    .first()
    .waitFor()
})

it('a row per queue and an hour of the week lead to their tickets (V32)', async () => {
  const { page } = admin
  await page.goto('/?tab=breakdown')
  const rows = page.locator('[data-part=numbers] tbody tr')
  const first = rows.filter({ has: page.getByRole('link') }).first()
  const n = (await first.getByRole('link').first().textContent())!
  await page.getByRole('radio', { name: 'Tag' }).click()
  await expect.poll(() => page.url()).toMatch(/by=tag/)
  await page.getByRole('radio', { name: 'Fila' }).click()
  await first.getByRole('link').first().click()
  await page.waitForURL(/\/reports\?.*queueIds=/)
  await page.getByText(n === '1' ? '1 atendimento' : `${n} atendimentos`, { exact: true }).waitFor()

  await page.goto('/?tab=week')
  const cell = page.locator('[data-part=week]').getByRole('link').first()
  const created = (await cell.textContent())!
  await cell.click()
  await page.waitForURL(/weekHour=\d/)
  await page.getByText(created === '1' ? '1 atendimento' : `${created} atendimentos`, { exact: true }).waitFor()
  await page.getByText(/-feira \d\d:00|sábado \d\d:00|domingo \d\d:00/).waitFor()
  expect(admin.wrong).toEqual([])
})

it('the table of agents is saved as an Excel file (R-DASH-03)', async () => {
  const { page } = admin
  await page.goto('/?tab=attendants')
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Exportar para Excel' }).click()])
  expect(file.suggestedFilename()).toBe('atendentes.xlsx')
})

it('a number explains what it counts', async () => {
  const { page } = admin
  await page.goto('/')
  await page.getByRole('button', { name: 'O que conta em Finalizados' }).click()
  await page.getByText(/Atendimentos diferentes com pelo menos um fechamento no período/).waitFor()
  await page.keyboard.press('Escape')
})

it('an agent without the right starts at the tickets, and losing it is shown (R-DASH-06)', async () => {
  const ana = await on.enter('ana@demo.test', { at: '/' })
  await ana.page.waitForURL(/\/tickets$/)
  const { user } = await signIn(() => on.on.server.url, 'ana@demo.test')
  const grant = (showDashboard: string) => on.ask('PUT', `/users/${user.id}`, { showDashboard })
  expect((await grant('enabled')).status).toBe(200)
  const again = await on.enter('ana@demo.test', { at: '/' })
  await card('supportPending', again).waitFor()
  expect((await grant('disabled')).status).toBe(200)
  await again.page.getByRole('heading', { level: 1, name: /acesso/ }).waitFor()
  await again.page.getByRole('button', { name: 'Ir para os atendimentos' }).click()
  await again.page.waitForURL(/\/tickets$/)
  const { token } = await signIn(() => on.on.server.url, 'ana@demo.test')
  expect((await client(() => on.on.server.url, token)('GET', '/dashboard')).status).toBe(403)
})

it('says since when it is not live, and is right again after the connection is back (V21)', async () => {
  const { page, context } = await on.enter('admin@demo.test', { at: '/' })
  const waiting = page.locator('[data-card=supportPending] strong')
  await waiting.waitFor()
  const now = async () => Number(await waiting.textContent())
  const before = await now()
  await context.setOffline(true)
  await page.locator('[data-part=not-live]').waitFor()
  const text = await page.locator('[data-part=not-live]').textContent()
  expect(text).toMatch(/^Sem atualização ao vivo desde \d\d:\d\d:\d\d$/)
  await on.says({ name: 'Enquanto caiu', number: '5511944433222' }, 'Oi')
  expect(await page.locator('[data-part=not-live]').textContent()).toBe(text)
  await context.setOffline(false)
  await page.locator('[data-part=not-live]').waitFor({ state: 'detached' })
  await eventually(now, (n) => n === before + 1)
})

it.each([
  [390, 'light', 'en'],
  [1440, 'dark', 'tr'],
  [2560, 'light', 'es'],
] as const)('at %d px, %s, in %s it has no accessibility faults and no sideways scrolling', async (width, theme, language) => {
  const one = await on.enter('admin@demo.test', { at: '/', width, theme, language })
  await card('supportPending', one).waitFor()
  for (const tab of await one.page.getByRole('tab').all()) {
    await tab.click()
    const name = await tab.textContent()
    expect(await faultsOf(one.page, `${name} ${width}`, [theme])).toEqual([])
    expect(
      await one.page.evaluate(() =>
        Math.max(...['html', '#content'].map((of) => document.querySelector(of)!).map((of) => of.scrollWidth - of.clientWidth)),
      ),
    ).toBe(0)
    await one.shot(`dashboard-${width}-${theme}-${name}`)
  }
  expect(one.wrong).toEqual([])
  await one.leave()
})

it('a browser language that Intl rejects does not break the charts', async () => {
  const other = await on.on.come()
  await other.context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' }))
  await enterAs(other, 'admin@demo.test', '/')
  await other.page.locator('[data-part=chart]').first().waitFor()
  expect(other.wrong).toEqual([])
  await other.leave()
})
