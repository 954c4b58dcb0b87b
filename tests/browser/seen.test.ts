import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { eventually } from '#tests/support/wait.ts'
import { accept, bubble, type Scene, scene, words } from './scene.ts'

let on: Scene
let ana: Person
let address: string
const reported: string[] = []
const customer = { name: 'Vera Visto', number: '5511944500001' }

beforeAll(async () => {
  on = await scene()
  ana = await on.enter('ana@demo.test')
  ana.page.on('request', (request) => void (request.url().endsWith('/seen') && reported.push(request.url())))
  const { uuid } = await on.says(customer, 'Alguém me atende?')
  address = `/tickets/${uuid}`
  await ana.page.goto(address)
})
afterAll(() => on?.clear())

const unread = async (): Promise<number> =>
  (await on.ask('GET', `/tickets?status=search&searchParam=${encodeURIComponent(customer.name)}`)).body.tickets[0].unreadMessages
/** Simulates that the user leaves the window or returns to it. */
const look = (here: boolean) =>
  ana.page.evaluate((focused) => {
    document.hasFocus = () => focused
    window.dispatchEvent(new Event(focused ? 'focus' : 'blur'))
  }, here)

it('opening a ticket reads nothing, and accepting it reads the visible messages', async () => {
  await bubble(ana.page, 'Alguém me atende?').waitFor()
  expect(await unread()).toBe(1)
  await accept(ana.page)
  await eventually(unread, (count) => count === 0)
  expect(ana.wrong).toEqual([])
})

it('a message stays unread while the window is not focused', async () => {
  await look(false)
  const before = reported.length
  await on.says(customer, 'Ainda está aí?')
  await bubble(ana.page, 'Ainda está aí?').waitFor()
  await ana.page.locator('[data-part=card][data-current] [data-part=badge]').waitFor()
  expect([await unread(), reported.length]).toEqual([1, before])
  await look(true)
  await eventually(unread, (count) => count === 0)
  await ana.page.locator('[data-part=card][data-current] [data-part=badge]').waitFor({ state: 'detached' })
  expect(ana.wrong).toEqual([])
})

it('messages are read although the log of the ticket arrives after them and moves them', async () => {
  const { page } = ana
  await page.goto('/contacts')
  await on.says(customer, 'Ficou tarde?')
  const released = Promise.withResolvers<void>()
  await page.route('**/api/tickets-log/*', async (route) => {
    await released.promise
    await route.continue()
  })
  await look(false) // so that the messages are not reported before the log arrives
  await page.getByRole('link', { name: /^Atendimentos/ }).click()
  await page.locator('[data-part=card]', { hasText: customer.name }).getByRole('link').first().click()
  await bubble(page, 'Ficou tarde?').waitFor()
  released.resolve()
  await page.getByRole('log').getByText('aceitou').first().waitFor()
  await look(true)
  await eventually(unread, (count) => count === 0)
  expect(ana.wrong).toEqual([])
})

it('a message below the visible part stays unread', async () => {
  const { page } = ana
  for (let n = 1; n <= 40; n++)
    await on.ask('POST', '/sandbox/1/inbound', { id: `seen-${n}`, from: customer.number, name: customer.name, body: `Linha ${n}.` })
  await bubble(page, 'Linha 40.').waitFor()
  await eventually(unread, (count) => count === 0)
  await page.locator('[data-part=thread]').evaluate((one) => one.scrollTo({ top: -one.scrollHeight }))
  await page.getByRole('button', { name: 'Ir para o fim' }).waitFor()
  await on.says(customer, 'E agora?')
  await page.getByRole('button', { name: 'Ir para o fim, 1 nova' }).waitFor()
  expect(await unread()).toBe(1)
  await page.getByRole('button', { name: 'Ir para o fim, 1 nova' }).click()
  await eventually(unread, (count) => count === 0)
  await words(page).focus()
  expect(ana.wrong).toEqual([])
})

