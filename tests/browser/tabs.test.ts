import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '#tests/support/wait.ts'
import { accept, bubble, type Scene, scene, tick, words, write } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

const pending = (page: Page) => page.locator('[data-pending]').allInnerTexts()

it('two tabs show the same unsent messages and send each of them once', async () => {
  const customer = { name: 'Davi Duas-Abas', number: '5511944570001' }
  const { uuid } = await on.says(customer, 'Alguém aí?')
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${uuid}` })
  const one = ana.page
  await accept(one)
  let away = true
  await ana.context.route('**/api/messages/*', (route) => (away && route.request().method() === 'POST' ? route.abort() : route.continue()))
  const two = await ana.context.newPage()
  await two.goto(`/tickets/${uuid}`)
  await bubble(two, 'Alguém aí?').waitFor()
  await write(one, 'Estou aqui, da primeira aba')
  await write(two, 'E aqui, da segunda')
  for (const page of [one, two]) {
    await bubble(page, 'da primeira aba').waitFor()
    await bubble(page, 'da segunda').waitFor()
  }
  await two.reload()
  await bubble(two, 'da primeira aba').waitFor()
  await bubble(two, 'da segunda').waitFor()
  await words(one).fill('Um texto começado')
  await expect.poll(() => words(two).inputValue()).toBe('Um texto começado')

  away = false
  const got = await eventually(
    () => on.got(customer.number),
    (all) => all.length >= 2,
  )
  for (const page of [one, two]) {
    await expect.poll(() => pending(page)).toEqual([])
    await bubble(page, 'da primeira aba').waitFor()
    await bubble(page, 'da segunda').waitFor()
  }
  await write(one, 'Última de todas')
  const whole = await eventually(
    () => on.got(customer.number),
    (all) => all.some(({ body }) => body.includes('Última de todas')),
  )
  expect(got.map(({ body }) => /primeira|segunda/.exec(body)?.[0])).toEqual(['primeira', 'segunda'])
  expect(whole).toHaveLength(3)
  for (const page of [one, two]) expect(await bubble(page, /da (primeira|segunda)/).count()).toBe(2)
  expect(ana.wrong.filter((one) => !one.includes('ERR_FAILED'))).toEqual([])
})

it('an open tab sends what a closed tab had not sent', async () => {
  const customer = { name: 'Fábio Fecha', number: '5511944570002' }
  const { uuid } = await on.says(customer, 'Pode fechar?')
  const bruno = await on.enter('bruno@demo.test', { at: `/tickets/${uuid}` })
  const one = bruno.page
  await accept(one)
  const two = await bruno.context.newPage()
  await two.goto(`/tickets/${uuid}`)
  await bubble(two, 'Pode fechar?').waitFor()
  await one.route('**/api/messages/*', (route) => (route.request().method() === 'POST' ? undefined : route.continue())) // never answered
  await write(one, 'Feche à vontade')
  await bubble(two, 'Feche à vontade').waitFor()
  expect(await on.got(customer.number)).toEqual([])
  await one.close()
  await eventually(
    () => on.got(customer.number),
    (all) => all.length === 1,
  )
  await expect.poll(() => pending(two)).toEqual([])
  expect(await bubble(two, 'Feche à vontade').count()).toBe(1)
})

/** Notes in `window.noted` what the page plays and shows. The test browser itself shows no notices. */
const noteNotices = () => {
  const noted: string[] = []
  const shown: { onclick: (() => void) | null }[] = []
  const start = OscillatorNode.prototype.start
  OscillatorNode.prototype.start = function (...at) {
    noted.push('sound')
    return start.apply(this, at)
  }
  class Notice {
    static permission = 'granted'
    onclick = null
    constructor(title: string, { body }: { body: string }) {
      noted.push(`${title}: ${body}`)
      shown.push(this)
    }
    close() {
      noted.push('closed')
    }
  }
  Object.assign(window, { noted, shown, Notification: Notice })
  const reportBlocked: MutationCallback = (_, observer) => {
    if (!document.querySelector('[data-part=sound-blocked]')) return
    observer.disconnect()
    console.info('sound-blocked')
  }
  new MutationObserver(reportBlocked).observe(document, { childList: true, subtree: true })
}
const notedIn = (page: Page) => page.evaluate(() => (window as unknown as { noted: string[] }).noted.splice(0))
const blocked = (page: Page) => page.locator('[data-part=sound-blocked]')
const soundsAndNotices = (page: Page) => page.getByRole('button', { name: /^Sons e avisos/ })

it('several tabs give one sound and one notice, and another tab takes over (A-NOTIF-01)', async () => {
  const customer = { name: 'Nina Notada', number: '5511944570003' }
  const { uuid } = await on.says(customer, 'Bom dia')
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${uuid}` })
  await accept(ana.page)
  await ana.context.addInitScript(noteNotices)
  const pages = [ana.page, await ana.context.newPage(), await ana.context.newPage(), await ana.context.newPage()]
  const isAnswered = Promise.withResolvers<void>()
  await ana.context.route('**/api/tickets/notifications*', async (route) => {
    await isAnswered.promise
    await route.continue()
  })
  // Read from the console: any call of Playwright in a page counts as an input, after which the browser lets that page play.
  const areBlocked = pages.map((page) => page.waitForEvent('console', (message) => message.text() === 'sound-blocked'))
  for (const page of pages) await page.goto('/tickets')
  await Promise.all(areBlocked)
  const noted: string[] = []
  const collect = async () => noted.push(...(await Promise.all(pages.map(notedIn))).flat())
  const last = pages[0]!.locator('[data-part=card]', { hasText: customer.name }).locator('[data-part=card-last]')
  /** A message of the customer, and what the tabs did since the last one. */
  const notedAfter = async (body: string, expected: string[]) => {
    await on.says(customer, body)
    await last.getByText(body).waitFor()
    isAnswered.resolve() // the first message arrives while the tickets of the page's start are loading
    await expect.poll(async () => (await collect()) && noted.filter((one) => one !== 'closed')).toEqual(expect.arrayContaining(expected))
    return noted
      .splice(0)
      .filter((one) => one !== 'closed')
      .toSorted()
  }
  const notice = `${customer.name}: Nova mensagem`

  await blocked(pages[2]!).getByRole('button', { name: 'Permitir som' }).click()
  for (const page of pages) await blocked(page).waitFor({ state: 'detached' })
  expect(await notedAfter('Tem alguém?', ['sound', notice])).toEqual([notice, 'sound'])
  expect(await notedIn(pages[2]!)).toEqual([])

  await pages.splice(2, 1)[0]!.close()
  for (const page of pages) await blocked(page).waitFor()
  await pages[1]!.keyboard.press('Shift')
  for (const page of pages) await blocked(page).waitFor({ state: 'detached' })
  expect(await notedAfter('Olá?', ['sound', notice])).toEqual([notice, 'sound'])

  const [first, second] = pages
  await soundsAndNotices(second!).click()
  const dialog = second!.getByRole('dialog', { name: 'Sons e avisos' })
  await dialog.getByLabel('Volume').press('Home')
  await dialog.getByText('sem som').waitFor()
  expect(await notedAfter('Sem som', [notice])).toEqual([notice])
  await tick(dialog.getByLabel('Com o texto da mensagem'))
  expect(await notedAfter('Com texto', [`${customer.name}: Com texto`])).toHaveLength(1)
  await tick(dialog.getByLabel('Horário silencioso'))
  for (const label of ['Das', 'até']) await dialog.getByLabel(label).fill('00:00') // the whole day
  expect(await notedAfter('Silêncio', [])).toEqual([])
  await tick(dialog.getByLabel('Horário silencioso'))
  await tick(dialog.getByLabel('Nunca'))
  expect(await notedAfter('Nunca', [])).toEqual([])

  const before = await first!.title()
  await first!.bringToFront() // as a click on the notice does; a page behind others draws nothing, so it reads nothing
  await first!.evaluate(() => (window as unknown as { shown: { onclick: () => void }[] }).shown.at(-1)!.onclick())
  await first!.waitForURL(`**/tickets/${uuid}`)
  for (const page of pages) await expect.poll(() => page.title()).not.toContain(before.slice(0, 1))
  expect(ana.wrong).toEqual([])
})

