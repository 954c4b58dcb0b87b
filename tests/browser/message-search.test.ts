import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf } from '#tests/support/axe.ts'
import { accept, bubble, type Scene, scene, write } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

const groups = (page: Page) => page.locator('[data-part=found-ticket]')
const hits = (page: Page) => page.locator('[data-part=found-message]')
const isInView = (page: Page, text: string) =>
  bubble(page, text).evaluate((one) => {
    const { top, bottom } = one.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })
const fitsWidth = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)

it('a search in all messages opens a hit in its conversation and comes back to its place', async () => {
  const hugo = { name: 'Hugo Achado', number: '5511944510002' }
  const lia = { name: 'Lia Outra', number: '5511944510003' }
  for (let at = 0; at < 3; at++) await on.says(hugo, `Antes, mensagem número ${at}`)
  await on.says(hugo, 'A GELADEIRA\u0303 chegou amassada na lateral')
  for (let at = 0; at < 45; at++) await on.says(hugo, `Depois, mensagem número ${at}`)
  for (let at = 0; at < 5; at++) await on.says(lia, `geladeira amassada, foto ${at}, em https://exemplo.com.br/${at}`)

  const ana = await on.enter('ana@demo.test')
  const { page } = ana
  await page.getByRole('tab', { name: 'Busca' }).click()
  await page.getByRole('searchbox').fill('geladeira')
  await page.locator('[data-part=search-everywhere]').click()
  await page.waitForURL('**/search?q=geladeira')
  await groups(page).nth(1).waitFor()
  expect(await groups(page).locator('h2').allTextContents()).toEqual(['Lia Outra', 'Hugo Achado'])
  expect(await page.locator('[data-part=found-count]').textContent()).toBe('6 mensagens')
  expect(await groups(page).nth(1).locator('mark').allTextContents()).toEqual(['GELADEIRA\u0303'])
  expect(await groups(page).first().locator('[data-part=found-message]').count()).toBe(3)
  await groups(page).first().locator('[data-part=found-more]').click()
  await expect.poll(() => groups(page).first().locator('[data-part=found-message]').count()).toBe(5)
  await ana.shot('message-search')
  expect(await faultsOf(page, 'message-search')).toEqual([])

  const box = page.getByRole('searchbox')
  await box.focus()
  for (let at = 0; at < 6; at++) await page.keyboard.press('ArrowDown')
  await expect
    .poll(() =>
      hits(page)
        .nth(5)
        .evaluate((one) => one === document.activeElement),
    )
    .toBe(true)
  await page.keyboard.press('Escape')
  expect(await box.evaluate((one) => one === document.activeElement)).toBe(true)
  expect(await box.inputValue()).toBe('geladeira')
  await hits(page).nth(5).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/tickets/*')
  await bubble(page, 'chegou amassada').waitFor()
  await expect.poll(() => isInView(page, 'chegou amassada')).toBe(true)
  await expect.poll(() => page.evaluate(() => CSS.highlights.has('found'))).toBe(true)
  await ana.shot('message-search-opened')
  await bubble(page, 'Antes, mensagem número 0').waitFor()
  await page.getByRole('button', { name: 'Ir para o fim' }).click()
  await expect.poll(() => isInView(page, 'Depois, mensagem número 44')).toBe(true)
  await page.goBack()
  await page.waitForURL('**/search?q=geladeira')
  await expect
    .poll(() =>
      hits(page)
        .nth(5)
        .evaluate((one) => one === document.activeElement),
    )
    .toBe(true)
  expect(await hits(page).count()).toBe(6)
  expect(ana.wrong).toEqual([])
})

it('filters are in the address, and the searches of a user are kept until the sign-out', async () => {
  const ana = await on.enter('ana@demo.test', { width: 390, height: 844, theme: 'dark', at: '/search' })
  const { page } = ana
  await page.getByText('Busque em todas as mensagens').waitFor()
  const box = page.getByRole('searchbox')
  await box.fill('am')
  await page.getByText('Digite uma palavra de pelo menos três letras').waitFor()
  await box.fill('amassada')
  await groups(page).nth(1).waitFor()
  await page.getByRole('button', { name: 'Filtros', expanded: false }).click()
  await page.getByLabel('Tipo', { exact: true }).selectOption('link')
  await page.waitForURL('**/search?q=amassada&kind=link')
  await expect.poll(() => groups(page).locator('h2').allTextContents()).toEqual(['Lia Outra'])
  expect(await fitsWidth(page)).toBe(true)
  await ana.shot('message-search-narrow')
  expect(await faultsOf(page, 'message-search-narrow')).toEqual([])
  await page.reload()
  await groups(page).first().waitFor()
  await page.getByRole('button', { name: '1 filtro', expanded: false }).click()
  expect([await box.inputValue(), await page.getByLabel('Tipo', { exact: true }).inputValue()]).toEqual(['amassada', 'link'])

  await page.getByLabel('Tipo', { exact: true }).selectOption('video')
  await page.getByText('Nenhuma mensagem com “amassada”').waitFor()
  await ana.shot('message-search-none')
  expect(await faultsOf(page, 'message-search-none')).toEqual([])
  await page.locator('[data-part=found-filters]').getByRole('button', { name: 'Retirar o filtro Tipo: Vídeo' }).click()
  await groups(page).nth(1).waitFor()

  await page.route('**/api/messages/search*', (route) => route.fulfill({ status: 500, body: '{}' }))
  await box.fill('geladeira chegou')
  await page.getByRole('alert').getByRole('button', { name: 'Tentar de novo' }).waitFor()
  await page.unroute('**/api/messages/search*')
  await page.getByRole('alert').getByRole('button', { name: 'Tentar de novo' }).click()
  await groups(page).first().waitFor()

  await box.fill('')
  const recent = page.locator('[data-part=recent-searches]')
  await recent.getByRole('link', { name: 'geladeira chegou' }).waitFor()
  await ana.shot('message-search-recent')
  await recent.getByRole('button', { name: 'Esquecer a busca “geladeira chegou”' }).click()
  await expect.poll(() => recent.locator('[data-part=recent-search]').first().textContent()).toBe('amassada')
  await recent.locator('[data-part=recent-search]').first().click()
  await groups(page).nth(1).waitFor()
  expect(await page.evaluate(() => Object.keys(localStorage).some((name) => name.startsWith('searches-')))).toBe(true)
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Buscar' }).getByRole('combobox').fill('Sair')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/login*')
  expect(await page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('searches-')))).toEqual([])
})

