import { afterAll, beforeAll, expect, it } from 'vitest'
import { accept, type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

it('news waits above the list while the pointer is over it, and a click shows it', async () => {
  const nara = { name: 'Nara Primeira', number: '5511944482001' }
  const admin = await on.enter('admin@demo.test', { at: '/tags' })
  const { page } = admin
  for (const customer of [nara, { name: 'Nilo Segundo', number: '5511944482002' }]) {
    const { uuid } = await on.says(customer, 'Bom dia')
    await page.goto(`/tickets/${uuid}`)
    await accept(page)
  }
  await page.getByRole('tab', { name: /Atendendo/ }).click()
  const first = page.locator('[data-part=card]').first()
  await first.filter({ hasText: 'Nilo Segundo' }).hover()
  await on.says(nara, 'Ainda espero')
  const pill = page.getByRole('button', { name: '1 nova', exact: true })
  await pill.waitFor()
  await first.filter({ hasText: 'Nilo Segundo' }).waitFor() // no card moves under the pointer
  await admin.shot('list-news')
  await pill.click()
  await first.filter({ hasText: 'Ainda espero' }).waitFor()
  await pill.waitFor({ state: 'detached' })
  expect(admin.wrong).toEqual([])
})

it('a filter by agent says that it needs the tickets of all, and offers them', async () => {
  const { uuid } = await on.says({ name: 'Fani Filtrada', number: '5511944482003' }, 'É com a Ana')
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${uuid}` })
  await accept(ana.page)
  const admin = await on.enter('admin@demo.test', { at: '/tickets' })
  const { page } = admin
  await page.getByRole('tab', { name: /Atendendo/ }).click()
  await page.getByRole('button', { name: /^Filtros/ }).click()
  await page.getByRole('group', { name: 'Filtros' }).getByLabel('Ana Souza').check({ force: true })
  await page.keyboard.press('Escape')
  await page.getByText(/Sem “Ver de todos”, a lista só tem os seus atendimentos/).waitFor()
  await admin.shot('list-own-only')
  await page.getByRole('button', { name: 'Ver de todos' }).click()
  await page.getByRole('link', { name: 'Fani Filtrada' }).waitFor()
  expect([ana.wrong, admin.wrong]).toEqual([[], []])
})
