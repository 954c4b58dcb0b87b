import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf } from '#tests/support/axe.ts'
import { type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

const menuOf = async (page: Page, name: string): Promise<Locator> => {
  await page.getByRole('searchbox').fill(name)
  const row = page.getByRole('row', { name: new RegExp(name) })
  await row.getByRole('button', { name: `Dados da pessoa: ${name}` }).click()
  return row
}

it('an admin erases a person and exports another (A-ERASE-01, A-ERASE-07)', async () => {
  const dirce = { name: 'Dirce Apagada', number: '5511944480071' }
  const ticket = await on.says(dirce, 'Esqueçam o que escrevi')
  expect((await on.ask('POST', '/contacts', { name: 'Edu Exportado', number: '5511944480072' })).status).toBe(200)
  const admin = await on.enter('admin@demo.test', { at: '/contacts' })
  const { page } = admin

  await page.getByRole('button', { name: 'Pedidos de dados' }).click()
  const list = page.getByRole('dialog', { name: 'Pedidos de dados' })
  await list.getByText('Nenhum pedido ainda').waitFor()
  await admin.shot('data-requests-empty')
  await page.keyboard.press('Escape')

  const row = await menuOf(page, dirce.name)
  await admin.shot('person-data-menu')
  await page.getByRole('menuitem', { name: 'Apagar dados da pessoa…' }).click()
  const dialog = page.getByRole('dialog', { name: `Apagar os dados de ${dirce.name}` })
  await dialog.getByRole('alert').getByText('um atendimento que ainda não terminou').waitFor()
  expect(await dialog.getByRole('link', { name: 'Abrir o atendimento' }).getAttribute('href')).toBe(`/tickets/${ticket.uuid}`)
  expect(await dialog.getByRole('button', { name: 'Apagar para sempre' }).count()).toBe(0)
  await admin.shot('erase-refused')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(`Dados da pessoa: ${dirce.name}`)

  const queues = (await on.ask('GET', '/queue')).body as { id: number }[]
  for (const change of [{ status: 'open', queueId: queues[0]!.id }, { status: 'closed' }])
    expect((await on.ask('PUT', `/tickets/${ticket.id}`, change)).status).toBeLessThan(300)
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Apagar dados da pessoa…' }).click()
  await dialog.locator('[data-part=erasure-places]').getByText('Atendimentos', { exact: true }).waitFor()
  const erase = dialog.getByRole('button', { name: 'Apagar para sempre' })
  const field = dialog.getByLabel(`Digite ${dirce.name} para confirmar`)
  await field.fill('Dirce')
  expect(await erase.isDisabled()).toBe(true)
  expect(await faultsOf(page, 'erase')).toEqual([])
  await admin.shot('erase-preview')
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await admin.shot('erase-preview-narrow')
  await page.setViewportSize({ width: 1280, height: 800 })
  await field.fill(dirce.name)
  await field.press('Enter')
  await dialog.locator('[data-part=data-request]').waitFor()
  await dialog.getByText('Os dados foram apagados.').waitFor()
  await admin.shot('erased')
  const [receipt] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Baixar o recibo' }).click()])
  expect(receipt.suggestedFilename()).toMatch(/^recibo-\d+\.json$/)
  const text = readFileSync(await receipt.path(), 'utf8')
  expect(JSON.parse(text)).toMatchObject({ format: 'guiche-erasure-receipt', removed: { tickets: 1 } })
  expect(text).not.toContain('Dirce')
  await page.keyboard.press('Escape')
  await row.waitFor({ state: 'detached' })

  await menuOf(page, 'Edu Exportado')
  await page.getByRole('menuitem', { name: 'Exportar dados da pessoa…' }).click()
  const exporting = page.getByRole('dialog', { name: 'Exportar os dados de Edu Exportado' })
  await exporting.getByText('disponível por 7 dias').waitFor()
  await exporting.getByRole('button', { name: 'Exportar' }).click()
  await exporting.getByText('O arquivo está pronto.').waitFor()
  await exporting.getByText('Será removido em').waitFor()
  await admin.shot('exported')
  const [file] = await Promise.all([page.waitForEvent('download'), exporting.getByRole('button', { name: /Baixar o arquivo/ }).click()])
  expect(file.suggestedFilename()).toMatch(/^dados-\d+\.zip$/)
  expect(
    readFileSync(await file.path())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Pedidos de dados' }).click()
  const rows = list.locator('[data-part=data-requests] li')
  await expect.poll(() => rows.count()).toBe(2)
  expect(await rows.nth(0).innerText()).toContain('Edu Exportado')
  expect(await rows.nth(1).locator('[data-part=erased]').innerText()).toBe('Apagado')
  await rows.nth(1).getByRole('button', { name: 'Baixar o recibo' }).waitFor()
  expect(await faultsOf(page, 'data requests')).toEqual([])
  await admin.shot('data-requests')
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await admin.shot('data-requests-narrow-dark')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.keyboard.press('Escape')

  await page.goto(`/tickets/${ticket.uuid}`)
  await page.locator('[data-part=written] [data-part=erased]').first().waitFor()
  await page.locator('[data-part=head-name] [data-part=erased]').waitFor()
  await admin.shot('erased-ticket')
  expect(admin.wrong).toEqual([])
})
