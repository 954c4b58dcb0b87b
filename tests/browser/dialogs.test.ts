import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

it('Ctrl+Enter submits a form and discards nothing, and a click outside does not close it', async () => {
  const helena = await on.enter('admin@demo.test', { at: '/tags' })
  const { page } = helena
  const add = page.getByRole('button', { name: /Adicionar|Nova/ }).first()
  await add.click()
  const dialog = page.getByRole('dialog')
  const name = dialog.getByLabel('Nome')
  await name.fill('Só por teclas')
  await page.mouse.click(300, 700)
  await page.keyboard.press('Escape')
  await dialog.getByText('Descartar o que você digitou?').waitFor()
  await page.keyboard.press('Control+Enter')
  await dialog.getByText('Descartar o que você digitou?').waitFor({ state: 'detached' })
  expect(await name.inputValue()).toBe('Só por teclas')
  await name.press('Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('row').filter({ hasText: 'Só por teclas' }).waitFor()
  expect(helena.wrong).toEqual([])
})

it('Escape closes a form whose text was removed again, even if the form notices late', async () => {
  const helena = await on.enter('admin@demo.test', { at: '/tags' })
  const { page } = helena
  await page
    .getByRole('button', { name: /Adicionar|Nova/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  const name = dialog.getByLabel('Nome')
  await name.fill('Por engano')
  await name.press('Tab')
  await dialog.getByRole('heading').hover()
  await page.mouse.down() // a form validates only on release
  await name.fill('')
  await page.keyboard.press('Escape')
  await dialog.getByText('Descartar o que você digitou?').waitFor()
  await page.mouse.up()
  await dialog.waitFor({ state: 'detached' })
  expect(helena.wrong).toEqual([])
})

it('Ctrl+Enter confirms a question', async () => {
  const helena = await on.enter('admin@demo.test', { at: '/tags' })
  const { page } = helena
  const row = page.getByRole('row').filter({ hasText: 'Só por teclas' })
  await row.getByRole('button', { name: /Excluir/ }).click()
  const asked = page.getByRole('alertdialog')
  await asked.waitFor()
  await page.keyboard.press('Control+Enter')
  await asked.waitFor({ state: 'detached' })
  await row.waitFor({ state: 'detached' })
  expect(helena.wrong).toEqual([])
})