it('the title counts the user’s unread tickets in every tab, also with a filter (A-RT-06)', async () => {
  const bruno = await on.enter('bruno@demo.test')
  const tabs = [bruno.page, await bruno.context.newPage()]
  await tabs[1]!.goto('/tickets')
  const digits = '①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳'
  const shown = async (page: Page) => digits.indexOf((await page.title())[0]!) + 1
  const inBoth = (count: number) => expect.poll(async () => Promise.all(tabs.map(shown))).toEqual([count, count])
  const before = await tabs[1]!.evaluate(async () => {
    const answer = await fetch('/api/tickets/unread', { headers: { authorization: `Bearer ${localStorage.getItem('token')}` } })
    return (await answer.json()).ids.length as number
  })
  await inBoth(before)
  const users: { id: number; email: string }[] = (await on.ask('GET', '/users?searchParam=bruno')).body.users
  const queues: { id: number; name: string }[] = (await on.ask('GET', '/queue')).body
  const queueId = queues.find(({ name }) => name === 'Suporte')!.id
  const tickets = []
  for (let n = 0; n < 3; n++) {
    const from = { name: `Conta ${n}`, number: `551194450010${n}` }
    const ticket = await on.says(from, 'oi')
    expect((await on.ask('PUT', `/tickets/${ticket.id}`, { isTransfered: true, userId: users[0]!.id, queueId })).status).toBe(200)
    await on.says(from, 'alguém aí?')
    tickets.push(ticket)
  }
  await inBoth(before + 3)
  await tabs[1]!.goto(`/tickets/${tickets[0]!.uuid}`)
  await bubble(tabs[1]!, 'alguém aí?').waitFor()
  await inBoth(before + 2)
  const [admin] = (await on.ask('GET', '/users?searchParam=admin')).body.users
  expect((await on.ask('PUT', `/tickets/${tickets[1]!.id}`, { isTransfered: true, userId: admin.id, queueId })).status).toBe(200)
  await inBoth(before + 1)
  await tabs[0]!.getByRole('tab', { name: 'Busca' }).click()
  await tabs[0]!.getByRole('searchbox').fill('nada disso')
  await inBoth(before + 1)
  expect(bruno.wrong).toEqual([])
})

it('the popover lists unread tickets by keyboard, with an error, a retry and an empty state', async () => {
  const { page } = ana
  await page.goto('/tickets')
  await on.says(customer, 'Você viu a última?')
  const bell = page.getByRole('button', { name: /^Notificações/ })
  await page.getByRole('button', { name: /^Notificações: \d+ atendimentos? seus? com mensagens não lidas/ }).waitFor()
  let answers = false
  await page.route('**/api/tickets/notifications*', (route) => (answers ? route.continue() : route.fulfill({ status: 503, body: '{}' })))
  await bell.focus()
  await bell.press('Enter')
  const list = page.getByRole('dialog', { name: 'Notificações' })
  await list.getByRole('alert').waitFor()
  answers = true
  await list.getByRole('button', { name: 'Tentar de novo' }).click()
  const link = list.getByRole('link', { name: customer.name })
  await link.getByText('Você viu a última?').waitFor()
  await ana.shot('notifications')
  await link.focus()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  expect(await bell.evaluate((one) => one === document.activeElement)).toBe(true)
  await bell.press('Enter')
  const first = list.getByRole('link').first()
  await first.focus()
  await page.keyboard.press('ArrowDown')
  expect(await first.evaluate((one) => one === document.activeElement)).toBe((await list.getByRole('link').count()) === 1)
  await link.press('Enter')
  await page.waitForURL(`**${address}`)
  await list.waitFor({ state: 'detached' })
  await page.route('**/api/tickets/notifications*', (route) => route.fulfill({ json: { tickets: [], hasMore: false } }))
  await page.reload()
  await bell.click()
  await list.getByText('Nada novo').waitFor()
  expect(ana.wrong).toEqual([])
})

it('the refresh button loads the lists again in place', async () => {
  const { page } = ana
  await page.goto('/tickets')
  const card = page.locator('[data-part=card]', { hasText: customer.name })
  await card.waitFor()
  await card.evaluate((one) => one.setAttribute('data-same', ''))
  const loaded = page.waitForResponse((response) => /\/api\/tickets\?/.test(response.url()))
  await page.getByRole('button', { name: 'Atualizar as listas' }).click()
  await loaded
  await page.locator('[data-part=card][data-same]', { hasText: customer.name }).waitFor()
  expect(ana.wrong).toEqual([])
})
