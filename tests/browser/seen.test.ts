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
