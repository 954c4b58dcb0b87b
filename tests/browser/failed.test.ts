import { afterAll, beforeAll, expect, it } from 'vitest'
import { accept, bubble, type Scene, scene, write } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
}, 120_000)
afterAll(() => on?.clear(), 40_000)

const faults = (failCode: string, count: number) => on.ask('POST', '/sandbox/1/faults', { failCode, count })

it('gives a reason where the channel failed with a code of its own, and tells what a peek leaves behind', async () => {
  const customer = { name: 'Rui Motivo', number: '5511944550001' }
  const { id, uuid } = await on.says(customer, 'Recebeu?')
  const ana = await on.enter('ana@demo.test')
  const { page } = ana
  const card = page.locator('.card').filter({ hasText: customer.name })
  const peeked = async (tab: RegExp) => {
    await page.getByRole('tab', { name: tab }).click()
    await card.hover()
    await card.getByRole('button', { name: 'Espiar' }).click()
    const text = await page.getByRole('dialog').locator('.peek-text').innerText()
    await page.keyboard.press('Escape')
    return text
  }
  expect(await peeked(/Aguardando/)).toBe('Nada é marcado como lido; a leitura fica no registro do atendimento.')
  const log = (await on.ask('GET', `/tickets-log/${id}`)).body as { type: string; way: string | null; user: { name: string } }[]
  expect(log.filter(({ way }) => way === 'peek').map(({ user }) => user.name)).toEqual(['Ana Souza'])

  await page.goto(`/tickets/${uuid}`)
  await accept(page)
  await faults('META_131047', 1)
  await write(page, 'Recebi sim')
  await bubble(page, 'Recebi sim').getByText('O canal não a aceitou (código META_131047).').waitFor()
  await faults('META_131047', 0)
  await page.goto('/tickets')
  expect(await peeked(/Atendendo|Em atendimento/)).toBe('Nada é marcado como lido.')
  expect(ana.wrong).toEqual([])
}, 90_000)
