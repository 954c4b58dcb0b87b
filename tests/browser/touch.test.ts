import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { accept, chooseOf, type Scene, scene } from './scene.ts'

let on: Scene
let one: Person
let ticket: { uuid: string }
beforeAll(async () => {
  on = await scene()
  ticket = await on.says({ name: 'Teca Toque', number: '5511944520001' }, 'Escrevo do celular')
  one = await on.enter('admin@demo.test', { width: 390, height: 844, touch: true, at: `/tickets/${ticket.uuid}` })
  await accept(one.page)
})
afterAll(() => on?.clear())

/** Touch targets lower than 44 px. */
const small = (page: Page, within: string) =>
  page
    .locator(within)
    .locator('button, [role=menuitem], select, input:not([type=file], [type=checkbox], [type=radio])')
    .evaluateAll((all) =>
      all
        .filter((node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        .filter((node) => {
          node.scrollIntoView({ block: 'center', inline: 'nearest' })
          const { x, y, width, height } = node.getBoundingClientRect()
          const reached = (at: number) =>
            document
              .elementsFromPoint(x + width / 2, at)
              .some((one) => node.contains(one) || (one.localName === 'label' && one.contains(node)))
          const middle = y + height / 2
          const farthest = (way: 1 | -1) => Array.from({ length: 44 }, (_, at) => at).find((at) => !reached(middle + way * at)) ?? 44
          return height > 1 && farthest(1) + farthest(-1) < 44
        })
        .map((node) => node.getAttribute('aria-label') ?? node.getAttribute('name') ?? node.textContent),
    )

it('touch targets in a chat, its menu and its dialogs are at least 44 px high', async () => {
  const { page } = one
  await expect.poll(() => small(page, '[data-part=head]')).toEqual([])
  await page.locator('[data-part=head]').getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem').first().waitFor()
  await expect.poll(() => small(page, '[role=menu]')).toEqual([])
  expect(await page.locator('[role=menu]').innerText()).not.toMatch(/Alt|Ctrl|Shift|⌥|⇧/) // a phone has no keys
  await page.keyboard.press('Escape')
  for (const what of ['Transferir', 'Observações']) {
    await chooseOf(page, what)
    await page.getByRole('dialog').waitFor()
    await expect.poll(() => small(page, '[role=dialog]')).toEqual([]) // it grows while it opens
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
})

it('touch targets in a message’s menu are 44 px high, and the menu fits beside it', async () => {
  const { page } = one
  const bubble = page.getByRole('article').filter({ hasText: 'Escrevo do celular' })
  await bubble.locator('[data-part=bubble-more]').dispatchEvent('click')
  const menu = page.locator('.bp6-popover-content').filter({ has: page.getByRole('group', { name: 'Reagir' }) })
  await menu.getByRole('menuitem').first().waitFor()
  await one.shot('touch-message-menu')
  await expect.poll(() => small(page, '.bp6-popover-content')).toEqual([])
  const { x, width } = (await menu.boundingBox())!
  expect([x >= 0, x + width <= 390]).toEqual([true, true])
  const beside = await menu
    .locator('button')
    .evaluateAll((all) =>
      all.map((node) => [node.getBoundingClientRect(), node.closest('.bp6-popover-content')!.getBoundingClientRect()] as const),
    )
  expect(beside.every(([button, box]) => button.left >= box.left && button.right <= box.right)).toBe(true)
  const middles = await menu.getByRole('menuitem').evaluateAll((all) =>
    all.map((node) => {
      const middle = (part: Element) => part.getBoundingClientRect().top + part.getBoundingClientRect().height / 2
      return Math.abs(middle(node.querySelector('svg')!) - middle(node.querySelector('.bp6-text-overflow-ellipsis')!))
    }),
  )
  expect(middles.every((apart) => apart < 2)).toBe(true)
  await page.keyboard.press('Escape')
})

it('touch targets in long forms are at least 44 px high', async () => {
  const { page } = one
  for (const path of ['/queues', '/contacts', '/connections']) {
    await page.goto(path)
    await page
      .getByRole('button', { name: /Adicionar|Nova|Novo/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog').or(page.getByRole('menu')).first()
    await dialog.waitFor()
    await expect.poll(async () => [path, await small(page, '[role=dialog], [role=menu]')]).toEqual([path, []])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }
})
