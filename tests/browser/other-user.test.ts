import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

/** Ends the session of this tab by a sign-in elsewhere, and signs in another user here. */
async function signsInAfter({ page }: Person, before: string, next: string): Promise<void> {
  const second = await on.enter(before)
  await page.waitForURL(/\/login\?to=/)
  await second.leave()
  await page.getByLabel('E-mail').fill(next)
  await page.getByLabel('Senha', { exact: true }).fill('demo-1234')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
}

it('the next user sees neither tab, search nor half-filled form of the previous one', async () => {
  const first = await on.enter('carla@demo.test')
  const { page } = first
  const search = page.getByRole('searchbox')
  await page.locator('[data-tab=search]').click()
  await search.fill('palavra secreta')
  await page.evaluate(() => history.pushState(null, '', '/contacts'))
  await page.getByRole('button', { name: 'Novo contato' }).first().click()
  const name = page.getByRole('dialog').getByLabel(/^Nome/)
  await name.fill('Meia Pessoa')

  await signsInAfter(first, 'carla@demo.test', 'ana@demo.test')
  await page.getByRole('button', { name: /^Sua conta.*Ana/ }).waitFor()
  if (await page.getByRole('dialog').count()) expect(await name.inputValue()).toBe('')
  await page.goto('/tickets')
  await page.getByRole('tab', { name: /Atendendo/, selected: true }).waitFor()
  await page.locator('[data-tab=search]').click()
  expect(await search.inputValue()).toBe('')
  await search.fill('outra palavra')
  await page.reload()
  await page.getByRole('tab', { name: 'Busca', selected: true }).waitFor()
  expect(await search.inputValue()).toBe('outra palavra')

  await signsInAfter(first, 'ana@demo.test', 'carla@demo.test')
  await page.getByRole('button', { name: /^Sua conta.*Carla/ }).waitFor()
  await page.getByRole('tab', { name: 'Busca', selected: true }).waitFor()
  expect(await search.inputValue()).toBe('palavra secreta')

  await page.getByRole('button', { name: /^Sua conta.*Carla/ }).click()
  await page.getByRole('menuitem', { name: 'Seus acessos' }).click()
  const signIns = page.getByRole('dialog', { name: 'Seus acessos' }).locator('[data-part=sign-ins]')
  await signIns.getByText('esta sessão').waitFor()
  expect(await signIns.getByText('esta sessão').count()).toBe(1)
  await first.shot('sign-ins')
  expect(first.wrong).toEqual([])
})
