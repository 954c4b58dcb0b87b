import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore, type Store } from '#projections/postgres.ts'
import type { Person } from '#tests/support/browser.ts'
import { accept, answer, bubble, type Scene, scene, write } from './scene.ts'

/* The projector stops for a while. An agent's actions succeed, look done and are never shown as an error. */
let on: Scene
let store: Store
let ana: Person

beforeAll(async () => {
  on = await scene()
  store = openStore(on.on.databaseUrl, 2)
  ana = await on.enter('ana@demo.test')
})
afterAll(async () => {
  await store?.db.destroy()
  await on?.clear()
})

/** Locks the projector's checkpoint and returns a function that releases it. */
async function still(): Promise<() => Promise<void>> {
  const held = await store.pool.connect()
  await held.query('begin')
  await held.query('select from checkpoint for update')
  return async () => {
    await held.query('rollback')
    held.release()
  }
}
const errors = (page: Person['page']) => page.getByRole('alert').or(page.locator('[data-failed]'))
const mark = (page: Person['page'], text: string) => bubble(page, text).locator('[data-mark]').getAttribute('data-mark')

it('a sent message keeps one check over a reload until its row arrives', async () => {
  const customer = { name: 'Olga Parada', number: '5511944470001' }
  const { uuid } = await on.says(customer, 'Tem alguém?')
  await ana.page.goto(`/tickets/${uuid}`)
  await accept(ana.page)
  await answer(on, ana.page, customer, 'Sou a Ana')
  const letGo = await still()
  try {
    await write(ana.page, 'Um momento')
    await write(ana.page, 'Já estou vendo')
    await expect.poll(() => mark(ana.page, 'Já estou vendo')).toBe('sent')
    expect(await mark(ana.page, 'Um momento')).toBe('sent')
    expect(await errors(ana.page).count()).toBe(0)
    await ana.shot('stored')
    await ana.page.reload()
    await bubble(ana.page, 'Já estou vendo').waitFor()
    expect([await bubble(ana.page, 'Um momento').count(), await bubble(ana.page, 'Já estou vendo').count()]).toEqual([1, 1])
    expect(await mark(ana.page, 'Já estou vendo')).toBe('sent')
  } finally {
    await letGo()
  }
  await ana.page.locator('[data-pending]').first().waitFor({ state: 'detached' })
  await expect.poll(() => ana.page.locator('[data-pending]').count()).toBe(0)
  const said = await ana.page.getByRole('log').getByRole('article').allInnerTexts()
  expect(said.filter((text) => text.includes('Um momento'))).toHaveLength(1)
  expect(said.filter((text) => text.includes('Já estou vendo'))).toHaveLength(1)
  expect((await on.got(customer.number)).map(({ body }) => body.split('\n').at(-1))).toEqual(['Sou a Ana', 'Um momento', 'Já estou vendo'])
  expect(ana.wrong).toEqual([])
})

it('an accepted ticket looks accepted in list and chat, and can be answered', async () => {
  const customer = { name: 'Pedro Parado', number: '5511944470002' }
  const { uuid } = await on.says(customer, 'Posso falar?')
  await ana.page.goto(`/tickets/${uuid}`)
  await bubble(ana.page, 'Posso falar?').waitFor()
  const card = () => ana.page.getByRole('link', { name: customer.name })
  const tab = (name: RegExp) => ana.page.getByRole('tab', { name })
  const letGo = await still()
  try {
    await accept(ana.page)
    await card().waitFor()
    await write(ana.page, 'Pode sim')
    await expect.poll(() => mark(ana.page, 'Pode sim')).toBe('sent')
    await tab(/Aguardando/).click()
    await expect.poll(() => tab(/Aguardando/).getAttribute('aria-selected')).toBe('true')
    await ana.page.getByRole('tabpanel').getByRole('status').or(ana.page.getByRole('tabpanel').getByRole('list')).first().waitFor()
    expect(await card().count()).toBe(0)
    await tab(/Atendendo/).click()
    await card().waitFor()
    expect(await errors(ana.page).count()).toBe(0)
    await ana.shot('accepted')
  } finally {
    await letGo()
  }
  await ana.page.goto(`/tickets/${uuid}`)
  await bubble(ana.page, 'Pode sim').waitFor()
  await ana.page.locator('[data-part=head]').getByText('Em atendimento').waitFor()
  await expect.poll(() => ana.page.locator('[data-pending]').count()).toBe(0)
  expect(await bubble(ana.page, 'Pode sim').count()).toBe(1)
  expect(ana.wrong).toEqual([])
})
