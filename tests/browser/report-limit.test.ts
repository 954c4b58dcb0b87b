import { afterAll, beforeAll, expect, it } from 'vitest'
import { demoPassword } from '#app/demo/accounts.ts'
import { faultsOf } from '#tests/support/axe.ts'
import type { Person } from '#tests/support/browser.ts'
import { eventually } from '#tests/support/wait.ts'
import { type Scene, scene } from './scene.ts'

/* A supervisor who is no admin and limited to queues (A-VIS-04): the queues are named, and every number is of them. */
const email = 'sol@demo.test'
let on: Scene
let queues: Record<string, number>
let sol: { id: number }
beforeAll(async () => {
  on = await scene()
  const rows = (await on.ask('GET', '/queue')).body as { id: number; name: string }[]
  queues = Object.fromEntries(rows.map(({ id, name }) => [name, id]))
  const body = { name: 'Sol Reis', email, password: demoPassword, queueIds: [queues.Vendas] }
  sol = (await on.ask('POST', '/users', body)).body
})
afterAll(() => on?.clear())

const change = async (body: object) => expect((await on.ask('PUT', `/users/${sol.id}`, body)).status).toBe(200)
const note = ({ page }: Person) => page.locator('[data-part=report-limit]')
const shown = async ({ page }: Person, name: string) =>
  Number((await page.locator(`[data-card=${name}] strong`).textContent())!.replaceAll('.', ''))
const openIn = async (queue: string) => (await on.ask('GET', `/dashboard/now?queueIds=[${queues[queue]}]`)).body.supportHappening as number
const becomes = (one: Person, queue: string) =>
  eventually(
    async () => [await shown(one, 'supportHappening'), await openIn(queue)],
    ([seen, is]) => seen === is,
  )
const optionsOf = async ({ page }: Person, label: string) =>
  (await page.getByLabel(label, { exact: true }).locator('option').allTextContents()).slice(1)

it('an admin chooses the queues in the form, once the user may see the dashboard', async () => {
  const admin = await on.enter('admin@demo.test', { at: '/users' })
  const { page } = admin
  const form = page.getByRole('dialog')
  const edit = async () => {
    const row = page.getByRole('row').filter({ hasText: 'Sol Reis' })
    await row.getByRole('button', { name: /Editar/ }).click()
    await form.getByRole('tab', { name: 'Permissões' }).click()
  }
  await edit()
  const all = form.getByRole('checkbox', { name: 'Todas as filas', exact: true })
  expect(await all.count()).toBe(0)
  await form.getByText('Ver painel e relatórios', { exact: true }).click()
  expect(await all.isChecked()).toBe(true)
  await form.getByText('Todas as filas', { exact: true }).click()
  const chosen = form.getByRole('group', { name: 'Filas no painel e nos relatórios' })
  expect(await chosen.getByRole('checkbox', { name: 'Vendas' }).isChecked()).toBe(true) // the queues that the user serves
  expect(await chosen.getByRole('checkbox', { name: 'Suporte' }).isChecked()).toBe(false)
  await chosen.getByText('Vendas').click()
  await form.getByText('Sem nenhuma fila, a pessoa não vê números.').waitFor()
  await chosen.getByText('Vendas').click()
  await chosen.scrollIntoViewIfNeeded()
  await admin.shot('report-limit-form')
  expect(await faultsOf(page, 'form of the limit')).toEqual([])
  await form.getByRole('button', { name: 'Salvar' }).click()
  await form.waitFor({ state: 'detached' })
  const { body } = await on.ask('GET', `/users/${sol.id}`)
  expect(body).toMatchObject({ showDashboard: 'enabled', reportQueueIds: [queues.Vendas] })
  await edit()
  expect(await chosen.getByRole('checkbox', { name: 'Vendas' }).isChecked()).toBe(true)
  expect(admin.wrong).toEqual([])
  await admin.leave()
})

it('dashboard and report name the queues, count only them, and offer no others', async () => {
  await change({ showDashboard: 'enabled', reportQueueIds: [queues.Vendas] })
  const one = await on.enter(email, { at: '/' })
  const { page } = one
  await note(one).getByText('Vendas').waitFor()
  await becomes(one, 'Vendas')
  expect(await openIn('Suporte')).toBeGreaterThan(0)
  await expect.poll(() => optionsOf(one, 'Fila')).toEqual(['Vendas'])
  await eventually(
    () => optionsOf(one, 'Atendente'),
    (names) => names.includes('Sol Reis') && !names.some((name) => name.startsWith('Admin')),
  )
  await one.shot('report-limit-dashboard')
  await page.goto(`/?queueIds=[${queues.Suporte}]`)
  await page.locator('[data-card=supportHappening]').waitFor()
  expect([await shown(one, 'supportHappening'), await shown(one, 'supportFinished'), await shown(one, 'tickets')]).toEqual([0, 0, 0])
  await page.goto('/reports')
  await note(one).getByText('Vendas').waitFor()
  await page.getByRole('row').nth(1).waitFor()
  const total = (await on.ask('GET', `/ticketreport/reports?queueIds=[${queues.Vendas}]`)).body.totalTickets.total
  await page
    .getByText(new RegExp(`\\b${total}\\b`))
    .first()
    .waitFor()
  expect(await page.getByRole('row').filter({ hasText: 'Suporte' }).count()).toBe(0)
  await one.shot('report-limit-report')
  await page.goto(`/reports?queueIds=${queues.Suporte}`)
  await page.getByText('Limpar filtros').waitFor()
  expect(await page.getByRole('row').count()).toBe(0)
  expect(one.wrong).toEqual([])
  await one.leave()
})

