import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf } from '#tests/support/axe.ts'
import { type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

it('a supervisor saves a filter, opens it again, renames and deletes it (V25)', async () => {
  const admin = await on.enter('admin@demo.test', { at: '/reports?onlyRated=true&sort=NPS' })
  const { page } = admin
  const menu = page.getByRole('button', { name: 'Filtros salvos' })
  await menu.click()
  await page.getByText('Nenhum filtro salvo ainda').waitFor()
  await admin.shot('report-filters-none')
  await page.getByRole('menuitem', { name: 'Salvar este filtro…' }).click()
  const form = page.getByRole('dialog', { name: 'Salvar filtro' })
  await form.getByLabel('Nome').fill('Só avaliados')
  await admin.shot('report-filter-form')
  expect(await faultsOf(page, 'report-filter-form')).toEqual([])
  await form.getByRole('button', { name: 'Salvar' }).click()
  await form.waitFor({ state: 'detached' })

  await page.goto('/reports')
  await menu.click()
  await admin.shot('report-filters-menu')
  expect(await faultsOf(page, 'report-filters-menu')).toEqual([])
  await page.getByRole('menuitem', { name: 'Só avaliados' }).click()
  await expect.poll(() => page.url()).toContain('onlyRated=true')
  expect([page.url().includes('sort=NPS'), page.url().includes('dateFrom')]).toEqual([true, false]) // this month stays relative
  await page.reload()
  await expect.poll(() => page.getByRole('checkbox', { name: 'Só avaliados' }).isChecked()).toBe(true)

  await menu.click()
  await page.getByRole('menuitem', { name: 'Gerenciar filtros…' }).click()
  const list = page.getByRole('dialog', { name: 'Filtros salvos do relatório' })
  await list.getByRole('button', { name: 'Editar: Só avaliados' }).click()
  const edited = page.getByRole('dialog', { name: 'Editar filtro' })
  await edited.getByLabel('Nome').fill('Notas do mês')
  await edited.getByText('Compartilhar com todos os supervisores').click()
  await edited.getByRole('button', { name: 'Salvar' }).click()
  await edited.waitFor({ state: 'detached' })
  await list.getByText('Este mês · Compartilhado').waitFor()
  await admin.shot('report-filters-list')
  expect(await faultsOf(page, 'report-filters-list')).toEqual([])
  await list.getByRole('button', { name: 'Excluir: Notas do mês' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Excluir' }).click()
  await list.getByText('Nenhum filtro salvo ainda').waitFor()
  expect(admin.wrong).toEqual([])
})

it('the list of filters fits a narrow screen, also in the dark', async () => {
  const admin = await on.enter('admin@demo.test', { width: 390, height: 844, theme: 'dark', at: '/reports' })
  const { page } = admin
  await page.getByRole('button', { name: 'Filtros salvos' }).click()
  await page.getByRole('menuitem', { name: 'Salvar este filtro…' }).click()
  const form = page.getByRole('dialog', { name: 'Salvar filtro' })
  await form.getByLabel('Nome').fill('Um nome de filtro bastante comprido para caber na tela')
  await form.getByRole('button', { name: 'Salvar' }).click()
  await form.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Filtros salvos' }).click()
  await page.getByRole('menuitem', { name: 'Gerenciar filtros…' }).click()
  await page.getByRole('dialog', { name: 'Filtros salvos do relatório' }).getByText('Só você vê').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await admin.shot('report-filters-narrow')
  expect(await faultsOf(page, 'report-filters-narrow')).toEqual([])
  expect(admin.wrong).toEqual([])
})
