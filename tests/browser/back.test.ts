import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accept, bubble, choose, chooseOf, type Scene, scene, write } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

const titled = (page: Page, title: string | RegExp) => page.getByRole('heading', { name: title })
const entries = (page: Page) => page.evaluate(() => history.length)

it('Back closes the palette, the shortcuts and each dialog, and the ticket below stays', async () => {
  const before = await on.says({ name: 'Ivo Antes', number: '5511944481001' }, 'Antes')
  const { uuid } = await on.says({ name: 'Lia Volta', number: '5511944481002' }, 'Aqui')
  const ana = await on.enter('ana@demo.test', { at: '/tickets' })
  const { page } = ana
  for (const name of ['Ivo Antes', 'Lia Volta']) {
    await page.getByRole('tab', { name: /Aguardando/ }).click()
    await page.locator('[data-part=card]').filter({ hasText: name }).locator('[data-part=card-name]').click()
    await page.locator('[data-part=head]').getByRole('heading', { name }).waitFor()
    await accept(page)
  }
  await write(page, 'Minha resposta')
  await bubble(page, 'Minha resposta').waitFor()
  const count = await entries(page)
  const closes = async (shown: ReturnType<Page['locator']>) => {
    await shown.waitFor()
    await page.goBack()
    await shown.waitFor({ state: 'detached' })
    expect(page.url()).toContain(uuid)
  }

  await page.keyboard.press('Control+k')
  await closes(page.locator('[data-part=palette]'))
  await page.keyboard.press('Control+/')
  await closes(page.getByRole('dialog'))
  await choose(page, 'Minha resposta', 'Apagar')
  await closes(titled(page, 'Apagar mensagem · Lia Volta'))
  await choose(page, 'Minha resposta', 'Encaminhar')
  await closes(titled(page, 'Encaminhar da conversa com Lia Volta'))
  await chooseOf(page, 'Imprimir')
  await closes(page.getByRole('dialog'))
  await choose(page, 'Minha resposta', 'Editar')
  await titled(page, 'Editar mensagem · Lia Volta').waitFor()
  await page.getByRole('dialog').getByRole('textbox').fill('Outra resposta')
  await page.goBack()
  await page.getByRole('dialog').getByText('Descartar o que você digitou?').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Descartar' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(page.url()).toContain(uuid)
  expect(await entries(page)).toBeLessThanOrEqual(count + 2) // the forward entries of one overlay

  // a dialog closes with its ticket, and leads back to no overlay
  const toFirst = async () => {
    await page.keyboard.press('Control+k')
    await page.locator('[data-part=palette]').getByRole('combobox').fill('Ivo Antes')
    await page.locator(`[data-part=palette] #ticket-${before.id}`).click()
  }
  const isAt = (name: string) => page.locator('[data-part=head]').getByRole('heading', { name }).waitFor()
  await choose(page, 'Minha resposta', 'Encaminhar')
  await page.getByRole('dialog').waitFor()
  await toFirst()
  await isAt('Ivo Antes')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.goBack()
  await isAt('Lia Volta')
  await choose(page, 'Minha resposta', 'Editar')
  await page.getByRole('dialog').getByRole('textbox').fill('Texto que some')
  await toFirst()
  await page.getByRole('dialog').getByRole('button', { name: 'Descartar' }).click()
  await isAt('Ivo Antes')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.goBack()
  await isAt('Lia Volta')
  await page.goBack()
  await isAt('Ivo Antes')
  expect(ana.wrong).toEqual([])
})

it('Back closes a confirmation and the menu of a phone, and a link in the menu leaves no entry', async () => {
  await on.ask('POST', '/tags', { name: 'Tag que fica', color: '#345612' })
  const admin = await on.enter('admin@demo.test', { width: 390, height: 844, touch: true, at: '/queues' })
  const { page } = admin
  const menu = page.locator('[data-part=menu]')
  const openMenu = () => page.locator('[data-part=topbar]').getByRole('button', { name: 'Menu' }).click()
  await openMenu()
  await menu.getByRole('link', { name: 'Tags', exact: true }).click()
  await page.waitForURL(/\/tags$/)
  await page.goBack()
  await page.waitForURL(/\/queues$/)
  await page.goForward()
  await page.waitForURL(/\/tags$/)
  await openMenu()
  await menu.getByRole('link', { name: 'Tags', exact: true }).waitFor()
  await page.goBack()
  await menu.getByRole('link', { name: 'Tags', exact: true }).waitFor({ state: 'hidden' })
  expect(page.url()).toMatch(/\/tags$/)

  await page
    .getByRole('row')
    .filter({ hasText: 'Tag que fica' })
    .getByRole('button', { name: /Excluir/ })
    .click()
  await page.getByRole('alertdialog').waitFor()
  await page.goBack()
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  expect(page.url()).toMatch(/\/tags$/)
  await page.getByRole('row').filter({ hasText: 'Tag que fica' }).waitFor()
  expect(admin.wrong).toEqual([])
})

it('Back closes an open menu of a touch screen, and a menu’s item leaves no entry', async () => {
  const { uuid } = await on.says({ name: 'Mona Menu', number: '5511944481003' }, 'Escrevo daqui')
  const ana = await on.enter('ana@demo.test', { width: 390, height: 844, touch: true, at: '/tickets' })
  const { page } = ana
  await page.getByRole('tab', { name: /Aguardando/ }).click()
  await page.locator('[data-part=card]').filter({ hasText: 'Mona Menu' }).locator('[data-part=card-name]').click()
  await accept(page)
  const more = page.locator('[data-part=head]').getByRole('button', { name: 'Mais ações' })
  const item = page.getByRole('menuitem', { name: 'Registro do atendimento' })
  const closes = async (shown: ReturnType<Page['locator']>) => {
    await shown.waitFor()
    await page.goBack()
    await shown.waitFor({ state: 'detached' })
    expect(page.url()).toContain(uuid)
  }
  await more.click()
  await closes(item)
  await bubble(page, 'Escrevo daqui').locator('[data-part=bubble-more]').dispatchEvent('click')
  await closes(page.getByRole('group', { name: 'Reagir' }))
  await more.click()
  await item.click()
  await closes(titled(page, /Registro/))
  await more.click()
  await item.waitFor()
  await page.keyboard.press('Escape')
  await item.waitFor({ state: 'detached' })
  await page.goBack()
  await page.waitForURL(/\/tickets$/)
  expect(ana.wrong).toEqual([])
})
