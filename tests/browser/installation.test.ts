import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { enterAs, type Look, type Person } from '#tests/support/browser.ts'
import { type Stage, startBrowserEnv } from '#tests/support/browser-env.ts'

/* A web process alone: nothing is received, sent or projected, and the pages of admins say so. */
let stage: Stage
let db: pg.Client
beforeAll(async () => {
  stage = await startBrowserEnv({ ROLES: 'web' })
  db = new pg.Client({ connectionString: stage.databaseUrl })
  await db.connect()
  await db.query(`update connection set status = 'CONNECTED', unleased_since = now()`)
})
afterAll(async () => {
  await db?.end()
  await stage?.clear()
})

async function enter(email: string, at: string, look: Look = {}): Promise<Person> {
  const one = await stage.come(look)
  await enterAs(one, email, at)
  return one
}

it.each([
  ['pt-BR', 'nada é recebido nem enviado', 'dados antigos', 'Parada'],
  ['en', 'nothing is received or sent', 'old data', 'Not running'],
  ['es', 'no se recibe ni se envía nada', 'datos antiguos', 'Detenida'],
  ['tr', 'hiçbir şey alınmıyor', 'eski verileri', 'Çalışmıyor'],
])('admins see that no worker and no projector runs, and no connection as connected (%s)', async (language, worker, projector, state) => {
  const { page, leave, wrong } = await enter('admin@demo.test', '/connections', { language, width: 390 })
  await page.locator('[data-part=server-fault]').getByText(worker).waitFor()
  await page.locator('[data-part=server-fault]').getByText(projector).waitFor()
  await page.locator('[data-status=unleased]').first().getByText(state).waitFor()
  expect(await page.locator('[data-status=CONNECTED]').count()).toBe(0)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  expect(wrong).toEqual([])
  await leave()
})

it('an agent sees no bar', async () => {
  const { page, leave } = await enter('ana@demo.test', '/tickets')
  await page.getByRole('main').waitFor()
  expect(await page.locator('[data-part=server-fault]').count()).toBe(0)
  await leave()
})

it('the mail settings warn while PUBLIC_URL is not set', async () => {
  const { page, leave } = await enter('super@demo.test', '/settings')
  await page.locator('[data-part=no-public-url]').getByText('http://127.0.0.1:').waitFor()
  await leave()
})

it('the connections of a restored installation are shown as held', async () => {
  await db.query(`insert into platform_setting (key, value) values ('restoredFrom', '2026-01-05T12:00:00Z')`)
  const { page, leave } = await enter('admin@demo.test', '/connections', { language: 'en' })
  await page.locator('[data-status=held]').first().getByText('Held').waitFor()
  expect(await page.locator('[data-status=unleased], [data-status=CONNECTED]').count()).toBe(0)
  expect(await page.locator('[data-part=server-fault]').count()).toBe(1) // the projector; its workers wait on purpose
  await leave()
})
