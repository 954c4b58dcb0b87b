import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { holdBack } from '#tests/support/late.ts'
import { eventually } from '#tests/support/wait.ts'
import { accept, type Scene, scene, words } from './scene.ts'

/* What was begun in one ticket while the agent moves on to another. */

let on: Scene
let ana: Person
let scripts: Awaited<ReturnType<typeof holdBack>>
const iara = { name: 'Iara Deixada', number: '5511944490101' }
const caio = { name: 'Caio Seguinte', number: '5511944490102' }
let first: { id: number; uuid: string }
let second: { id: number; uuid: string }

beforeAll(async () => {
  on = await scene()
  second = await on.says(caio, 'Oi')
  first = await on.says(iara, 'Bom dia')
  ana = await on.enter('ana@demo.test', { at: `/tickets/${second.uuid}` })
  await accept(ana.page)
  scripts = await holdBack(ana.context, '**/assets/*.js')
  await ana.page.goto(`/tickets/${first.uuid}`)
  await accept(ana.page)
})
afterAll(() => on?.clear())
beforeEach(() => to(iara, first))

async function to({ name }: { name: string }, { uuid }: { uuid: string }): Promise<void> {
  if (!ana.page.url().endsWith(uuid)) await ana.page.getByRole('link', { name, exact: true }).first().click()
  await ana.page.waitForURL(new RegExp(uuid))
  await ana.page.locator('[data-part=composer]:not([data-early])').waitFor()
}
const got = async ({ number }: { number: string }) => (await on.got(number)).map(({ body }) => body.replace(/^\*.*\*\n/, ''))

it('a dialog whose script is late does not open over the next ticket', async () => {
  const { page } = ana
  await words(page).fill('Seu pedido saiu')
  await page.keyboard.press('Enter')
  await eventually(
    () => got(iara),
    (all) => all.length === 1,
  )
  await page.reload() // no dialog has been open in this page
  await page.locator('[data-part=composer]:not([data-early]) textarea:focus').waitFor()
  const release = scripts.hold()
  onTestFinished(release)
  const late = page.waitForResponse(/\/assets\/Dialogs-/)
  await page.keyboard.press('Alt+Shift+O')
  await page.getByRole('link', { name: caio.name, exact: true }).first().click()
  await page.locator('[data-part=composer]:not([data-early]) textarea:focus').waitFor()
  await page.keyboard.type('chave 4411')
  expect([page.url().endsWith(second.uuid), await words(page).inputValue()]).toEqual([true, 'chave 4411'])
  release()
  await (await late).finished()
  await page.keyboard.press('Enter')
  await eventually(
    () => got(caio),
    (all) => all.length === 1,
  )
  expect([await got(caio), await got(iara), await page.getByRole('dialog').count()]).toEqual([['chave 4411'], ['Seu pedido saiu'], 0])
})
