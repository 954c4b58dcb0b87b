import { afterAll, beforeAll, expect, it } from 'vitest'
import { demoPassword } from '#app/demo/accounts.ts'
import type { Person } from '#tests/support/browser.ts'
import { eventually } from '#tests/support/wait.ts'
import { type Scene, scene } from './scene.ts'

let on: Scene
let admin: Person
beforeAll(async () => {
  on = await scene()
  admin = await on.enter('admin@demo.test')
})
afterAll(() => on?.clear())

const names = (label: string) => admin.page.getByRole('table', { name: label }).locator('tbody tr td:first-child').allInnerTexts()

it('queues are ordered by keyboard and by drag, and pickers follow', async () => {
  const { page } = admin
  await page.goto('/queues')
  const handle = (name: string) => page.getByRole('button', { name: `Mover ${name}: arraste, ou use ↑ e ↓` })
  await handle('Vendas').waitFor()
  const before = await names('Filas')
  const [first, second] = before as [string, string]
  await handle(second).focus()
  await handle(second).press('ArrowUp')
  await expect.poll(() => names('Filas')).toEqual([second, first, ...before.slice(2)])
  await expect.poll(() => handle(second).evaluate((one) => one === document.activeElement)).toBe(true)
  await admin.shot('queues-in-order')
  const grip = page.locator('span[draggable]').filter({ has: handle(second) })
  await grip.dragTo(page.getByRole('row').filter({ hasText: first }), { targetPosition: { x: 8, y: 36 } })
  await expect.poll(() => names('Filas')).toEqual(before)
  expect(admin.wrong).toEqual([])
})

it('deleting a lane names the lanes that lead to it', async () => {
  const { page } = admin
  const lane = async (name: string, more: object = {}) =>
    (await on.ask('POST', '/tags', { name, color: '#123456', kanban: 1, ...more })).body.id as number
  const goal = await lane('Destino')
  const from = await lane('Origem', { nextLaneId: goal, timeLane: 5 })
  await page.goto('/TagsKanban')
  await page.getByRole('button', { name: 'Excluir: Destino' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByText('A coluna Origem leva a esta').waitFor()
  await admin.shot('lane-named')
  await question.getByRole('button', { name: 'Excluir', exact: true }).click()
  await question.waitFor({ state: 'detached' })
  expect((await on.ask('GET', `/tags/${from}`)).body.nextLaneId).toBeNull()
  expect(admin.wrong).toEqual([])
})

it('people are chosen in the form of a queue, and a queue without people is marked', async () => {
  const { page } = admin
  const { id } = (await on.ask('POST', '/queue', { name: 'Ouvidoria', color: '#123657' })).body
  await page.goto('/queues')
  const row = page.getByRole('row').filter({ hasText: 'Ouvidoria' })
  await row.getByText('Sem pessoas').waitFor()
  await row.getByRole('button', { name: /Editar/ }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('tab', { name: 'Pessoas' }).click()
  await form.getByRole('checkbox', { name: /Ana Souza/ }).check({ force: true })
  await admin.shot('queue-people')
  await form.getByRole('tab', { name: 'Mensagens' }).click()
  await form.locator('[data-part=greeting-note]').getByText('quem escreve lê a saudação da conexão').waitFor()
  await form.getByRole('tab', { name: 'Bot' }).click()
  await form.getByRole('button', { name: 'Adicionar opção', exact: true }).click()
  await form.getByLabel('Nome da opção 1').fill('Falar com alguém')
  await form.getByLabel('Tipo: Falar com alguém').selectOption('attendent')
  await form.getByText('Sem mensagem, o cliente lê:').waitFor()
  await admin.shot('option-standard-text')
  await form.getByRole('button', { name: 'Salvar' }).click()
  await form.waitFor({ state: 'detached' })
  expect((await on.ask('GET', `/queue/${id}`)).body).toMatchObject({ usersCount: 1, users: [{ name: expect.stringMatching(/^Ana/) }] })
  await row.getByText('Sem pessoas').waitFor({ state: 'detached' })
  expect(admin.wrong).toEqual([])
})

it('an agent without a queue reads so, and how many wait', async () => {
  const person = { name: 'Sem Fila', email: 'sem-fila@demo.test', password: demoPassword }
  expect((await on.ask('POST', '/users', person)).status).toBe(200)
  await on.says({ name: 'Cliente à espera', number: '5511955550091' }, 'Alguém aí?')
  await admin.page.goto('/users')
  await admin.page.getByRole('row').filter({ hasText: person.email }).getByText('Sem fila', { exact: true }).waitFor()
  const agent = await on.enter(person.email)
  await agent.page.getByRole('tab', { name: /Aguardando/ }).click()
  await agent.page.getByText('Você não está em nenhuma fila').waitFor()
  await agent.page
    .locator('[data-part=waiting-elsewhere]')
    .getByText(/aguarda/)
    .first()
    .waitFor()
  expect(await agent.page.locator('body').innerText()).not.toContain('Cliente à espera')
  await agent.shot('no-queue')
  expect(agent.wrong).toEqual([])
})

it('a simulated phone writes to the chosen connection', async () => {
  const { id } = (await on.ask('POST', '/whatsapp', { name: 'Filial', channel: 'whatsapp', provider: 'sandbox' })).body
  await eventually(
    () => on.ask('POST', `/sandbox/${id}/scan`),
    ({ status }) => status < 300,
  )
  const { page } = await on.keeper()
  await page.goto('/sandbox')
  await page.getByLabel('Conexão para a qual os celulares escrevem').selectOption({ label: 'Filial' })
  const phone = await on.phoneOf({ name: 'Cliente da filial', number: '5511955550092' })
  await phone.getByRole('textbox', { name: 'Mensagem' }).fill('Oi, filial')
  await phone.getByRole('button', { name: 'Enviar', exact: true }).click()
  const found = await eventually(
    async () => (await on.ask('GET', '/tickets?status=search&searchParam=Cliente%20da%20filial')).body.tickets,
    (tickets) => tickets?.length === 1,
  )
  expect(found[0].whatsapp).toMatchObject({ id, name: 'Filial' })
})
