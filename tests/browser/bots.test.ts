import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
}, 90_000)
afterAll(() => on?.clear(), 40_000)

it('an option leads only to who serves the queue, and says so where somebody no longer does (A-BOT-03, A-TRANSFER-05)', async () => {
  const financeiro = (await on.ask('GET', '/queue')).body.find(({ name }: { name: string }) => name === 'Financeiro').id
  const bruno = (await on.ask('GET', '/users/list')).body.find(({ name }: { name: string }) => name === 'Bruno Lima')
  const admin = await on.enter('admin@demo.test', { at: '/queues' })
  const { page } = admin
  const row = page.getByRole('row').filter({ hasText: 'Financeiro' })
  const dialog = page.getByRole('dialog')
  const edit = async () => {
    await row.getByRole('button', { name: /Editar/ }).click()
    await dialog.getByRole('tab', { name: 'Bot' }).click()
  }
  await edit()
  await dialog.getByRole('button', { name: 'Adicionar opção', exact: true }).click()
  await dialog.getByLabel('Nome da opção 1').fill('Falar com gente')
  await dialog.getByLabel('Tipo: Falar com gente').selectOption({ label: 'Atendente' })
  const whom = dialog.getByLabel('Atendente: Falar com gente')
  const offered = await whom.locator('option').allInnerTexts()
  expect(offered).toEqual(expect.arrayContaining(['Qualquer um da fila', 'Bruno Lima', 'Helena Prado']))
  expect(offered).not.toContain('Carla Mendes')
  await whom.selectOption({ label: 'Bruno Lima' })
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { queueIds } = (await on.ask('GET', `/users/${bruno.id}`)).body
  const left = queueIds.filter((id: number) => id !== financeiro)
  expect((await on.ask('PUT', `/users/${bruno.id}`, { queueIds: left })).status).toBe(200)
  await edit()
  const wrong = dialog.getByRole('alert').filter({ hasText: 'Bruno Lima não atende esta fila' })
  await wrong.waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  await wrong.scrollIntoViewIfNeeded()
  await admin.shot('option-person-narrow')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await admin.shot('option-person-dark')
  await whom.selectOption({ label: 'Qualquer um da fila' })
  await wrong.waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(admin.wrong).toEqual([])
}, 60_000)
