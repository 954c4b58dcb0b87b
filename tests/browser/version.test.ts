import { afterAll, beforeAll, expect, it } from 'vitest'
import { label } from '#domain/version/label.ts'
import { accept, type Scene, scene, words } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

it('a new server version is offered, stored as frontendVersion, and typed text survives', async () => {
  const ticket = await on.says({ name: 'Vera Versão', number: '5511944600001' }, 'Tem novidade?')
  const ana = await on.enter('ana@demo.test', { kept: true, at: `/tickets/${ticket.uuid}` })
  const { page } = ana
  await accept(page)
  const kept = () => page.evaluate(() => localStorage.getItem('frontendVersion'))
  const bar = page.getByText('Há uma versão nova do Guichê.')
  await expect.poll(kept).toBe(label)
  expect(await bar.count()).toBe(0)

  await page.evaluate(() => navigator.serviceWorker.ready) // the client is stored on the device

  // Simulates a server that was updated meanwhile.
  await page.route('**/api/version', (route) => route.fulfill({ json: { version: '99.0.0' } }))
  await page.reload()
  await words(page).fill('Uma resposta pela metade')
  await bar.waitFor()
  expect(await kept()).toBe('99.0.0')
  await ana.shot('new-version')
  expect(await words(page).inputValue()).toBe('Uma resposta pela metade')
  await page.getByRole('button', { name: 'Depois', exact: true }).click()
  await bar.waitFor({ state: 'detached' })

  await page.reload()
  await bar.waitFor()
  await page.unroute('**/api/version')
  const renewed = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Atualizar', exact: true }).click()
  await renewed
  await expect.poll(() => words(page).inputValue()).toBe('Uma resposta pela metade')
  await expect.poll(kept).toBe(label)
  expect(await bar.count()).toBe(0)

  // A failing version call disturbs nobody (R-AUTH-11).
  await page.route('**/api/version', (route) => route.fulfill({ status: 503, json: { error: 'ERR_UNAVAILABLE' } }))
  const logged = page.waitForEvent('console', (message) => message.type() === 'warning')
  await page.reload()
  await logged
  expect([await kept(), await bar.count()]).toEqual([label, 0])
})
