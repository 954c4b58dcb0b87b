import pg from 'pg'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { eventually } from '#tests/support/wait.ts'
import { accept, bubble, choose, chooseOf, type Scene, scene, write } from './scene.ts'

/* A conversation is printed completely, however little of it is on screen. */
let on: Scene
let ana: Person
const customer = { name: 'Paula Papel', number: '5511944470001' }
let ticket: { id: number; uuid: string }
const many = 150

beforeAll(async () => {
  on = await scene()
  const png = await sharp({ create: { width: 64, height: 40, channels: 3, background: '#2a7' } })
    .png()
    .toBuffer()
  ticket = await on.says(customer, 'Palavra número 0')
  ana = await on.enter('ana@demo.test', { at: `/tickets/${ticket.uuid}` })
  await bubble(ana.page, 'Palavra número 0').waitFor()
  await accept(ana.page)
  for (let from = 1; from < many; from += 25)
    await Promise.all(
      Array.from({ length: Math.min(25, many - from) }, (_, i) =>
        on.ask('POST', '/sandbox/1/inbound', {
          id: `p-${from + i}`,
          from: customer.number,
          name: customer.name,
          body: `Palavra número ${from + i}`,
        }),
      ),
    )
  await on.says(customer, '', { mediaType: 'image', mediaUrl: `data:image/png;base64,${png.toString('base64')}` })
  await eventually(
    async () => (await on.ask('GET', `/messages/${ticket.id}`)).body.messages.at(-1),
    (last) => last?.mediaType === 'image',
  )
})
afterAll(() => on?.clear())

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Imprimir ou salvar em PDF' })
const ready = (page: Page) => dialog(page).getByRole('button', { name: 'Imprimir ou salvar', exact: true }).and(page.locator(':enabled'))
const paper = (page: Page) => page.locator('[data-part=print-sheet]')

it('the print-out has every message with sender, time and state, and opens the print dialog', async () => {
  const { page } = ana
  const told = (await page.evaluate(() => localStorage.getItem('token')))!
  const said = await fetch(`${on.on.server.url}/api/messages/${ticket.id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${told}`, 'content-type': 'application/json' },
    body: JSON.stringify({ body: 'Cuidado: só para nós', isPrivate: true }),
  })
  expect(said.status).toBe(200)
  await page.goto(`/tickets/${ticket.uuid}`)
  await bubble(page, 'Cuidado: só para nós').waitFor()
  expect(await bubble(page, 'Palavra número 0').count()).toBe(0) // it is not on screen
  await chooseOf(page, 'Imprimir ou salvar em PDF')
  await ready(page).waitFor()
  await ana.shot('paper-dialog')

  await page.evaluate(() => {
    Object.assign(window, { print: () => Object.assign(window, { printed: document.title }) })
  })
  await ready(page).click()
  expect(await page.evaluate(() => (window as unknown as { printed: string }).printed)).toBe(`Conversa Paula Papel #${ticket.id}`)

  await page.emulateMedia({ media: 'print' })
  const text = await paper(page).innerText()
  for (let i = 0; i < many; i++) expect(text).toMatch(new RegExp(`Palavra número ${i}\\b`))
  expect(text.match(/Palavra número 149\b/g)).toHaveLength(1)
  for (const part of [
    'Conversa com Paula Papel',
    '+55 11 94447-0001',
    `#${ticket.id} · ${ticket.uuid}`,
    'Suporte',
    'Ana Souza',
    'America/Sao_Paulo',
  ])
    expect(text).toContain(part)
  expect(text).toContain('Nota interna')
  expect(text).toContain('Cuidado: só para nós')
  expect(
    await paper(page)
      .locator('img')
      .evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth)),
  ).toEqual([64])
  expect(await page.locator('#root').isVisible()).toBe(false)
  await ana.shot('paper')

  const pdf = await page.pdf({ preferCSSPageSize: true })
  expect(pdf.toString('latin1').match(/\/Type \/Page\b(?!s)/g)!.length).toBeGreaterThan(4)
  if (process.env.GUICHE_SHOTS) await (await import('node:fs/promises')).writeFile(`${process.env.GUICHE_SHOTS}/paper.pdf`, pdf)
  await page.emulateMedia({ media: null })
  expect(ana.wrong).toEqual([])
})