it('an old hit opens among its neighbours, and the conversation loads in both directions', async () => {
  const vera = { name: 'Vera Antiga', number: '5511944510004' }
  await on.says(vera, 'Linha 0.')
  const say = (at: number, body = `Linha ${at}.`) =>
    on.ask('POST', '/sandbox/1/inbound', { id: `antiga-${at}`, from: vera.number, name: vera.name, body })
  for (let at = 1; at < 400; at++) await say(at, at === 150 ? 'O girassol azul' : `Linha ${at}.`)
  const ana = await on.enter('ana@demo.test')
  const { page } = ana
  const line = (at: number) => page.getByRole('log').getByText(`Linha ${at}.`, { exact: true })
  const thread = page.locator('[data-part=thread]')
  const loaded = () => page.locator('[data-message]').count()
  const topOf = (at: number) => line(at).evaluate((one) => Math.round(one.getBoundingClientRect().top))
  await page.goto('/search?q=girassol')
  await hits(page).first().click()
  await bubble(page, 'O girassol azul').waitFor()
  await expect.poll(() => isInView(page, 'O girassol azul')).toBe(true)
  await line(149).waitFor()
  await line(151).waitFor()
  await ana.shot('message-search-deep')

  await thread.evaluate((box) => box.scrollTo({ top: -box.scrollHeight, behavior: 'instant' }))
  await line(75).waitFor({ state: 'attached' })
  await thread.evaluate((box) => box.scrollTo({ top: 0, behavior: 'instant' }))
  await line(189).waitFor()
  const before = await topOf(189)
  await line(228).waitFor({ state: 'attached' })
  expect(Math.abs((await topOf(189)) - before)).toBeLessThan(3) // newer messages are added below what is read
  expect(await loaded()).toBeLessThan(200)

  await say(400)
  expect(await line(400).count()).toBe(0)
  await page.getByRole('button', { name: /Ir para o fim|novas? mensage/ }).click()
  await line(400).waitFor()
  await expect.poll(() => isInView(page, 'Linha 400.')).toBe(true)
  await say(401)
  await line(401).waitFor()

  await page.goBack()
  await hits(page).first().click()
  await expect.poll(() => isInView(page, 'O girassol azul')).toBe(true)
  await accept(page)
  await write(page, 'Achei o girassol')
  await expect.poll(() => isInView(page, 'Achei o girassol')).toBe(true) // a sent message leads to the end
  await line(401).waitFor()
  expect(ana.wrong).toEqual([])
})

it('days are those of the company in any zone, and news takes neither text nor focus', async () => {
  const messages: { createdAt: string }[] = (await on.ask('GET', '/messages/search?searchParam=geladeira')).body.tickets.flatMap(
    ({ messages: some }: { messages: { createdAt: string }[] }) => some,
  )
  const newest = new Date(messages[0]!.createdAt)
  const local = (options: Intl.DateTimeFormatOptions, locale = 'pt-BR') =>
    new Intl.DateTimeFormat(locale, { timeZone: 'America/Sao_Paulo', ...options }).format(newest)
  const isLate = Number(local({ hour: 'numeric', hourCycle: 'h23' })) >= 7
  const zone = isLate ? 'Pacific/Kiritimati' : 'Etc/GMT+12' // another day than in the company
  const day = local({}, 'sv')
  const ana = await on.enter('ana@demo.test', { zone, at: `/search?q=geladeira&from=${day}&to=${day}` })
  const { page } = ana
  await groups(page).nth(1).waitFor()
  expect(await page.locator('[data-part=found-count]').textContent()).toBe('6 mensagens')
  expect(await hits(page).first().locator('time').textContent()).toContain(local({ hour: '2-digit', minute: '2-digit' }))
  const box = page.getByRole('searchbox')
  await box.fill('')
  for (let at = 0; at < 10; at++) {
    await box.pressSequentially('amassada, '[at]!)
    await on.says({ name: 'Hugo Achado', number: '5511944510002' }, `geladeira de novo ${at}`)
  }
  expect([await box.inputValue(), await box.evaluate((one) => one === document.activeElement)]).toEqual(['amassada, ', true])
  await groups(page).nth(1).waitFor()
  expect(ana.wrong).toEqual([])
})
