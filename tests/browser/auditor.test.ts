import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
}, 120_000)
afterAll(() => on?.clear(), 40_000)

const writes = /^(novo|nova|adicionar|editar|excluir|iniciar|conversar|salvar|aceitar)/i
const screens = {
  '/tickets': 'Novo atendimento',
  '/contacts': /contato$/,
  '/tags': /^Excluir|^Editar/,
  '/quick-messages': /^Excluir|^Editar/,
}

/** What one may press on a screen, once its rows are there. */
async function pressed(page: Page, path: string): Promise<string[]> {
  await page.goto(path)
  await page.getByRole('main').waitFor()
  if (path !== '/tickets') await page.getByRole('main').getByRole('row').nth(1).waitFor()
  const buttons = await page.getByRole('main').getByRole('button').all()
  return Promise.all(buttons.map(async (one) => (await one.getAttribute('aria-label')) ?? (await one.innerText()).trim()))
}

it('who has the auditor’s flag alone meets no button that writes, on any screen', async () => {
  const [ana, otavio] = [await on.enter('ana@demo.test'), await on.enter('auditor@demo.test')]
  for (const [path, name] of Object.entries(screens)) {
    const hers = await pressed(ana.page, path)
    expect({ path, hers: hers.filter((one) => one.match(name)) }).not.toEqual({ path, hers: [] })
    const his = await pressed(otavio.page, path)
    expect({ path, writes: his.filter((one) => writes.test(one)) }).toEqual({ path, writes: [] })
    await otavio.shot(`auditor${path.replaceAll('/', '-')}`)
    await otavio.page.keyboard.press('n')
    expect(await otavio.page.getByRole('dialog').count()).toBe(0)
  }
  await otavio.page.goto('/history')
  await otavio.page.getByRole('main').getByRole('row').nth(1).waitFor()
  expect(otavio.wrong).toEqual([])
}, 90_000)
