import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore } from '#projections/postgres.ts'
import { eventually } from '#tests/support/wait.ts'
import { type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

it('a large close-all runs in the background, survives a reload, and can be undone', async () => {
  for (let n = 0; n < 24; n++) {
    const from = { id: `viele-${n}`, from: `55119446300${n + 10}`, name: `Fila longa ${n}` }
    expect((await on.ask('POST', '/sandbox/1/inbound', { ...from, body: 'Alguém aí?' })).status).toBe(202)
  }
  const waiting = async () => (await on.ask('GET', '/tickets?status=pending&showAll=true')).body.count as number
  await eventually(waiting, (count) => count >= 24)
  const admin = await on.enter('admin@demo.test')
  const { page } = admin
  await page.getByRole('tab', { name: /Aguardando/ }).click()
  const before = await waiting()
  await page.getByRole('button', { name: /Encerrar todos/ }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: `Encerrar ${before}`, exact: true })
    .click()
  const bar = page.locator('[data-part=works]').getByRole('button')
  await bar.waitFor()
  await eventually(waiting, (count) => count === 0)
  await page.reload()
  await bar.waitFor()
  await bar.click()
  const dialog = page.getByRole('dialog', { name: 'Trabalhos concluídos' })
  await dialog.getByText(new RegExp(`${before} atendimentos encerrados`)).waitFor()
  await admin.shot('works')
  await dialog.getByRole('button', { name: 'Desfazer' }).click()
  await eventually(waiting, (count) => count === before)
  await page.getByText(`${before} atendimentos reabertos`).waitFor()
  await dialog.waitFor({ state: 'detached' })
  await bar.waitFor({ state: 'detached' })
  expect(admin.wrong).toEqual([])
})

it('a bulk operation can be stopped and dismissed, and its errors saved, also on a phone', async () => {
  const store = openStore(on.on.databaseUrl, 1)
  const carla = await on.enter('carla@demo.test', { width: 390, height: 844, theme: 'dark' })
  try {
    const me = (await store.db
      .selectFrom('user')
      .select(['id', 'companyId'])
      .where('email', '=', 'carla@demo.test')
      .executeTakeFirstOrThrow())!
    const row = {
      companyId: me.companyId,
      userId: me.id,
      kind: 'closeTickets',
      commandId: 'held-by-nobody',
      args: '{}',
      items: '[1,2,3]',
    } as const
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    const { id } = await store.db
      .insertInto('bulkOperation')
      .values({ ...row, total: 3, done: 2, changed: 1, failed: 1, holder: crypto.randomUUID(), beatAt: soon })
      .returning('id')
      .executeTakeFirstOrThrow()
    await store.db
      .insertInto('bulkOperationError')
      .values({ workId: id, companyId: me.companyId, item: 2, code: 'ERR_TICKET_NOT_OPEN' })
      .execute()
    const { page } = carla
    const bar = page.locator('[data-part=works]').getByRole('button')
    await bar.filter({ hasText: '2 de 3' }).click()
    const piece = page.getByRole('dialog').locator('[data-part=work]')
    await carla.shot('works-390')
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    const file = page.waitForEvent('download')
    await piece.getByRole('button', { name: 'Baixar os recusados' }).click()
    expect((await file).suggestedFilename()).toBe(`guiche-${id}.csv`)
    await piece.getByRole('button', { name: 'Parar' }).click()
    await piece.getByText('Parado em 2 de 3').waitFor()
    await piece.getByRole('button', { name: 'Dispensar' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await bar.waitFor({ state: 'detached' })
    expect(carla.wrong).toEqual([])
  } finally {
    await store.db.destroy()
  }
})
