import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { holdBack } from '#tests/support/late.ts'
import { eventually } from '#tests/support/wait.ts'
import { accept, bubble, choose, type Scene, scene, words } from './scene.ts'

/* What was begun in one ticket while the agent moves on to another. */

let on: Scene
let ana: Person
let scripts: Awaited<ReturnType<typeof holdBack>>
let files: Awaited<ReturnType<typeof holdBack>>
let calls: Awaited<ReturnType<typeof holdBack>>
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
  files = await holdBack(ana.context, '**/api/media/**')
  calls = await holdBack(ana.context, '**/api/messages/forward')
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

it('a cancelled file list sends nothing once its files have loaded', async () => {
  const { page } = ana
  const { body: list } = await on.ask('POST', '/files', { name: 'Proposta', message: 'Segue a proposta', options: [] })
  const keeper = await on.keeper()
  const authorization = `Bearer ${await keeper.page.evaluate(() => localStorage.getItem('token'))}`
  const upload = { name: 'proposta.txt', mimeType: 'text/plain', buffer: Buffer.from('R$ 10') }
  const put = await keeper.context.request.post(`/api/files/uploadList/${list.id}`, {
    headers: { authorization },
    multipart: { files: upload },
  })
  expect(put.status()).toBe(200)
  const before = (await got(iara)).length
  await page.locator('[data-part=composer]').getByRole('button', { name: 'Anexar' }).click()
  await page.getByRole('menuitem', { name: /lista de arquivos/ }).click()
  const dialog = page.getByRole('dialog', { name: `Enviar arquivos a ${iara.name}` })
  await dialog.getByText('proposta.txt').first().waitFor()
  const release = files.hold()
  onTestFinished(release)
  const loaded = page.waitForResponse(/\/api\/media\//)
  await dialog.getByRole('button', { name: /Enviar 2/ }).click()
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await dialog.waitFor({ state: 'detached' })
  release()
  await (await loaded).finished()
  await words(page).fill('Só isto')
  await page.keyboard.press('Enter')
  await eventually(
    () => got(iara),
    (all) => all.includes('Só isto'),
  )
  expect((await got(iara)).slice(before)).toEqual(['Só isto'])
})

it('a cancelled forward stops at the next message, and says how many left', async () => {
  const { page } = ana
  for (const body of ['um', 'dois', 'três']) await on.says(iara, `parte ${body}`)
  await bubble(page, 'parte três').waitFor()
  await choose(page, 'parte um', 'Selecionar')
  for (const text of ['parte dois', 'parte três']) await bubble(page, text).click({ position: { x: 5, y: 5 }, force: true })
  await page.locator('[data-part=picked]').getByRole('button', { name: 'Encaminhar' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill(caio.name)
  await dialog
    .getByRole('button', { name: new RegExp(caio.name) })
    .first()
    .click()
  const release = calls.hold()
  onTestFinished(release)
  await page.keyboard.press('Control+Enter')
  await dialog.getByText('Encaminhando: 1 de 3').waitFor()
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await dialog.waitFor({ state: 'detached' })
  release()
  await page.getByText('1 de 3 encaminhadas; o resto foi cancelado').waitFor()
  expect((await got(caio)).filter((body) => body.startsWith('parte'))).toEqual(['parte um'])
  await page.keyboard.press('Escape')
  await words(page).waitFor()
})

it('a quick reply waits for its file, which leaves with its text', async () => {
  const { page } = ana
  const keeper = await on.keeper()
  const authorization = `Bearer ${await keeper.page.evaluate(() => localStorage.getItem('token'))}`
  const file = { name: 'contrato.txt', mimeType: 'text/plain', buffer: Buffer.from('cláusula 1') }
  const { body: reply } = await on.ask('POST', '/quick-messages', {
    shortcode: 'contrato',
    message: 'Segue o contrato',
    geral: true,
    visao: true,
  })
  const put = await keeper.context.request.post(`/api/quick-messages/${reply.id}/media-upload`, {
    headers: { authorization },
    multipart: { file },
  })
  expect(put.status()).toBe(200)
  const before = (await got(iara)).length
  const release = files.hold()
  onTestFinished(release)
  await words(page).fill('/contrato')
  await page.getByRole('option', { name: /contrato/ }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => words(page).inputValue()).toBe('Segue o contrato')
  await page.keyboard.press('Enter')
  await page.locator('[data-part=files]').getByText('contrato.txt').waitFor()
  release()
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await eventually(
    () => on.got(iara.number),
    (all) => all.length > before,
  )
  expect((await on.got(iara.number)).slice(before).map(({ mime, body }) => [mime, body.includes('Segue o contrato')])).toEqual([
    ['text/plain', true],
  ])
})

it('the quote of a message that is not loaded is shown before it is sent', async () => {
  const { page } = ana
  await choose(page, 'Bom dia', 'Responder')
  const quote = page.locator('[data-part=composer] [data-part=quote]')
  await quote.getByText('Bom dia').waitFor()
  for (let n = 0; n < 45; n++)
    await on.ask('POST', '/sandbox/1/inbound', { id: `many-${n}`, from: iara.number, name: iara.name, body: `linha ${n}` })
  await bubble(page, 'linha 44').waitFor()
  await page.reload()
  await bubble(page, 'linha 44').waitFor()
  await quote.getByText('Bom dia').waitFor()
  await ana.shot('quote-earlier')
  await quote.getByRole('button', { name: 'Cancelar' }).click()
  await quote.waitFor({ state: 'detached' })
  expect(ana.wrong).toEqual([])
})
