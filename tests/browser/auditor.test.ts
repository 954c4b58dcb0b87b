import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

const writes = /^(novo|nova|adicionar|editar|excluir|iniciar|conversar|salvar|aceitar)/i
const screens = {
  '/tickets': 'Novo atendimento',
  '/contacts': /contato$/,
  '/tags': /^Excluir|^Editar/,
  '/quick-messages': /^Excluir|^Editar/,
}

async function come(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('main').waitFor()
  await (path === '/tickets' ? page.getByRole('tablist') : page.getByRole('main').getByRole('row').nth(1)).first().waitFor()
}
/** The names of all buttons on the screen. */
async function pressed(page: Page): Promise<string[]> {
  const buttons = await page.getByRole('main').getByRole('button').all()
  return Promise.all(buttons.map(async (one) => (await one.getAttribute('aria-label')) ?? (await one.innerText()).trim()))
}

it('a user with only the auditor’s flag sees no writing button on any screen', async () => {
  const [ana, otavio] = [await on.enter('ana@demo.test'), await on.enter('auditor@demo.test')]
  for (const [path, name] of Object.entries(screens)) {
    for (const { page } of [ana, otavio]) await come(page, path)
    await expect.poll(async () => (await pressed(ana.page)).some((one) => one.match(name))).toBe(true)
    const his = await pressed(otavio.page)
    expect({ path, writes: his.filter((one) => writes.test(one)) }).toEqual({ path, writes: [] })
    await otavio.shot(`auditor${path.replaceAll('/', '-')}`)
    await otavio.page.keyboard.press('n')
    expect(await otavio.page.getByRole('dialog').count()).toBe(0)
  }
  await otavio.page.goto('/history')
  await otavio.page.getByRole('main').getByRole('row').nth(1).waitFor()
  expect(otavio.wrong).toEqual([])
})
