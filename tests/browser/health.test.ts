import pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf } from '#tests/support/axe.ts'
import { eventually } from '#tests/support/wait.ts'
import { accept, answer, type Scene, scene } from './scene.ts'

/* The health of a connection with simulated traffic: sent and failed messages, and its outages. */
let on: Scene
const mario = { name: 'Mário Saúde', number: '5511944480077' }
beforeAll(async () => {
  on = await scene()
  const { uuid } = await on.says(mario, 'Chegou?')
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${uuid}` })
  await accept(ana.page)
  await answer(on, ana.page, mario, 'Chegou, sim.')
  await on.ask('POST', '/sandbox/1/faults', { failCode: 'NOT_REGISTERED', count: 1 })
  await ana.page.getByRole('textbox', { name: 'Mensagem' }).fill('E esta não chega.')
  await ana.page.keyboard.press('Enter')
  await eventually(
    async () => (await on.ask('GET', '/whatsapp/1/traffic')).body.reasons,
    (reasons) => reasons.some(({ code }: { code: string }) => code === 'NOT_REGISTERED'),
  )
  await ana.leave()
})
afterAll(() => on?.clear())

const figure = (page: Page, name: string) => page.locator('[data-part=figures] > div').filter({ hasText: name }).locator('dd')
const across = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

it('the health page opens from the connections and counts every message’s outcome', async () => {
  const admin = await on.enter('admin@demo.test', { at: '/connections' })
  const { page } = admin
  await page.locator('a[href="/connections/1/health"]').click()
  await page.waitForURL(/\/connections\/1\/health$/)
  await page.locator('[data-part=chart] canvas').first().waitFor()
  expect(Number.parseInt(await figure(page, 'Enviadas').innerText(), 10)).toBeGreaterThan(1)
  const failures = page.locator('[data-part=failures]')
  await failures.getByText('A que falhou e foi enviada depois não é falha').waitFor()
  expect(await failures.locator('tbody tr').first().locator('td').allInnerTexts()).toEqual([expect.stringContaining('canal'), '1', '0'])
  await admin.shot('health-wide')

  await page.getByLabel('Período').focus()
  await page.keyboard.press('ArrowUp')
  await page.waitForURL(/days=7/)
  const chart = page.locator('[data-part=chart]').first()
  await chart.getByText('Ver como tabela').click()
  await expect.poll(() => chart.locator('tbody tr').count()).toBe(7)
  await page.reload()
  await chart.locator('canvas').waitFor()
  expect(await page.getByLabel('Período').inputValue()).toBe('7')

  const read = chart.getByRole('button', { name: 'Lidas' })
  await read.click()
  expect(await read.getAttribute('aria-pressed')).toBe('false')
  const box = (await chart.locator('.u-over').boundingBox())!
  await page.mouse.move(box.x + box.width - 20, box.y + box.height / 2)
  const tip = chart.locator('[data-part=chart-tip]')
  await tip.waitFor()
  expect(await tip.innerText()).toMatch(/Enviadas: \d/)
  expect(await tip.innerText()).not.toContain('Lidas')
  await admin.shot('health-pointed')
  expect(await faultsOf(page, 'health')).toEqual([])
  expect(admin.wrong).toEqual([])
  await admin.leave()
})

it('the health page shows outages live', async () => {
  const admin = await on.enter('admin@demo.test', { theme: 'dark', at: '/connections/1/health' })
  const { page } = admin
  await page.locator('[data-part=chart] canvas').first().waitFor()
  await on.ask('POST', '/sandbox/1/session', { status: 'DISCONNECTED', reason: 'LOGGED_OUT' })
  await page.locator('[data-part=gaps]').getByText('ainda fora do ar').waitFor()
  await page.locator('[data-part=gaps]').getByText('foi desvinculada no celular').waitFor()
  await page.locator('[data-status=DISCONNECTED]').waitFor()
  expect((await on.ask('PUT', '/whatsappsession/1')).body.status).toBe('qrcode')
  await on.ask('POST', '/sandbox/1/session', { status: 'CONNECTED' })
  await page.locator('[data-part=gaps]').getByText('ainda fora do ar').waitFor({ state: 'detached' })
  await page.locator('[data-part=gaps]').getByText('Vinculada de novo por código').waitFor()
  await admin.shot('health-dark')

  const { id } = (await on.ask('POST', '/whatsapp', { name: 'Nada saiu', channel: 'whatsapp', provider: 'sandbox' })).body
  const stands = async (how: object) => expect((await on.ask('POST', `/sandbox/${id}/session`, how)).status).toBe(202)
  await stands({ status: 'CONNECTED' })
  await page.goto(`/connections/${id}/health`)
  await page.getByText('Nada foi recebido nem enviado neste período').waitFor()
  const said = { id: 'came-in', from: '5511944480078', name: 'Só Entrou', body: 'Tem alguém aí?' }
  expect((await on.ask('POST', `/sandbox/${id}/inbound`, said)).status).toBe(202)
  await eventually(
    async () => (await on.ask('GET', `/whatsapp/${id}/traffic`)).body.days.at(-1).received,
    (received) => received === 1,
  )
  await page.reload()
  expect([await figure(page, 'Recebidas').innerText(), await figure(page, 'Enviadas').innerText()]).toEqual(['1', '0'])
  await page.locator('[data-part=chart]').getByText('Recebidas por dia').waitFor()
  await stands({ status: 'DISCONNECTED', reason: 'LOGGED_OUT' })
  await figure(page, 'Fora do ar').getByText(/min/).waitFor() // although nothing was sent
  expect(admin.wrong).toEqual([])
  await admin.leave()
})

it('a number that may not start conversations shows until when', async () => {
  const db = new pg.Client({ connectionString: on.on.databaseUrl })
  await db.connect()
  await db.query(`update connection set no_new_chats_until = now() + interval '1 day' where id = 1`)
  await db.end()
  const admin = await on.enter('admin@demo.test', { at: '/connections/1/health' })
  await admin.page.getByText('o WhatsApp não deixa começar até').waitFor()
  await admin.page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => across(admin.page)).toBeLessThanOrEqual(0)
  await admin.shot('health-no-new-chats')
  expect(admin.wrong).toEqual([])
  await admin.leave()
})

it('the health page fits every width and is in the user’s language', async () => {
  for (const [language, theme, heading] of [
    ['tr', 'dark', /sağlığı/],
    ['en', 'light', /Health of/],
    ['es', 'dark', /Salud de/],
    ['pt-BR', 'light', /Saúde de/],
  ] as const) {
    const admin = await on.enter('admin@demo.test', { language, theme, at: '/connections/1/health' })
    const { page } = admin
    await page.getByRole('heading', { name: heading }).waitFor()
    await page.locator('[data-part=chart] canvas').first().waitFor()
    for (const width of [1440, 1024, 768, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await expect.poll(() => across(page)).toBeLessThanOrEqual(0)
      await admin.shot(`health-${language}-${width}`)
    }
    expect(admin.wrong).toEqual([])
    await admin.leave()
  }
})

it('the health page of a missing connection says so', async () => {
  const admin = await on.enter('admin@demo.test', { at: '/connections/999999/health' })
  await admin.page.getByText('Nenhuma conexão encontrada').waitFor()
  expect(admin.wrong).toEqual([])
})