it('the panel shows only the tickets of the queues, also when the agent may open others', async () => {
  const both = [queues.Vendas, queues.Suporte]
  await change({ allowRealTime: 'enabled', allUserChat: 'enabled', queueIds: both, reportQueueIds: [queues.Vendas] })
  const one = await on.enter(email, { at: '/moments' })
  const { page } = one
  await note(one).getByText('Vendas').waitFor()
  expect(await optionsOf(one, 'Fila')).toEqual(['Vendas'])
  const waits = async (name: string, number: string, queueId: number) => {
    const ticket = await on.says({ name, number }, 'Bom dia')
    const inQueue = { status: 'pending', userId: null, queueId, isTransfered: true }
    expect((await on.ask('PUT', `/tickets/${ticket.id}`, inQueue)).status).toBe(200)
    return page.locator(`[data-part=panel-card][data-card="${ticket.id}"]`)
  }
  const other = await waits('Painel Suporte', '5511944430021', queues.Suporte!)
  const own = await waits('Painel Vendas', '5511944430022', queues.Vendas!)
  await own.waitFor()
  expect(await other.count()).toBe(0)
  await one.shot('report-limit-panel')
  await change({ reportQueueIds: [queues.Suporte] })
  await other.waitFor()
  await own.waitFor({ state: 'detached' })
  await note(one).getByText('Suporte').waitFor()
  const past = page.locator('[data-part=past-board]')
  await page.goto(`/moments?at=${new Date(Date.now() - 1000).toISOString()}`)
  await past.getByText('Painel Suporte').waitFor()
  await change({ reportQueueIds: [queues.Vendas] })
  await past.getByText('Painel Vendas').waitFor()
  expect(await past.getByText('Painel Suporte').count()).toBe(0)
  await page.goto('/moments')
  await own.waitFor()
  await change({ allowRealTime: 'disabled' })
  await page.getByRole('heading', { level: 1, name: /acesso/ }).waitFor()
  expect(await page.locator('[data-part=panel-card]').count()).toBe(0)
  await one.shot('report-limit-taken')
  expect(one.wrong).toEqual([])
  await one.leave()
})

it('a changed limit and a taken right apply while the screen is open', async () => {
  await change({ reportQueueIds: [queues.Vendas] })
  const one = await on.enter(email, { at: '/' })
  const list = await one.context.newPage()
  await list.goto('/reports')
  await note(one).getByText('Vendas').waitFor()
  await list.getByRole('row').nth(1).waitFor()
  await change({ reportQueueIds: [queues.Suporte] })
  await note(one).getByText('Suporte').waitFor()
  await becomes(one, 'Suporte')
  await list.getByRole('row').filter({ hasText: 'Suporte' }).first().waitFor()
  expect(await list.getByRole('row').filter({ hasText: 'Vendas' }).count()).toBe(0)
  await change({ reportQueueIds: [] })
  await note(one).getByText('Nenhuma fila foi liberada para você').waitFor()
  await eventually(
    () => shown(one, 'supportHappening'),
    (n) => n === 0,
  )
  await change({ showDashboard: 'disabled' })
  for (const page of [one.page, list]) await page.getByRole('heading', { level: 1, name: /acesso/ }).waitFor()
  expect(await one.page.locator('[data-part=card]').count()).toBe(0)
  expect(one.wrong).toEqual([])
  await one.leave()
})

it.each([
  [390, 'dark', 'tr'],
  [1440, 'light', 'en'],
] as const)('at %d px, %s, in %s the screens have no accessibility faults', async (width, theme, language) => {
  await change({ showDashboard: 'enabled', allowRealTime: 'enabled', reportQueueIds: Object.values(queues) })
  const one = await on.enter(email, { at: '/', width, theme, language })
  for (const at of ['/', '/moments', '/reports']) {
    await one.page.goto(at)
    await note(one).waitFor()
    expect(await faultsOf(one.page, `limit ${at} ${width}`, [theme])).toEqual([])
    expect(await one.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
    await one.shot(`report-limit-${width}${at.replace('/', '-')}`)
  }
  expect(one.wrong).toEqual([])
  await one.leave()
})