it('titles follow reading, colleagues and a lost connection; a gap gives one sound (A-RT-06)', async () => {
  const users = (await on.ask('GET', '/users/list')).body as { id: number; email: string; queues: { id: number }[] }[]
  const [bruno, carla] = ['bruno', 'carla'].map((name) => users.find(({ email }) => email === `${name}@demo.test`)!)
  const customers = [4, 5, 6].map((n) => ({ name: `Tito Título ${n}`, number: `551194457000${n}` }))
  const give = ({ id }: { id: number }, to: typeof carla) =>
    on.ask('PUT', `/tickets/${id}`, { userId: to!.id, queueId: to!.queues[0]!.id, isTransfered: true })
  const one = await on.enter('carla@demo.test')
  const pages = [one.page, await one.context.newPage()]
  let isCut = false
  const sockets: { close: () => unknown }[] = []
  await one.context.routeWebSocket(/\/api\/live/, (page) => {
    if (isCut) return void page.close()
    page.connectToServer()
    sockets.push(page)
  })
  await one.context.addInitScript(noteNotices)
  for (const page of pages) await page.goto('/tickets')
  const counted = (title: string) => (title.codePointAt(0)! < 0x2460 || title.codePointAt(0)! > 0x2473 ? 0 : title.codePointAt(0)! - 0x245f)
  const titles = () => Promise.all(pages.map(async (page) => counted(await page.title())))
  const inAll = async (n: number) => expect.poll(titles).toEqual([n, n])
  await pages[1]!.getByRole('button', { name: /^Notificações/ }).waitFor()
  await expect.poll(async () => new Set(await titles()).size).toBe(1)
  const [before] = await titles()

  const tickets = []
  for (const customer of customers) tickets.push(await on.says(customer, 'Olá'))
  for (const ticket of tickets) expect((await give(ticket, carla)).status).toBe(200)
  await inAll(before! + 3)
  expect((await notedIn(pages[0]!)).filter((one) => one !== 'sound')).toHaveLength(3)
  await pages[1]!.goto(`/tickets/${tickets[0]!.uuid}`) // read in this tab
  await inAll(before! + 2)
  await expect.poll(() => notedIn(pages[0]!)).toEqual(['closed']) // its notice
  expect((await give(tickets[1]!, bruno)).status).toBe(200)
  await inAll(before! + 1)
  await pages[0]!.getByRole('button', { name: 'Filtros' }).click()
  await tick(pages[0]!.getByLabel('Só não lidos'))
  await inAll(before! + 1)

  await pages[1]!.goto('/tickets')
  await inAll(before! + 1)
  await Promise.all(pages.map(notedIn))
  isCut = true
  for (const socket of sockets) socket.close()
  for (const page of pages) await page.getByText('Reconectando').waitFor()
  for (const customer of [customers[0]!, customers[2]!]) await on.says(customer, 'Mais uma coisa')
  expect(await titles()).toEqual([before! + 1, before! + 1])
  isCut = false
  await inAll(before! + 2)
  const noted: string[] = []
  const collect = async () => noted.push(...(await Promise.all(pages.map(notedIn))).flat().filter((one) => one !== 'closed'))
  const gap = [`${customers[0]!.name}: Nova mensagem`, `${customers[2]!.name}: Nova mensagem`, 'sound']
  await expect.poll(async () => (await collect()) && noted.toSorted()).toEqual(gap)
  expect(one.wrong.filter((text) => !text.includes('WebSocket'))).toEqual([])
})
