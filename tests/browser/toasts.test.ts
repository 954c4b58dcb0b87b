import { afterAll, beforeAll, expect, it } from 'vitest'
import { choose, type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
}, 120_000)
afterAll(() => on?.clear(), 40_000)

it('says what cannot be seen at the bottom left, politely, and stays while somebody is there', async () => {
  const ticket = await on.says({ name: 'Tomás Aviso', number: '5511944500001' }, 'Copie isto, por favor')
  const ana = await on.enter('ana@demo.test')
  const { page } = ana
  await page.goto(`/tickets/${ticket.uuid}`)
  await choose(page, 'Copie isto', 'Copiar')
  const toast = page.getByRole('region', { name: 'Avisos' }).getByRole('listitem').filter({ hasText: 'Copiado' })
  await toast.waitFor()
  await ana.shot('toast')
  const { x, y, height } = (await toast.boundingBox())!
  expect(x).toBeLessThan(40)
  expect(y + height).toBeGreaterThan(900 - 40)
  expect(await toast.locator('xpath=..').getAttribute('aria-live')).toBe('polite')
  await page.keyboard.press('F8')
  const close = toast.getByRole('button', { name: 'Fechar' })
  await close.and(page.locator(':focus')).waitFor()
  await page.clock.install()
  await page.clock.fastForward(60_000)
  expect(await toast.count()).toBe(1)
  await page.keyboard.press('Enter')
  await toast.waitFor({ state: 'detached' })
  expect(ana.wrong).toEqual([])
}, 60_000)
