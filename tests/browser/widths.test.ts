import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { accept, type Scene, scene, words } from './scene.ts'

let on: Scene
let ticket: { id: number; uuid: string }
beforeAll(async () => {
  on = await scene()
  ticket = await on.says({ name: 'Rechnungsadressänderungswunsch Öğretmenoğlu', number: '5511944480001' }, 'Cabe em qualquer tela?')
})
afterAll(() => on?.clear())

const wide = ({ page }: Person, what: string) =>
  page.evaluate((one) => document.querySelector(one)?.getBoundingClientRect().width ?? 0, what)
const across = ({ page }: Person) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

it('list and chat share the width, and below 960 px one of them fills it', async () => {
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${ticket.uuid}` })
  await accept(ana.page)
  for (const [width, menu, list] of [
    [2560, 220, 420],
    [1440, 220, 420],
    [1280, 220, 420],
    [1279, 56, 320],
    [1024, 56, 320],
    [960, 56, 320],
    [959, 56, 0],
    [768, 56, 0],
    [720, 0, 0], // 1,440 at 200 %
    [390, 0, 0],
  ] as const) {
    await ana.page.setViewportSize({ width, height: 844 })
    await words(ana.page).waitFor()
    await expect.poll(() => wide(ana, '[data-part=chat-main]')).toBeGreaterThan(Math.min(width, 560) - 1)
    await expect.poll(() => wide(ana, '[data-part=split-list]')).toBe(list)
    await expect.poll(async () => ((await ana.page.locator('[data-part=menu]').isVisible()) ? wide(ana, '[data-part=menu]') : 0)).toBe(menu)
    expect(await across(ana)).toBeLessThanOrEqual(0)
    await ana.shot(`chat-${width}`)
  }
  expect(await ana.page.locator('[data-part=topbar]').isVisible()).toBe(false) // a chat shows one header only
  await ana.page.getByRole('button', { name: 'Voltar para a lista' }).click()
  await ana.page.locator('[data-part=card]').first().waitFor()
  expect(await ana.page.getByText('Olá, Ana').isVisible()).toBe(false)
  await ana.shot('list-390')
  expect(ana.wrong).toEqual([])
})

it('the contact drawer covers the chat on narrow screens, and Back closes it on a phone', async () => {
  const helena = await on.enter('admin@demo.test', { width: 1024, height: 768, theme: 'dark', at: `/tickets/${ticket.uuid}` })
  const { page } = helena
  const drawer = page.getByRole('complementary', { name: 'Contato', exact: true })
  await page.locator('[data-part=head-who]').click()
  await drawer.waitFor()
  expect(await wide(helena, '[data-part=chat-main]')).toBeGreaterThan(600)
  await helena.shot('drawer-1024')
  await page.getByRole('button', { name: 'Gravar áudio' }).click({ trial: true }) // the composer is not covered
  await page.reload()
  await page.locator('[data-part=head-who]').waitFor()
  expect(await drawer.count()).toBe(0) // nothing covers the chat
  await page.locator('[data-part=head-who]').click()
  await drawer.waitFor()
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect.poll(() => wide(helena, '[data-part=chat-main]')).toBeLessThan(600)
  await page.setViewportSize({ width: 390, height: 844 })
  await drawer.waitFor({ state: 'detached' })
  await page.locator('[data-part=head-who]').click()
  await drawer.waitFor()
  await helena.shot('drawer-390')
  await page.goBack()
  await drawer.waitFor({ state: 'detached' })
  await page.locator('[data-part=head-who]').click()
  await drawer.waitFor()
  await page.reload()
  await page.locator('[data-part=head-who]').waitFor()
  expect(await drawer.count()).toBe(0)
  expect(page.url()).toContain(ticket.uuid)
  await page.getByRole('button', { name: 'Voltar para a lista' }).click()
  await page.locator('[data-part=card]').first().waitFor()
  expect(helena.wrong).toEqual([])
})

it('the inbox shows the day, its rows can be compact, and the drawer narrows the list', async () => {
  const bruno = await on.enter('bruno@demo.test')
  const { page } = bruno
  const day = page.locator('[data-part=day]')
  await expect.poll(() => day.getByRole('button', { name: /^\d+ aguardando$/ }).count()).toBe(1)
  const longest = day.locator('[data-part=longest-wait]').getByRole('link')
  const name = await longest.innerText()
  await bruno.shot('day')
  await day.getByRole('button', { name: /aguardando$/ }).click()
  const first = page.locator('[data-part=card]').first()
  await expect.poll(() => first.locator('[data-part=card-name]').innerText()).toBe(name)
  await page.getByRole('button', { name: 'Linhas compactas' }).click()
  expect((await first.boundingBox())!.height).toBeLessThanOrEqual(56)
  await page.reload()
  await expect.poll(async () => (await page.locator('[data-part=card]').first().boundingBox())?.height ?? 99).toBeLessThanOrEqual(56)
  expect(await page.evaluate(() => document.querySelector('[data-part=rows]')!.scrollWidth)).toBeLessThanOrEqual(
    await wide(bruno, '[data-part=rows]'),
  )
  await bruno.shot('compact')
  await longest.click()
  await page.locator('[data-part=asleep]').waitFor()
  expect(await wide(bruno, '[data-part=composer] textarea')).toBeLessThan(60) // only the Accept bar shows
  await page.locator('[data-part=head-who]').click()
  await expect.poll(() => wide(bruno, '[data-part=split-list]')).toBe(320)
  await bruno.shot('drawer-1440')
  expect(bruno.wrong).toEqual([])
})
