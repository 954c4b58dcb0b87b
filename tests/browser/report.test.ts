import excel from 'exceljs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf } from '#tests/support/axe.ts'
import { type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

const customers = Array.from({ length: 6 }, (_, n) => ({ name: `Relato ${n + 1}`, number: `551191234000${n}` }))

it('a supervisor filters, sorts and exports the report (R-REPORT-01, R-REPORT-02)', async () => {
  for (const customer of customers) await on.says(customer, `Olá de ${customer.name}`)
  const admin = await on.enter('admin@demo.test', { at: '/reports' })
  const { page } = admin
  const rows = page.getByRole('table', { name: 'Relatório de atendimentos' }).locator('tbody tr')
  const total = page.locator('[data-part=report-total]')
  await rows.first().waitFor()
  await admin.shot('report')
  expect(await faultsOf(page, 'report')).toEqual([])

  await page.getByRole('searchbox').fill('Relato')
  await page.getByText('6 atendimentos', { exact: true }).waitFor()
  await page.getByLabel('Por página').selectOption('5')
  await expect.poll(() => rows.count()).toBe(5)
  await page.getByRole('button', { name: 'Próxima página' }).click()
  await expect.poll(() => rows.count()).toBe(1)
  await page.reload()
  await page.getByText('Página 2 de 2').waitFor()
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByRole('columnheader', { name: 'Contato' }).getByRole('button').click()
  await expect.poll(() => rows.first().innerText()).toContain('Relato 1')
  expect(await page.getByRole('columnheader', { name: 'Contato' }).getAttribute('aria-sort')).toBe('ascending')

  await page.getByRole('searchbox').fill('')
  await page.getByRole('group', { name: 'Filtros' }).getByRole('button', { name: 'Contato', exact: true }).click()
  await page.getByPlaceholder('Nome ou número, ao menos 3 caracteres').fill('Relato 4')
  await page.getByRole('region', { name: 'Contato' }).getByRole('button', { name: 'Relato 4' }).click()
  await page.getByText('1 atendimento', { exact: true }).waitFor()
  await page.reload()
  await page.getByText('Contato: Relato 4').waitFor() // R-REPORT-03: kept in the address, with the name
  await page.getByRole('button', { name: 'Remover filtro' }).click()
  await page.getByRole('searchbox').fill('Relato')
  await page.getByText('6 atendimentos', { exact: true }).waitFor()

  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Exportar Excel (6)' }).click()])
  expect(download.suggestedFilename()).toBe('relatorio-de-atendimentos.xlsx')
  const book = new excel.Workbook()
  await book.xlsx.readFile(await download.path())
  const names: unknown[] = []
  book.worksheets[0]!.eachRow((row, n) => n > 1 && names.push(row.getCell(2).value))
  expect(names).toEqual(customers.map(({ name }) => name))
  await page.getByText('Arquivo salvo').waitFor()

  const held = Promise.withResolvers<void>()
  await page.route('**/ticketreport/reports/export*', async (route) => {
    await held.promise
    await route.abort().catch(() => {})
  })
  await page.getByRole('button', { name: 'Exportar Excel (6)' }).click()
  await page.getByRole('button', { name: 'Cancelar exportação' }).click()
  await page.getByText('Exportação cancelada').waitFor()
  held.resolve()

  await rows
    .first()
    .getByRole('button', { name: /^Registros do atendimento/ })
    .click()
  await page.getByRole('dialog').getByText('Relato 1').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await page.getByRole('group', { name: 'Filtros' }).getByRole('button', { name: 'Situação atual' }).click()
  await page.locator('label').filter({ hasText: 'Resolvido' }).click() // Playwright waits until the list has finished opening
  await page.getByText('Nenhum atendimento com esses filtros').waitFor()
  await page.keyboard.press('Escape')
  expect(page.url()).toContain('status=closed')
  await admin.shot('report-none')
  await page.getByRole('button', { name: 'Limpar filtros' }).first().click()
  await rows.first().waitFor()
  expect(new URL(page.url()).searchParams.has('status')).toBe(false)
  expect(await total.innerText()).not.toBe('6 atendimentos')

  expect(admin.wrong).toEqual([])
  await page.route('**/api/ticketreport/reports?*', (route) =>
    route.fulfill({ status: 500, json: { error: 'ERR_INTERNAL', message: 'x' } }),
  )
  await page.getByLabel('Data').selectOption({ label: 'Finalizados no período' })
  await page.getByRole('alert').getByRole('button').first().waitFor()
  await admin.shot('report-failed')
  await page.unroute('**/api/ticketreport/reports?*')
  await page.goto('/reports?searchParam=Relato%203')
  await rows.filter({ hasText: 'Relato 3' }).click()
  await page.waitForURL(/\/tickets\/[0-9a-f-]{36}$/)
})

it('a narrow screen shows cards, also in the dark', async () => {
  const admin = await on.enter('admin@demo.test', { width: 390, height: 844, theme: 'dark', at: '/reports?searchParam=Relato' })
  const { page } = admin
  await page.getByText('6 atendimentos', { exact: true }).waitFor()
  const card = page.locator('tbody tr').first()
  await card.waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await admin.shot('report-narrow')
  const heights = await card.locator('td').evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().height))
  expect(Math.max(...heights)).toBeLessThan(60) // no value is squeezed into a narrow column
  await page.getByLabel('Ordenar por').selectOption({ label: 'Contato' })
  await expect.poll(() => page.url()).toContain('sort=contactName')
  expect(await faultsOf(page, 'report')).toEqual([])
  expect(admin.wrong).toEqual([])
})
