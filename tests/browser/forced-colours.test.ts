import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accept, type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

const outlined = (one: Locator) => one.evaluate((seen) => getComputedStyle(seen).outlineStyle !== 'none')

it('forced colours show the active tab, card and button', async () => {
  const { uuid } = await on.says({ name: 'Fábio Contraste', number: '5511944560001' }, 'Consegue ler?')
  const ana = await on.enter('ana@demo.test')
  const { page } = ana
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(`/tickets/${uuid}`)
  await accept(page)
  await page.getByRole('button', { name: 'Nota interna', exact: true }).click()
  const pressed = page.locator('button[aria-pressed=true]').filter({ hasText: 'Nota interna' })
  await pressed.waitFor()
  await page.locator('[data-part=card][data-current]').waitFor()
  await ana.shot('forced-colours')
  expect(await outlined(page.locator('[data-part=tab][aria-selected=true]'))).toBe(true)
  expect(await outlined(page.locator('[data-part=tab][aria-selected=false]').first())).toBe(false)
  expect(await outlined(page.locator('[data-part=card][data-current]'))).toBe(true)
  expect(await outlined(page.locator('[data-part=card]:not([data-current])').first())).toBe(false)
  expect(await outlined(pressed)).toBe(true)
  await pressed.click()
  await page.mouse.move(0, 0)
  expect(await outlined(page.getByRole('button', { name: 'Nota interna', exact: true }))).toBe(false)
  expect(await outlined(page.locator('[data-part=menu] [aria-current=page]').first())).toBe(true)
  expect(ana.wrong).toEqual([])
})
