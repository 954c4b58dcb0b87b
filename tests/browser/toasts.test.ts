import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { choose, type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

it('a notice appears at the bottom left, is announced politely, and stays during interaction', async () => {
  const ticket = await on.says({ name: 'Tomás Aviso', number: '5511944500001' }, 'Copie isto, por favor')
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${ticket.uuid}` })
  const { page } = ana
  await choose(page, 'Copie isto', 'Copiar')
  const toast = page.getByRole('region', { name: 'Avisos' }).getByRole('listitem').filter({ hasText: 'Copiado' })
  await toast.waitFor()
  await ana.shot('toast')
  const { x, y, height } = (await toast.boundingBox())!
  expect(x).toBeLessThan(240) // beside the menu, over the list
  expect(y + height).toBeGreaterThan(900 - 40)
  expect(await toast.locator('xpath=..').getAttribute('aria-live')).toBe('polite')
  await page.keyboard.press('F8')
  const close = toast.getByRole('button', { name: 'Fechar' })
  await close.and(page.locator(':focus')).waitFor()
  await page.clock.install()
  await page.clock.fastForward(60_000)
  expect(await toast.count()).toBe(1)
  await page.keyboard.press('Enter')
  await toast.waitFor({ state: 'detached' })
  expect(ana.wrong).toEqual([])
})

/** The texts beneath a notice, as far as their pane shows them. */
const covered = (page: Page) =>
  page.evaluate(() => {
    const notices = [...document.querySelectorAll('[data-part=toast]')].map((one) => one.getBoundingClientRect())
    return [
      ...document.querySelectorAll(
        '[data-part=card], [data-part=table] tbody tr, [data-part=message], [data-part=composer], [data-part=menu-entry], [data-part=menu-foot] button',
      ),
    ]
      .filter((one) => {
        const pane = one.closest('[data-scrolls]')
        const shown = pane ? pane.getBoundingClientRect().top + pane.clientTop + pane.clientHeight : innerHeight
        const { left, right, top, bottom } = one.getBoundingClientRect()
        return notices.some((it) => left < it.right && right > it.left && top < it.bottom && Math.min(bottom, shown) > it.top)
      })
      .map((one) => one.textContent)
  })
const notices = (page: Page) => page.getByRole('region', { name: 'Avisos' }).getByRole('listitem')
/** The notice stays while it has the focus. */
async function hold(page: Page) {
  await notices(page).first().waitFor()
  await page.keyboard.press('F8')
  await notices(page).getByRole('button', { name: 'Fechar' }).and(page.locator(':focus')).waitFor()
}
const clear = async (page: Page) => {
  await hold(page)
  await expect.poll(() => covered(page)).toEqual([])
}
/** The position of the n-th row from the top of the pane. */
const stands = (page: Page, what: string) =>
  page.evaluate((one) => {
    const pane = document.querySelector(one)!.closest('[data-scrolls]')!.getBoundingClientRect()
    return [...document.querySelectorAll(one)].map((row) => row.getBoundingClientRect().top).find((top) => top >= pane.top)
  }, what)
const endSeen = (page: Page) =>
  page.evaluate(() => {
    const pane = document.querySelector('[data-part=thread]')!
    return (
      [...document.querySelectorAll('[data-part=message]')].at(-1)!.getBoundingClientRect().bottom <= pane.getBoundingClientRect().bottom
    )
  })
const endOf = (page: Page, what: string) =>
  page.evaluate((one) => {
    const pane = document.querySelector(one)!.closest('[data-scrolls]')!
    pane.scrollTop = pane.scrollHeight
  }, what)

it.each([1440, 1024, 768, 390])('a notice covers no card, row, bubble or field on %i px, and its end moves nothing', async (width) => {
  const ticket = await on.says({ name: 'Aviso Zélia', number: '5511944500100' }, 'Quantas linhas cabem aqui?')
  const others = Array.from({ length: 24 }, (_, at) => ({
    id: `row-${at}`,
    from: `55119445002${10 + at}`,
    name: `Linha ${at}`,
    body: 'Oi',
  }))
  for (const one of others) await on.ask('POST', '/sandbox/1/inbound', one)
  for (let at = 0; at < 20; at++)
    await on.ask('POST', '/sandbox/1/inbound', { id: `more-${at}`, from: '5511944500100', name: 'Aviso Zélia', body: `Mais uma: ${at}` })
  const came = async () => (await on.ask('GET', '/tickets?status=search&searchParam=Linha')).body.count
  await expect.poll(came).toBe(others.length) // no message arrives during the measurement
  const ana = await on.enter('ana@demo.test', { width, height: 800 })
  const { page } = ana
  await page.getByRole('tab', { name: /Aguardando/ }).click()
  await page.locator('[data-part=card]').nth(5).waitFor()
  await page.evaluate((to) => history.pushState(null, '', to), `/tickets/${ticket.uuid}`)
  await page.getByRole('log').getByText('Mais uma: 19').waitFor()
  const copied = async () => {
    await choose(page, 'Mais uma: 19', 'Copiar')
    await clear(page)
  }

  await copied()
  await ana.shot(`toast-chat-${width}`)
  await expect.poll(() => endSeen(page)).toBe(true) // the end of the thread stays visible
  await page.locator('[data-part=thread]').evaluate((one) => one.scrollTo({ top: -200, behavior: 'instant' }))
  await clear(page)
  const read = await stands(page, '[data-part=message]')
  await page.keyboard.press('Enter')
  await notices(page).waitFor({ state: 'detached' })
  expect(await stands(page, '[data-part=message]')).toBeCloseTo(read!, 0)

  await page.locator('[data-part=thread]').evaluate((one) => one.scrollTo({ top: 0, behavior: 'instant' }))
  await copied()
  await page.goBack()
  await page.locator('[data-part=card]').first().waitFor()
  await clear(page)
  await ana.shot(`toast-list-${width}`)
  await endOf(page, '[data-part=card]')
  await clear(page)
  await page.evaluate(() => history.pushState(null, '', '/contacts'))
  await page.locator('[data-part=table] tbody tr').nth(5).waitFor()
  await clear(page)
  await endOf(page, '[data-part=table] tbody tr')
  await clear(page)
  await ana.shot(`toast-table-${width}`)
  await page.locator('main').evaluate((one) => one.scrollTo({ top: 100, behavior: 'instant' }))
  await clear(page)
  const row = await stands(page, '[data-part=table] tbody tr')
  await page.keyboard.press('Enter')
  await notices(page).waitFor({ state: 'detached' })
  expect(await stands(page, '[data-part=table] tbody tr')).toBeCloseTo(row!, 0)
  expect(ana.wrong).toEqual([])
  await ana.leave()
})
