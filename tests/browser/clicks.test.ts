import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { eventually } from '#tests/support/wait.ts'
import { accept, chooseOf, type Scene, scene } from './scene.ts'

let on: Scene
let ana: Person
beforeAll(async () => {
  on = await scene()
  ana = await on.enter('ana@demo.test', { clickGuard: true })
})
afterAll(() => on?.clear())

/** Clicks with the mouse, and again on the same point as soon as `then` resolves. */
async function twice(page: Page, what: ReturnType<Page['locator']>, then: () => Promise<unknown>): Promise<void> {
  await what.click({ trial: true }) // it is visible long enough to be clicked
  const { x, y, width, height } = (await what.boundingBox())!
  await page.mouse.click(x + width / 2, y + height / 2)
  await then()
  await page.mouse.click(x + width / 2, y + height / 2, { clickCount: 1 })
}
const stands = (uuid: string) => on.ask('GET', `/tickets/u/${uuid}`).then(({ body }) => body as { status: string; userId: number | null })

it('a double click on Accept does not press the button that replaces it', async () => {
  const { page } = ana
  const ticket = await on.says({ name: 'Dora Duplo Clique', number: '5511944490001' }, 'Alguém aí?')
  await page.goto(`/tickets/${ticket.uuid}`)
  await accept(page)
  await chooseOf(page, 'Devolver')
  await page.waitForURL(/\/tickets$/) // otherwise the way back to the list could win against the next address
  await page.goto(`/tickets/${ticket.uuid}`)
  const head = page.locator('[data-part=head]')
  const resolve = head.getByRole('button', { name: 'Resolver', exact: true })
  await twice(page, head.getByRole('button', { name: 'Aceitar', exact: true }), () => resolve.waitFor())
  await resolve.click({ trial: true }) // it works after half a second
  expect((await stands(ticket.uuid)).status).toBe('open')
  expect(page.url()).toContain(ticket.uuid)
})

it('a double click on a card does not open another customer’s ticket', async () => {
  const { page } = ana
  const ticket = await on.says({ name: 'Dora Segundo Toque', number: '5511944490002' }, 'E agora?')
  await page.goto(`/tickets/${ticket.uuid}`)
  await accept(page)
  await chooseOf(page, 'Devolver')
  await page.waitForURL(/\/tickets$/) // otherwise the way back to the list could win against the next address
  await page.goto('/tickets')
  await page.getByRole('tab', { name: /Aguardando/ }).click()
  const card = page.locator('[data-part=card]').filter({ hasText: 'Dora Segundo Toque' })
  await card.scrollIntoViewIfNeeded()
  await card.hover()
  const before = (
    await eventually(
      () => stands(ticket.uuid),
      ({ status }) => status === 'pending',
    )
  ).status
  expect(before).toBe('pending')
  await twice(page, card.getByRole('button', { name: 'Aceitar', exact: true }), async () => {
    await page.getByRole('tab', { name: /Atendendo/, selected: true }).waitFor()
    await page.locator('[data-part=card][data-current]').first().waitFor()
  })
  await page.locator('[data-part=card]').first().click({ trial: true })
  expect(page.url()).toContain(ticket.uuid)
  expect((await stands(ticket.uuid)).status).toBe('open')
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(ana.wrong).toEqual([])
})

it('a double click does not close or confirm the dialog that it opens', async () => {
  const { page } = ana
  await page.goto('/tickets')
  const dialog = page.getByRole('dialog')
  await twice(page, page.getByRole('button', { name: 'Novo atendimento' }), () => dialog.waitFor())
  await dialog.getByRole('button', { name: 'Cancelar' }).click({ trial: true })
  expect(await dialog.count()).toBe(1)
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await dialog.waitFor({ state: 'detached' })
})

it('a card opens on a click right after its tab was chosen', async () => {
  const { page } = ana
  const ticket = await on.says({ name: 'Dora Sem Demora', number: '5511944490009' }, 'Rápido')
  await page.goto('/tickets')
  for (let time = 0; time < 3; time++) {
    await page.goto('/tickets')
    await page.getByRole('tab', { name: /Atendendo/ }).click()
    await page.locator('[data-part=card]').first().waitFor()
    await page.getByRole('tab', { name: /Aguardando/ }).click()
    const card = page.getByRole('link', { name: 'Dora Sem Demora' })
    await card.evaluate((link) => link.scrollIntoView({ block: 'center' }))
    const { x, y, width, height } = (await card.boundingBox())!
    await page.mouse.click(x + width / 2, y + height / 2)
    await page.waitForURL(new RegExp(ticket.uuid))
  }
})
