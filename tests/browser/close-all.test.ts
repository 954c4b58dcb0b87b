import { afterAll, beforeAll, expect, it } from 'vitest'
import { accept, type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
}, 120_000)
afterAll(() => on?.clear(), 40_000)

it('closes what the list shows, says whose where it shows everybody’s, and tells whoever loses tickets by it (R-TICKET-18)', async () => {
  const ana = await on.enter('ana@demo.test')
  const helena = await on.enter('admin@demo.test')
  const { uuid } = await on.says({ name: 'Fátima Fechada', number: '5511944480001' }, 'Oi')
  await ana.page.goto(`/tickets/${uuid}`)
  await accept(ana.page)
  const { page } = helena
  await page.goto('/tickets')
  await page.getByRole('tab', { name: /Atendendo/ }).click()
  const own = (await on.ask('GET', '/users/list')).body.find(({ email }: { email: string }) => email === 'admin@demo.test')
  const count = async (more: string) => (await on.ask('GET', `/tickets?status=open&pageSize=1&showAll=true${more}`)).body.count as number
  const asks = page.getByRole('alertdialog')
  const mine = await count(`&users=[${own.id}]`)
  await page.getByRole('button', { name: 'Fechar todos' }).click()
  await asks.getByRole('button', { name: mine === 0 ? 'Fechar todos' : `Fechar ${mine}`, exact: true }).waitFor()
  expect(await asks.getByText('Ana Souza').count()).toBe(0)
  await asks.getByRole('button', { name: 'Cancelar' }).click()

  await page.getByRole('button', { name: /Filtros/ }).click()
  await page.getByText('Ver de todos').click()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Fátima Fechada' }).waitFor()
  const all = await count('')
  await page.getByRole('button', { name: 'Fechar todos' }).click()
  await asks.getByText(/Ana Souza/).waitFor()
  await helena.shot('close-all-whose')
  await asks.getByRole('button', { name: `Fechar ${all}`, exact: true }).click()
  await ana.page.getByText(/Helena.* fechou/).waitFor()
  await ana.shot('closed-by')
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await page.mouse.move(900, 300) // under the pointer nothing moves
  await page.getByRole('link', { name: 'Fátima Fechada' }).waitFor()
  expect([...ana.wrong, ...helena.wrong]).toEqual([])
}, 90_000)
