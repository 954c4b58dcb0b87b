import { pino } from 'pino'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { anchorAll } from '#app/anchor/make.ts'
import { signingKey } from '#app/anchor/signing-key.ts'
import { eventMacKeys } from '#app/crypto/event-mac-keys.ts'
import { createPostgresEventStore } from '#app/event-store/postgres.ts'
import { streamKinds } from '#app/modules.ts'
import { openStore } from '#projections/postgres.ts'
import { type Scene, scene } from './scene.ts'

/* An auditor sees how much of a history is anchored, and the key that verifies it. */
let on: Scene
let ticket: { id: number; uuid: string }
let publicKey: string
const customer = { name: 'Âncora Ferreira', number: '5511944480077' }
beforeAll(async () => {
  on = await scene()
  ticket = await on.says(customer, 'Quero isto por escrito')
})
afterAll(() => on?.clear())

/** Does what the worker does every ten minutes. */
async function anchor(): Promise<void> {
  const { databaseUrl: connectionString, masterKey } = on.on
  const { db } = openStore(connectionString, 2)
  const log = await createPostgresEventStore({ connectionString })
  try {
    const key = await signingKey(db, masterKey)
    publicKey = key.publicKey
    const signing = await eventMacKeys(db, masterKey)
    const deps = { db, eventStore: log, signingKey: key, eventMacKeys: signing, logger: pino({ level: 'silent' }), streams: streamKinds }
    await anchorAll(deps, AbortSignal.timeout(20_000))
  } finally {
    await log.close()
    await db.destroy()
  }
}
/** How far the anchor texts extend beyond the right edge. */
const beyond = (page: Page) =>
  page
    .locator('[data-part=anchor-lead], [data-part=anchor-state]')
    .evaluate((one) => Math.max(0, one.getBoundingClientRect().right - document.documentElement.clientWidth))

it('a history shows what is not anchored yet, then its last anchor, in every width and theme', async () => {
  const otto = await on.enter('auditor@demo.test', { at: '/history' })
  const { page } = otto
  const state = page.locator('[data-part=replay-chain]')
  await page.getByText('Ainda sem âncora').waitFor()
  await page.goto(`/tickets/${ticket.uuid}/history`)
  await state.getByText('Ainda não ancorado').waitFor()
  await state.getByText('Nomes de pessoas, filas e contatos: como são hoje.').waitFor()
  await anchor()
  await page.reload()
  await state.getByText(/^Ancorado até o registro \d+ \(âncora nº 1\)/).waitFor()
  await page.goto('/history')
  await page.getByText(/^Última âncora: nº 1/).waitFor()
  expect(otto.wrong).toEqual([])
  await otto.leave()
  for (const theme of ['light', 'dark'] as const)
    for (const path of ['/history', `/tickets/${ticket.uuid}/history`]) {
      const seen = await on.enter('auditor@demo.test', { theme, at: path })
      for (const width of [390, 768, 1024, 1440]) {
        await seen.page.setViewportSize({ width, height: 900 })
        await seen.page.getByRole('button', { name: /^([0-9a-f]{4} ){15}[0-9a-f]{4}/ }).waitFor()
        await seen.shot(`anchored-${path === '/history' ? 'list' : 'replay'}-${width}-${theme}`)
        expect({ path, width, beyond: await beyond(seen.page) }).toEqual({ path, width, beyond: 0 })
      }
      await seen.leave()
    }
})

it('a button copies the public key in the form that verify accepts', async () => {
  const { page, leave } = await on.enter('auditor@demo.test', { at: `/tickets/${ticket.uuid}/history` })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByTitle('Copiar a chave pública que confere âncoras e arquivos exportados').click()
  await page.getByRole('status').filter({ hasText: 'Copiado' }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(publicKey)
  await leave()
})
