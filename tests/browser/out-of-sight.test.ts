import { afterAll, beforeAll, expect, it } from 'vitest'
import { bubble, type Customer, type Scene, scene } from './scene.ts'

/* What an agent may not see is neither offered nor denied. */
let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

const change = async (id: number, to: object) => expect(await on.ask('PUT', `/tickets/${id}`, to)).toMatchObject({ status: 200 })
/** A customer writes, and the ticket waits in this queue. */
async function waits(customer: Customer, body: string, queueId: number) {
  const ticket = await on.says(customer, body)
  await change(ticket.id, { status: 'pending', userId: null, queueId, isTransfered: true })
  return ticket
}

it('the drawer says that a customer has tickets in queues which the agent does not see', async () => {
  const queues: { id: number; name: string }[] = (await on.ask('GET', '/queue')).body
  const [mine, other] = ['Suporte', 'Financeiro'].map((name) => queues.find((queue) => queue.name === name)!.id)
  const known = { name: 'Iara Conhecida', number: '5511944483101' }
  const before = await waits(known, 'Quero a segunda via', other!)
  await change(before.id, { status: 'open' })
  await change(before.id, { status: 'closed', sendFarewellMessage: false })
  const now = await waits(known, 'Agora é outra coisa', mine!)
  const newcomer = await waits({ name: 'Nilo Novo', number: '5511944483102' }, 'Primeira vez aqui', mine!)

  const ana = await on.enter('ana@demo.test', { at: `/tickets/${now.uuid}` })
  const { page } = ana
  await bubble(page, 'Agora é outra coisa').waitFor()
  await page.locator('[data-part=head-name]').click()
  const drawer = page.getByRole('complementary', { name: 'Contato', exact: true })
  await drawer.getByText('Há atendimentos em outras filas, ou de colegas, que você não vê.').waitFor()
  expect(await drawer.getByText('É o primeiro atendimento').count()).toBe(0)
  expect(await drawer.getByRole('link', { name: `#${before.id}` }).count()).toBe(0)
  await ana.shot('drawer-unseen')
  await page.goto(`/tickets/${newcomer.uuid}`)
  await bubble(page, 'Primeira vez aqui').waitFor()
  await drawer.getByText('É o primeiro atendimento').waitFor()

  const admin = await on.enter('admin@demo.test', { at: `/tickets/${now.uuid}` })
  await bubble(admin.page, 'Agora é outra coisa').waitFor()
  await admin.page.locator('[data-part=head-name]').click()
  await admin.page
    .getByRole('complementary', { name: 'Contato', exact: true })
    .getByRole('link', { name: `#${before.id}` })
    .waitFor()
  expect([ana.wrong, admin.wrong]).toEqual([[], []])
})

it('the filters of the lists offer only queues whose tickets the agent sees', async () => {
  const offered = async (email: string) => {
    const { page, wrong, leave } = await on.enter(email)
    await page.getByRole('button', { name: /^Filtros/ }).click()
    const queues = page.getByRole('group', { name: 'Filtros' }).getByRole('group', { name: 'Filas' })
    await queues.getByRole('checkbox').first().waitFor({ state: 'attached' })
    const names = await queues.locator('label').allInnerTexts()
    expect(wrong).toEqual([])
    await leave()
    return names.map((name) => name.trim()).toSorted()
  }
  const all = await offered('admin@demo.test')
  expect(all.length).toBeGreaterThan(2)
  expect(await offered('carla@demo.test')).toEqual(['Vendas'])
})
