import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, signInAs } from '#tests/support/browser.ts'
import { eventually } from '#tests/support/wait.ts'
import { accept, bubble, choose, chooseOf, type Scene, scene, words } from './scene.ts'

let on: Scene
let bruno: Person
beforeAll(async () => {
  on = await scene()
  bruno = await on.enter('bruno@demo.test')
})
afterAll(() => on?.clear())

/** How far the content extends beyond the screen and beyond a dialog. A dialog that fits does not scroll. */
const beyond = (page: Page) =>
  page.evaluate(() => {
    const over = [...document.querySelectorAll('.bp6-overlay-scroll-container')]
    return [document.documentElement.scrollWidth - innerWidth, ...over.map((one) => one.scrollHeight - one.clientHeight)]
  })
/** Checks that nothing is beyond the edge of the screen, in both themes if pictures are taken. */
async function looked({ page }: Person, name: string): Promise<void> {
  expect(Math.max(...(await beyond(page))), name).toBeLessThanOrEqual(0)
  const folder = process.env.GUICHE_SHOTS
  if (!folder) return
  await mkdir(folder, { recursive: true })
  const wear = (theme: string) =>
    page.evaluate((now) => {
      document.documentElement.dataset.theme = now
      document.documentElement.classList.toggle('bp6-dark', now === 'dark')
    }, theme)
  const own = await page.evaluate(() => document.documentElement.dataset.theme!)
  for (const theme of ['light', 'dark']) {
    await wear(theme)
    await page.screenshot({ path: path.join(folder, `${name}-${theme}.png`), animations: 'disabled' })
  }
  await wear(own)
}
const toList = async (page: Page) => {
  const back = page.getByRole('button', { name: 'Voltar para a lista' })
  if (await back.isVisible()) await back.click()
  await page.locator('[data-part=card]').first().waitFor()
}
const send = (page: Page) => page.getByRole('button', { name: 'Enviar', exact: true }).click()
const head = (page: Page) => page.locator('[data-part=head]')

