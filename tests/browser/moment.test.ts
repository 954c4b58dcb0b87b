import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf } from '#tests/support/axe.ts'
import type { Person } from '#tests/support/browser.ts'
import { client, signIn } from '#tests/support/processes.ts'
import { eventually } from '#tests/support/wait.ts'
import { type Scene, scene } from './scene.ts'

/* A past moment of dashboard and panel: the slider, the player, and the way back to live. */
let on: Scene
let admin: Person
beforeAll(async () => {
  on = await scene()
  admin = await on.enter('admin@demo.test', { at: '/' })
})
afterAll(() => on?.clear())

const stepMs = 300_000
const iso = (ms: number) => `${new Date(ms).toISOString().slice(0, 16)}Z`
/** Ten o'clock of yesterday in São Paulo. */
const yesterday = () => iso(Math.floor((Date.now() - 86_400_000) / 86_400_000) * 86_400_000 + 13 * 3_600_000)
const slider = (one = admin) => one.page.getByRole('slider', { name: 'Momento' })
const address = (one = admin) => new URL(one.page.url()).searchParams.get('at')
const cards = (one = admin) => one.page.locator('[data-part=moment-cards]')
const shownAt = async (one = admin) => Date.parse((await cards(one).getAttribute('data-moment')) ?? '')
const isAt = (ms: number, one = admin) =>
  eventually(
    () => shownAt(one),
    (found) => found === ms,
  )

it('the slider shows the cards of a moment, and its place is in the address (A-PAST-03)', async () => {
  const { page } = admin
  await page.getByRole('button', { name: 'Ver outro momento' }).click()
  await page.getByText('Você está vendo o passado. Nada aqui é ao vivo.').waitFor()
  await page.goto(`/?at=${yesterday()}`)
  await isAt(Date.parse(yesterday()))
  expect(await slider().getAttribute('aria-valuetext')).toMatch(/^\p{L}{3} \d\d\/\d\d(\/\d{4})? 10:00$/u)
  expect(await page.locator('[data-card=active], [role=tab]').count()).toBe(0)
  await admin.shot('moment-dashboard')
  await slider().focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await isAt(Date.parse(yesterday()) + stepMs)
  await expect.poll(() => address()).toBe(iso(Date.parse(yesterday()) + stepMs))
  await page.reload()
  await isAt(Date.parse(yesterday()) + stepMs)
  await page.goto(`/?at=${yesterday().replace(':00Z', ':03Z')}`)
  await isAt(Date.parse(yesterday()) + 180_000)
  expect(admin.wrong).toEqual([])
})

it('plays the day, pauses, and goes to the peak', async () => {
  const { page } = admin
  const begins = Date.parse(yesterday())
  await page.goto(`/?at=${yesterday()}`)
  await page.locator('[data-part=chart]').waitFor()
  await page.getByRole('radio', { name: '10×' }).click()
  await page.getByRole('button', { name: 'Reproduzir o dia' }).click()
  await eventually(shownAt, (found) => found >= begins + 5 * stepMs)
  await page.getByRole('button', { name: 'Pausar' }).click()
  const rests = await shownAt()
  await expect.poll(() => Date.parse(address()!)).toBe(rests)
  const peak = page.getByRole('button', { name: /^Pico às/ })
  if ((await peak.count()) > 0) {
    const [, time = ''] = /às (\d\d:\d\d)/.exec((await peak.textContent())!)!
    await peak.click()
    await expect.poll(() => slider().getAttribute('aria-valuetext')).toContain(time)
  }
  await page.getByLabel('Dia', { exact: true }).fill('2020-02-29')
  await eventually(shownAt, (found) => new Date(found).getUTCFullYear() === 2020)
  expect(await page.locator('[data-card=createdThatDay] strong').textContent()).toBe('0')
  expect(await page.locator('[data-card=longestWait] strong').textContent()).toBe('–')
})

it('returns to live by one click or Escape, and keeps the focus', async () => {
  const { page } = admin
  await page.goto(`/?at=${yesterday()}`)
  await cards().waitFor()
  await slider().focus()
  await page.keyboard.press('Escape')
  await page.locator('[data-card=active]').waitFor()
  expect(address()).toBeNull()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-part'))).toBe('moment-button')
  await page.keyboard.press('Enter')
  await cards().waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Momento')
  await page.locator('[data-part=moment-bar]').getByRole('button', { name: 'Voltar ao vivo' }).click()
  await page.locator('[data-card=active]').waitFor()
  await page.goto('/?at=2999-01-01T00:00Z')
  await page.locator('[data-card=active]').waitFor()
  expect(admin.wrong).toEqual([])
})

it('the panel shows who waited then, and a ticket that was accepted since stays in its column', async () => {
  const { page } = admin
  const ticket = await on.says({ name: 'Passado Moreira', number: '5511944430077' }, 'Alguém aí?')
  const then = new Date().toISOString()
  const { token, user } = await signIn(() => on.on.server.url, 'ana@demo.test')
  const [{ id: queueId }] = (await on.ask('GET', `/users/${user.id}`)).body.queues
  const accepts = { status: 'open', userId: user.id, queueId }
  expect((await client(() => on.on.server.url, token)('PUT', `/tickets/${ticket.id}`, accepts)).status).toBeLessThan(300)
  await page.goto(`/moments?at=${then}`)
  const board = page.locator('[data-part=past-board]')
  await board.locator(`[data-column=waiting] [data-card="${ticket.id}"]`).waitFor()
  expect(await page.getByRole('button', { name: /^Transferir/ }).count()).toBe(0)
  expect(await page.getByRole('button', { name: /som$/ }).count()).toBe(0)
  await admin.shot('moment-panel')
  await on.says({ name: 'Depois Moreira', number: '5511944430078' }, 'E eu?')
  expect(await board.getByText('Depois Moreira').count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.locator(`[data-column="${user.id}"] [data-card="${ticket.id}"]`).waitFor()
  await page.getByText('Depois Moreira').first().waitFor()
  expect(admin.wrong).toEqual([])
})

it.each([
  [390, 'light', 'en', '/'],
  [390, 'dark', 'tr', '/moments'],
  [1440, 'dark', 'es', '/'],
  [1440, 'light', 'pt-BR', '/moments'],
] as const)('at %d px, %s, in %s, %s has no accessibility faults at a past moment', async (width, theme, language, path) => {
  const at = path === '/' ? yesterday() : new Date().toISOString()
  const one = await on.enter('admin@demo.test', { at: `${path}?at=${at}`, width, theme, language })
  await one.page
    .locator(path === '/' ? '[data-part=chart]' : '[data-part=past-card]')
    .first()
    .waitFor()
  expect(await faultsOf(one.page, `moment ${width} ${path}`, [theme])).toEqual([])
  expect(
    await one.page.evaluate(() =>
      Math.max(...['html', '#content'].map((of) => document.querySelector(of)!).map((of) => of.scrollWidth - of.clientWidth)),
    ),
  ).toBe(0)
  await one.shot(`moment-${width}-${theme}-${path === '/' ? 'dashboard' : 'panel'}`)
  expect(one.wrong).toEqual([])
  await one.leave()
})
