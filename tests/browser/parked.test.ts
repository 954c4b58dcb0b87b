import { afterAll, beforeAll, expect, it } from 'vitest'
import { goLive, markRestored } from '#app/backup/restored.ts'
import { openStore, type Store } from '#projections/postgres.ts'
import { faultsOf } from '#tests/support/axe.ts'
import { type Scene, scene } from './scene.ts'

let on: Scene
let store: Store
beforeAll(async () => {
  on = await scene()
  store = openStore(on.on.databaseUrl, 1)
})
afterAll(async () => {
  await store?.db.destroy()
  await on?.clear()
})

it('a super user sees parked tickets with reasons, retries one and discards an event', async () => {
  const { id: ticketId } = await on.says({ name: 'Paula Parada', number: '5511944570002' }, 'Cheguei?')
  const at = { companyId: 1, ticketId, stream: `ticket-1-${ticketId}`, eventType: 'TicketQueued', revision: 9000, releasedAt: null }
  // The first is parked for a running processor, which has nothing to wait for. The other's processor does not
  // run.
  const waits = (follower: string, behind: number, reason: string) =>
    store.db
      .insertInto('parkedStream')
      .values({ ...at, follower, behind, reason, eventId: crypto.randomUUID() })
      .execute()
  await waits('ticketReactor', 9000, 'reading a property of undefined')
  await waits('nobody', 9004, `ticket-1-${ticketId} does not fold into ticket at revision 9000: ${'long '.repeat(40)}`)

  const { page, shot, wrong } = await on.enter('super@demo.test', { at: '/parked' })
  const list = page.getByRole('list', { name: 'Itens parados' })
  const cards = list.getByRole('listitem')
  await cards.nth(1).waitFor()
  expect(await page.getByRole('link', { name: 'Parados' }).count()).toBe(1)
  expect(await cards.first().innerText()).toMatch(/Saudações, envios e prazos[\s\S]*TicketQueued, registro 9000[\s\S]*reading a property/)
  await shot('parked')
  expect(await faultsOf(page, 'parked items')).toEqual([])
  for (const width of [390, 768, 1024]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await shot(`parked-${width}`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })

  await cards.first().getByRole('button', { name: 'Tentar de novo' }).click()
  await page.waitForFunction(() => document.querySelectorAll('[data-part=parked] > li').length === 1)
  await cards.first().getByRole('button', { name: 'Seguir sem o evento' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Seguir sem o evento' }).click()
  await dialog.getByRole('alert').first().waitFor() // a reason is required
  await dialog.getByLabel('Por quê').fill('Evento repetido pelo provedor')
  await shot('parked-give-up')
  await dialog.getByRole('button', { name: 'Seguir sem o evento' }).click()
  await dialog.waitFor({ state: 'detached' })
  await cards.first().getByRole('status').waitFor()
  const kept = await store.db.selectFrom('projectorSkip').select(['name', 'reason']).execute()
  expect(kept).toEqual([{ name: 'nobody', reason: 'Evento repetido pelo provedor' }])

  await store.db.deleteFrom('parkedStream').execute()
  await page.getByText('Nada está parado').waitFor()
  await shot('parked-none')
  expect(wrong).toEqual([])
  const ana = await on.enter('ana@demo.test')
  await ana.page.getByRole('main').waitFor()
  expect(await ana.page.getByRole('link', { name: 'Parados' }).count()).toBe(0)
})

it('every page says that the installation was restored and is read-only until go-live', async () => {
  await markRestored(store.pool, '2026-11-20T13:05:00.000Z')
  const { page, shot, wrong } = await on.enter('bruno@demo.test')
  const bar = page.getByText('Restaurado do backup de 20/11/2026 10:05')
  await bar.waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await shot('restored')
  expect(await goLive(store.pool)).toBe(true)
  await bar.waitFor({ state: 'detached' })
  expect(wrong).toEqual([])
})