it.each([
  [390, 844, 'dark'],
  [768, 1024, 'light'],
  [1024, 768, 'dark'],
  [1440, 900, 'light'],
] as const)('an agent gets through a day at %i px', async (width, height, theme) => {
  const customer = { name: `Dalva do Dia ${width}`, number: `551194452${width}`.padEnd(13, '0') }
  const other = { name: `Raul Disputado ${width}`, number: `551194453${width}`.padEnd(13, '0') }
  await on.says(customer, 'Bom dia! Meu pedido 4711 ainda não chegou, podem verificar?')
  const disputed = await on.says(other, 'Alguém me atende?')
  const ana = await on.enter('ana@demo.test', { width, height, theme })
  const { page } = ana
  const look = (name: string) => looked(ana, `${width}-${name}`)

  await page.getByRole('tab', { name: /Aguardando/ }).click()
  await page.getByRole('link', { name: customer.name }).waitFor()
  await look('01-waiting')
  await page.getByRole('link', { name: customer.name }).click()
  await bubble(page, 'Meu pedido 4711').waitFor()
  await look('02-before')
  await accept(page)

  await words(page).fill('Bom dia, Dalva! Vou verificar agora.')
  await send(page)
  await bubble(page, 'Vou verificar agora').waitFor()
  await words(page).fill('/')
  await page.getByRole('option').first().waitFor()
  await look('03-quick')
  await words(page).press('Enter')
  await expect.poll(() => words(page).inputValue()).not.toMatch(/^\//)
  await send(page)

  const note = page.getByRole('button', { name: 'Nota interna', exact: true })
  await note.click()
  await words(page).fill('Cliente desde 2019, prioridade.')
  await look('04-note')
  await page.getByRole('button', { name: 'Salvar nota interna' }).click()
  await bubble(page, 'Cliente desde 2019').waitFor()
  await note.click()

  const at = path.join(on.on.dataDir, `comprovante de entrega do pedido 4711 ${width}.txt`)
  await writeFile(at, 'Saiu para entrega.')
  await page.locator('[data-part=composer] input[type=file]').setInputFiles([at])
  await words(page).fill('Segue o comprovante')
  await page.getByRole('list', { name: 'Anexos' }).waitFor()
  await look('05-file')
  await send(page)
  await bubble(page, 'Segue o comprovante').getByRole('link').waitFor()

  await page.getByRole('button', { name: 'Gravar áudio' }).click()
  const recorder = page.getByRole('group', { name: 'Gravando…' })
  await recorder.getByRole('timer').getByText('0:03').waitFor() // a shorter one may be too short to send
  await look('06-voice')
  await recorder.getByRole('button', { name: 'Enviar áudio' }).click()
  await page.getByRole('log').getByRole('button', { name: 'Ouvir' }).waitFor()

  await page.getByRole('button', { name: 'Emojis' }).click()
  const panel = page.getByRole('group', { name: 'Emojis' })
  await panel.getByText('Carregando emojis…').waitFor({ state: 'detached' })
  await look('07-emoji')
  await panel.getByRole('searchbox').fill('bolo de aniversário')
  await panel.getByRole('gridcell', { name: 'bolo de aniversário' }).first().click()
  await expect.poll(() => words(page).inputValue()).toBe('🎂')
  await words(page).press('Escape')
  await panel.waitFor({ state: 'detached' })
  await send(page)
  await bubble(page, '🎂').waitFor()
  await look('08-chat')

  await choose(page, 'Meu pedido 4711', 'Encaminhar')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('searchbox').or(dialog.getByRole('textbox')).first().fill(other.name)
  await dialog
    .getByRole('option', { name: other.name })
    .or(dialog.getByRole('button', { name: other.name }))
    .first()
    .click()
  await look('09-forward')
  await dialog.getByRole('button', { name: 'Cancelar' }).click()

  await chooseOf(page, 'Transferir')
  await dialog.getByRole('radio', { name: /Bruno Lima/ }).click()
  await dialog.getByLabel(/Mensagem interna/).fill('Já avisei que vai demorar')
  await look('10-transfer')
  await page.keyboard.press('Control+Enter')
  await page.getByText(`${customer.name}: transferido`).waitFor()
  await look('11-transferred')
  const card = bruno.page.locator('[data-part=card]').filter({ hasText: customer.name })
  await bruno.page.getByRole('tab', { name: /Atendendo/ }).click()
  await card.getByRole('img', { name: 'Transferido, ainda não lido' }).or(card.locator('[data-part=badge]')).first().waitFor()
  await looked(bruno, `${width}-12-handed`)
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await head(page).getByText('Em atendimento').waitFor()
  await card.waitFor({ state: 'detached' })

  await page.goto(`/tickets/${disputed.uuid}`)
  await page.getByRole('button', { name: 'Nota interna', exact: true }).click()
  await words(page).fill('Este cliente já ligou ontem')
  await bruno.page.goto(`/tickets/${disputed.uuid}`)
  await accept(bruno.page)
  await page.getByText('Bruno Lima aceitou este atendimento.').waitFor()
  await look('13-taken')
  await page.getByRole('button', { name: 'Voltar para a lista' }).first().click()

  await toList(page)
  await page.locator('[data-tab=search]').click()
  await page.getByText('Buscar também nas mensagens').click()
  await page.getByRole('searchbox').fill('pedido 4711')
  const hit = page.locator('[data-part=card]').filter({ hasText: customer.name })
  await hit.locator('mark').waitFor()
  await look('14-search')
  await hit.locator('[data-part=card-name]').click()
  await bubble(page, 'Meu pedido 4711').waitFor()

  await head(page).getByRole('button', { name: 'Resolver', exact: true }).click()
  await page.getByText(`${customer.name}: resolvido`).waitFor()
  await look('15-resolved')
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await head(page).getByText('Em atendimento').waitFor()
  await look('16-undone')
  await page.locator('[data-part=head-name]').click()
  await page.getByRole('complementary', { name: 'Contato', exact: true }).waitFor()
  await page.getByText('Atendimentos anteriores').waitFor()
  await look('17-drawer')
  expect([...ana.wrong, ...bruno.wrong]).toEqual([])
  await ana.leave()
})

it.each([
  [390, 844],
  [1440, 900],
] as const)('a ticket goes from a first agent to a colleague who resolves it, at %i px', async (width, height) => {
  const customer = { name: `Caio Caminho ${width}`, number: `551194454${width}`.padEnd(13, '0') }
  const { uuid } = await on.says(customer, 'Preciso da nota fiscal')
  const look = { width, height, touch: width < 767 }
  const [ana, carlos] = [await on.on.come(look), await on.enter('bruno@demo.test', { ...look, at: '/tickets' })]
  const { page } = ana
  await signInAs(ana, 'ana@demo.test')
  const dialog = page.getByRole('dialog')
  /** Back closes a dialog that names its customer, and the ticket stays. */
  const backCloses = async (person: Person) => {
    const shown = person.page.getByRole('dialog')
    await shown.getByText(customer.name).first().waitFor()
    await person.page.goBack()
    await shown.waitFor({ state: 'detached' })
    expect(person.page.url()).toContain(uuid)
  }
  const open = async (person: Person, tab: RegExp) => {
    await person.page.getByRole('tab', { name: tab }).click()
    await person.page.getByRole('link', { name: customer.name }).click()
    await head(person.page).getByRole('heading', { name: customer.name }).waitFor()
  }

  await page.goto('/tickets')
  await open(ana, /Aguardando/)
  await head(page).getByRole('button', { name: 'Aceitar', exact: true }).click()
  await backCloses(ana)
  await accept(page)

  await words(page).fill('/')
  await page.getByRole('option').first().waitFor()
  await page.getByRole('option').first().click()
  await expect.poll(() => words(page).inputValue()).not.toMatch(/^\//)
  const reply = (await words(page).inputValue()).split('\n')[0]!
  await send(page)
  await bubble(page, reply).waitFor()
  const at = path.join(on.on.dataDir, `nota ${width}.txt`)
  await writeFile(at, 'Nota fiscal')
  await page.locator('[data-part=composer] input[type=file]').setInputFiles([at])
  await words(page).fill('Segue a nota')
  await page.getByRole('list', { name: 'Anexos' }).waitFor()
  await send(page)
  await bubble(page, 'Segue a nota').getByRole('link').waitFor()

  await chooseOf(page, 'Transferir')
  await backCloses(ana)
  await chooseOf(page, 'Transferir')
  await dialog.getByRole('radio', { name: /Bruno Lima/ }).click()
  await dialog.getByLabel(/Mensagem interna/).fill('Falta conferir o valor')
  await dialog.getByRole('button', { name: 'Transferir' }).click()
  await page.getByText(`${customer.name}: transferido`).waitFor()

  await open(carlos, /Atendendo/)
  await bubble(carlos.page, 'Segue a nota').waitFor()
  await carlos.page.getByText('Falta conferir o valor').first().waitFor()
  await words(carlos.page).fill('O valor está certo')
  await send(carlos.page)
  await bubble(carlos.page, 'O valor está certo').waitFor()
  await chooseOf(carlos.page, 'Observações')
  await backCloses(carlos)
  await head(carlos.page).getByRole('button', { name: 'Resolver', exact: true }).click()
  await carlos.page.getByText(`${customer.name}: resolvido`).waitFor()

  expect((await on.ask('GET', `/tickets/u/${uuid}`)).body).toMatchObject({ status: 'closed', user: { name: 'Bruno Lima' } })
  const got = await eventually(
    () => on.got(customer.number),
    (all) => all.some(({ body }) => body.includes('O valor está certo')),
  )
  const order = [reply, 'Segue a nota', 'O valor está certo']
  expect(got.flatMap(({ body }) => order.filter((text) => body.includes(text)))).toEqual(order)
  expect([ana.wrong, carlos.wrong]).toEqual([[], []])
  await Promise.all([ana.leave(), carlos.leave()])
})