it('the print-out omits internal notes on request, and states it', async () => {
  const { page } = ana
  await dialog(page).getByText('Incluir as notas internas (1)').click()
  await dialog(page).getByText('151 mensagens prontas.').waitFor()
  await page.emulateMedia({ media: 'print' })
  const text = await paper(page).innerText()
  expect(text).not.toContain('Cuidado: só para nós')
  expect(text).toContain('As notas internas não fazem parte deste documento.')
  expect(text).toContain('Palavra número 0')
  await page.emulateMedia({ media: null })
})

it('a print-out is recorded in the ticket’s log and the security log', async () => {
  const { body } = await on.ask('GET', `/tickets-log/${ticket.id}`)
  expect(body.filter(({ way }: { way: string }) => way === 'print')).toMatchObject([{ type: 'access', user: { name: 'Ana Souza' } }])
  const told = (await on.ask('GET', '/security-log?kind=exported')).body.events
  expect(told.map(({ user, detail }: { user: { name: string }; detail: object }) => [user.name, detail])).toContainEqual([
    'Ana Souza',
    { ticket: ticket.uuid, format: 'pdf' },
  ])
})

it('the print-out shows its progress, can be cancelled, and retries after an error', async () => {
  const { page } = ana
  await dialog(page).getByRole('button', { name: 'Cancelar' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  await paper(page).waitFor({ state: 'detached' })

  const pages: string[] = []
  let hold = Promise.withResolvers<void>()
  await page.route(/\/api\/messages\/\d+\?pageNumber=/, async (route) => {
    pages.push(route.request().url())
    if (route.request().url().endsWith('pageNumber=2')) await hold.promise
    await route.continue().catch(() => undefined) // the page that asked may be closed
  })
  await chooseOf(page, 'Imprimir ou salvar em PDF')
  await dialog(page).getByText('40 de 152 mensagens').waitFor()
  await ana.shot('paper-gathering')
  expect(await ready(page).count()).toBe(0)
  await dialog(page).getByRole('button', { name: 'Cancelar' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  hold.resolve()

  await page.route(/pageNumber=3/, (route) => route.fulfill({ status: 500, json: { error: 'ERR_INTERNAL' } }))
  hold = Promise.withResolvers<void>()
  hold.resolve()
  await chooseOf(page, 'Imprimir ou salvar em PDF')
  await dialog(page).getByRole('alert').waitFor()
  await ana.shot('paper-failed')
  await page.unroute(/pageNumber=3/)
  await dialog(page).getByRole('button', { name: 'Tentar de novo' }).click()
  await ready(page).waitFor()
  await page.keyboard.press('Escape')
})

it('Ctrl+P opens the print-out, and the browser’s own print states its limits', async () => {
  const { page } = ana
  await page.goto(`/tickets/${ticket.uuid}`)
  await bubble(page, 'Palavra número 149').waitFor()
  await page.emulateMedia({ media: 'print' })
  await page.getByText('Aqui está só o que a tela mostrava.').waitFor()
  await page.emulateMedia({ media: null })
  await page.evaluate(() => {
    Object.assign(window, { print: () => Object.assign(window, { printed: document.title }) })
  })
  await page.getByRole('textbox', { name: 'Mensagem' }).press('Control+p')
  await ready(page).waitFor()
  expect(await dialog(page).evaluate((box) => box.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Control+p')
  expect(await page.evaluate(() => (window as unknown as { printed: string }).printed)).toBe(`Conversa Paula Papel #${ticket.id}`)
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByText('Aqui está só o que a tela mostrava.').isVisible()).toBe(false)
  await page.emulateMedia({ media: null })
  await dialog(page).getByRole('button', { name: 'Cancelar' }).click()
  await dialog(page).waitFor({ state: 'detached' })
})

it('the print-out marks edits and deletions, without the contact’s deleted text (A-LGPD-03)', async () => {
  const store = new pg.Client({ connectionString: on.on.databaseUrl })
  await store.connect()
  await store.query(
    `insert into company_setting (company_id, key, value)
      select 1, key, 'enabled' from unnest(array['enableLGPD', 'lgpdHideNumber', 'lgpdDeleteMessage']) key
      on conflict (company_id, key) do update set value = 'enabled'`,
  )
  await store.end()
  const said = (id: string, body: string, more: object = {}) =>
    on.ask('POST', '/sandbox/1/inbound', { id, from: customer.number, name: customer.name, body, ...more })
  await said('e-1', 'Chego às oito')
  await said('e-2', 'Chego às nove', { edits: 'e-1' })
  await said('d-1', 'Meu segredo de família')
  await said('d-2', '', { deletes: 'd-1' })
  const chief = await on.enter('ana@demo.test', { width: 390, height: 844, theme: 'dark', at: `/tickets/${ticket.uuid}` }) // her permissions are read again
  const { page } = chief
  await write(page, 'Isto sai logo')
  await bubble(page, 'Isto sai logo').waitFor()
  await choose(page, 'Isto sai logo', 'Apagar')
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Apagar', exact: true }).click()
  await bubble(page, 'Essa mensagem foi apagada').last().waitFor()
  await chooseOf(page, 'Imprimir ou salvar em PDF')
  await ready(page).waitFor()
  await chief.shot('paper-dialog-390-dark')
  await page.emulateMedia({ media: 'print' })
  const text = await paper(page).innerText()
  await chief.shot('paper-390-dark')
  expect(text).toMatch(/editada[^\n]*\n+Chego às nove/)
  expect(text).toContain('Essa mensagem foi apagada pelo contato')
  expect(text).toMatch(/Essa mensagem foi apagada$/m)
  for (const gone of ['Meu segredo de família', 'Chego às oito', 'Isto sai logo']) expect(text).not.toContain(gone)
  expect(text).not.toContain('94447-0001') // numbers are masked for her now (A-LGPD-04)
  expect(text).toMatch(/Número\s+\S*\*+/)
  await page.emulateMedia({ media: null })
  expect(chief.wrong).toEqual([])
  await chief.leave()
})

it('the print-out includes earlier tickets on request, each under its heading', async () => {
  expect((await on.ask('PUT', `/tickets/${ticket.id}`, { status: 'closed' })).status).toBe(200)
  const later = await on.says(customer, 'Voltei no outro dia')
  expect(later.uuid).not.toBe(ticket.uuid)
  const reader = await on.enter('admin@demo.test', { theme: 'dark' })
  const { page } = reader
  await page.addInitScript(() => localStorage.setItem('i18nextLng', 'tr'))
  await page.goto(`/tickets/${later.uuid}`)
  await bubble(page, 'Voltei no outro dia').waitFor()
  await page.keyboard.press('Control+p')
  const box = page.getByRole('dialog', { name: 'Yazdır veya PDF kaydet' })
  const go = box.getByRole('button', { name: 'Yazdır veya kaydet', exact: true }).and(page.locator(':enabled'))
  await go.waitFor()
  expect(await paper(page).textContent()).not.toContain('Palavra número')
  await box.getByText(/Önceki talepleri ekle/).click()
  await paper(page).getByText('Palavra número 0', { exact: true }).waitFor({ state: 'attached' })
  await go.waitFor()
  await reader.shot('paper-dialog-tr')
  await page.emulateMedia({ media: 'print' })
  const text = await paper(page).innerText()
  for (const part of ['Palavra número 149', 'Voltei no outro dia', `#${ticket.id}`, `#${later.id}`]) expect(text).toContain(part)
  expect(text.indexOf(`#${ticket.id}`)).toBeLessThan(text.indexOf('Palavra número 149'))
  expect(text.indexOf('Palavra número 149')).toBeLessThan(text.indexOf('Voltei no outro dia'))
  await reader.shot('paper-tr')
  await page.emulateMedia({ media: null })
  expect(reader.wrong).toEqual([])
})
