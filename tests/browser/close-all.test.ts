import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore } from '#projections/postgres.ts'
import { accept, type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

it('close-all closes the listed tickets, names their owners and notifies them (R-TICKET-18)', async () => {
  const { uuid } = await on.says({ name: 'Fátima Fechada', number: '5511944480001' }, 'Oi')
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${uuid}` })
  await accept(ana.page)
  const helena = await on.enter('admin@demo.test')
  const { page } = helena
  await page.getByRole('tab', { name: /Atendendo/ }).click()
  const own = (await on.ask('GET', '/users/list')).body.find(({ email }: { email: string }) => email === 'admin@demo.test')
  const count = async (more: string) => (await on.ask('GET', `/tickets?status=open&pageSize=1&showAll=true${more}`)).body.count as number
  const asks = page.getByRole('alertdialog')
  const mine = await count(`&users=[${own.id}]`)
  await page.getByRole('button', { name: 'Encerrar todos' }).click()
  await asks.getByRole('button', { name: mine === 0 ? 'Encerrar todos' : `Encerrar ${mine}`, exact: true }).waitFor()
  expect(await asks.getByText('Ana Souza').count()).toBe(0)
  await asks.getByRole('button', { name: 'Cancelar' }).click()

  await page.getByRole('button', { name: /Filtros/ }).click()
  await page.getByText('Ver de todos').click()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Fátima Fechada' }).waitFor()
  const all = await count('')
  await page.getByRole('button', { name: 'Encerrar todos' }).click()
  await asks.getByText(/Ana Souza/).waitFor()
  await helena.shot('close-all-whose')
  await asks.getByRole('button', { name: `Encerrar ${all}`, exact: true }).click()
  await ana.page.getByText(/Helena.* fechou/).waitFor()
  await ana.shot('closed-by')
  await page.getByRole('button', { name: 'Desfazer' }).click()
  await page.mouse.move(900, 300) // nothing moves under the pointer
  await page.getByRole('link', { name: 'Fátima Fechada' }).waitFor()
  expect([...ana.wrong, ...helena.wrong]).toEqual([])
})

it('closed and reopened tickets look pending until the list shows the change, however late', async () => {
  const { page, wrong } = await on.enter('admin@demo.test')
  for (const [name, number] of [
    ['Lenta Um', '5511944480002'],
    ['Lenta Dois', '5511944480003'],
  ] as const) {
    const { uuid } = await on.says({ name, number }, 'Oi')
    await page.goto(`/tickets/${uuid}`)
    await accept(page)
  }
  await page.goto('/tickets')
  await page.getByRole('tab', { name: /Atendendo/ }).click()
  const cards = page.locator('[data-part=card]').filter({ hasText: /Lenta (Um|Dois)/ })
  const busy = cards.and(page.locator('[aria-busy=true]'))
  await expect.poll(() => cards.count()).toBe(2)
  await page.mouse.move(900, 300) // nothing moves under the pointer
  const store = openStore(on.on.databaseUrl, 1)
  const held = await store.pool.connect()
  const still = async () => {
    await held.query('begin')
    await held.query('select from checkpoint for update')
  }
  const letGo = () => held.query('rollback')
  const answered = (path: RegExp) => page.waitForResponse((one) => path.test(one.url()) && one.request().method() === 'POST')
  const listed = () => page.waitForResponse((one) => /\/tickets\?/.test(one.url()))
  try {
    await still()
    await page.getByRole('button', { name: 'Encerrar todos' }).click()
    const closed = answered(/listed\/close/).then(listed)
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Encerrar \d+$/ })
      .click()
    await closed
    expect([await cards.count(), await busy.count()]).toEqual([2, 2])
    expect(await page.getByRole('button', { name: 'Desfazer' }).count()).toBe(0)
    await letGo()
    await expect.poll(() => cards.count()).toBe(0)
    await page.getByRole('button', { name: 'Desfazer' }).waitFor()

    await still()
    const reopened = answered(/closeAll\/undo/).then(listed)
    await page.getByRole('button', { name: 'Desfazer' }).click()
    await reopened
    await page.getByText('Reabrindo…').waitFor()
    expect(await cards.count()).toBe(0)
    await letGo()
    await expect.poll(() => cards.count()).toBe(2)
    await page.getByText('Reabrindo…').waitFor({ state: 'detached' })
    expect(await busy.count()).toBe(0)
  } finally {
    await letGo().catch(() => null)
    held.release()
    await store.db.destroy()
  }
  expect(wrong).toEqual([])
})
