import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

const customer = { name: 'Lia Longa', number: '5511944490001' }
const said = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Conversa' }).locator('[data-part=replay-message]').filter({ hasText: text })

it('a long history loads in pages, opens at the addressed time, and reports its chain', async () => {
  const ticket = await on.says(customer, 'mensagem 0.')
  for (let i = 1; i < 60; i++)
    await on.ask('POST', '/sandbox/1/inbound', { id: `l-${i}`, from: customer.number, name: customer.name, body: `mensagem ${i}.` })
  const otto = await on.enter('auditor@demo.test')
  const { page } = otto
  const asked: string[] = []
  let away = true
  await page.route(/\/api\/ticket-history\/[\w-]{36}(\?|$)/, (route) => {
    const url = new URL(route.request().url())
    asked.push(url.search)
    if (url.searchParams.has('from') && away) return route.fulfill({ status: 503, json: { error: 'ERR_BUSY', message: '' } })
    url.searchParams.set('most', '25')
    return route.continue({ url: url.href })
  })
  await page.goto(`/tickets/${ticket.uuid}/history?record=41`)
  await page.getByText(/Lendo: 25 de \d+ registros/).waitFor()
  await page.getByText(/Íntegro/).waitFor() // the chain is checked apart from the pages
  await otto.shot('long-history-stopped')
  away = false
  await page.getByRole('button', { name: 'Tentar de novo' }).click()
  await page.getByText(/Lendo:/).waitFor({ state: 'detached' })
  await expect.poll(() => page.getByRole('slider', { name: 'Momento' }).inputValue()).toBe('42')
  await said(page, 'mensagem 40.').waitFor()
  expect([...new Set(asked)].slice(0, 3)).toEqual(['', '?from=25', '?from=50'])
  const sofar = asked.length
  await page.keyboard.press('End')
  await said(page, 'mensagem 59.').waitFor()
  await on.ask('POST', '/sandbox/1/inbound', { id: 'l-late', from: customer.number, name: customer.name, body: 'mais uma tarde.' })
  await said(page, 'mais uma tarde.').waitFor() // only new events are read
  expect(asked.slice(sofar).every((search) => Number(new URLSearchParams(search).get('from')) > 60)).toBe(true)
  expect(otto.wrong).toEqual([])
})
