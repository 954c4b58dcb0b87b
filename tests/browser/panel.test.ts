import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf } from '#tests/support/axe.ts'
import type { Person } from '#tests/support/browser.ts'
import { client, signIn } from '#tests/support/processes.ts'
import { eventually } from '#tests/support/wait.ts'
import { type Scene, scene } from './scene.ts'

/* The real-time panel: who waits, and who serves whom. */
let on: Scene
let admin: Person
beforeAll(async () => {
  on = await scene()
  admin = await on.enter('admin@demo.test', { at: '/moments' })
  await admin.page.locator('[data-column=waiting]').waitFor()
})
afterAll(() => on?.clear())

const column = (name: string | number, one = admin) => one.page.locator(`[data-column="${name}"]`)
const idOf = async (email: string) => (await signIn(() => on.on.server.url, email)).user.id as number

it('a new ticket appears among the waiting ones, and moves to the agent who accepts it', async () => {
  const customer = { name: 'Painel Ferreira', number: '5511944430001' }
  const ticket = await on.says(customer, 'Alguém aí?')
  const card = admin.page.locator(`[data-part=panel-card][data-card="${ticket.id}"]`)
  await column('waiting').locator(`[data-card="${ticket.id}"]`).waitFor()
  await admin.shot('panel')
  const { token, user } = await signIn(() => on.on.server.url, 'ana@demo.test')
  const [{ id: queueId }] = (await on.ask('GET', `/users/${user.id}`)).body.queues
  const accepted = await client(() => on.on.server.url, token)('PUT', `/tickets/${ticket.id}`, { status: 'open', userId: user.id, queueId })
  expect(accepted.status).toBeLessThan(300)
  await column(user.id).locator(`[data-card="${ticket.id}"]`).waitFor()

  const carla = await idOf('carla@demo.test')
  await card.getByRole('button', { name: 'Transferir Painel Ferreira para' }).click()
  const agents = card.getByRole('combobox', { name: 'Transferir Painel Ferreira para' })
  await agents.press('ArrowDown')
  await agents.press('Escape')
  expect(
    await card.getByRole('button', { name: 'Transferir Painel Ferreira para' }).evaluate((one) => one === document.activeElement),
  ).toBe(true)
  expect((await on.ask('GET', `/tickets/u/${ticket.uuid}`)).body.userId).toBe(user.id)
  await card.getByRole('button', { name: 'Transferir Painel Ferreira para' }).click()
  await agents.selectOption(String(carla))
  await card.getByRole('button', { name: 'Transferir', exact: true }).click()
  await column(carla).locator(`[data-card="${ticket.id}"]`).waitFor()
  await eventually(
    async () => (await on.ask('GET', `/tickets/u/${ticket.uuid}`)).body.userId,
    (userId) => userId === carla,
  )
  await admin.page.getByRole('button', { name: 'Desfazer' }).first().click()
  await column(user.id).locator(`[data-card="${ticket.id}"]`).waitFor()
  await eventually(
    async () => (await on.ask('GET', `/tickets/u/${ticket.uuid}`)).body.userId,
    (userId) => userId === user.id,
  )
  const bruno = await idOf('bruno@demo.test')
  await column(bruno).scrollIntoViewIfNeeded()
  await card.hover()
  await admin.page.mouse.down()
  const { x, y } = (await column(bruno).boundingBox())!
  await admin.page.mouse.move(x + 60, y + 60, { steps: 8 }) // as a hand does: a jump drops onto nothing
  await admin.page.mouse.up()
  await column(bruno).locator(`[data-card="${ticket.id}"]`).waitFor()
  await card.getByRole('link').click()
  await admin.page.waitForURL(new RegExp(ticket.uuid))
  expect(admin.wrong).toEqual([])
})

it('is filtered, shows agents without tickets, and says when nothing matches', async () => {
  const { page } = admin
  await page.goto('/moments')
  await column('waiting').waitFor()
  const before = await page.locator('[data-column]').count()
  await page.getByText('Mostrar quem não tem atendimentos').click()
  await eventually(
    () => page.locator('[data-column]').count(),
    (n) => n > before,
  )
  await page.getByText('Mostrar quem não tem atendimentos').click()
  await page.getByLabel('Atendente', { exact: true }).selectOption({ label: 'Otávio Reis' })
  await page.getByText('Nada com estes filtros').waitFor()
  await page.reload()
  await page.getByText('Nada com estes filtros').waitFor()
  await page.getByRole('button', { name: 'Limpar filtros' }).click()
  await column('waiting').waitFor()
})

it('an agent with the right sees whom others serve, without the text', async () => {
  const url = () => on.on.server.url
  const { token, user } = await signIn(url, 'bruno@demo.test')
  const ask = client(url, token)
  expect((await ask('GET', '/usersMoments')).status).toBe(403)
  expect((await on.ask('PUT', `/users/${user.id}`, { allowRealTime: 'enabled', allUserChat: 'disabled' })).status).toBe(200)
  const again = await signIn(url, 'bruno@demo.test')
  const { body } = await client(url, again.token)('GET', '/usersMoments')
  const others = body.tickets.filter(({ userId }: { userId: number | null }) => userId !== null && userId !== user.id)
  expect(others.length).toBeGreaterThan(0)
  type Shown = { lastMessage: string; msgTransfer: string | null; transfer: { note: string | null } | null }
  const told = ({ lastMessage, msgTransfer, transfer }: Shown) =>
    lastMessage !== '' || msgTransfer !== null || (transfer?.note ?? null) !== null
  expect(others.filter(told)).toEqual([])
})

it.each([-7, 7])('a device whose clock is %d minutes wrong shows the right waiting times (V46)', async (minutes) => {
  const ticket = await on.says({ name: 'Hora Certa', number: `551194443004${minutes + 7}` }, 'Que horas são?')
  const one = await on.enter('admin@demo.test', { at: '/moments' })
  await one.page.addInitScript(`{
    const real = Date
    const shifted = () => real.now() + ${minutes * 60_000}
    window.Date = class extends real {
      constructor(...of) {
        super(...(of.length === 0 ? [shifted()] : of))
      }
      static now() {
        return shifted()
      }
    }
  }`)
  await one.page.reload()
  const waited = one.page.locator(`[data-card="${ticket.id}"] [data-part=waited]`)
  await waited.waitFor()
  expect(Math.abs((await one.page.evaluate(() => Date.now())) - Date.now())).toBeGreaterThan(6 * 60_000)
  await expect.poll(() => waited.getAttribute('data-urgency')).toBe('fresh')
  const shown = Number.parseInt((await waited.locator('span[aria-hidden]').textContent())!, 10)
  const since = Date.parse((await waited.getAttribute('datetime'))!)
  expect(shown).toBeLessThanOrEqual((Date.now() - since) / 60_000)
  await one.leave()
})

it('colours waiting times at the limits of the company', async () => {
  const one = await on.enter('admin@demo.test', { at: '/moments' })
  const late = () => one.page.locator('[data-urgency=late]').count()
  const limit = (value: string) => on.ask('PUT', '/settings/waitingLateMinutes', { value })
  await expect.poll(late).toBeGreaterThan(0)
  expect((await limit('9999')).status).toBe(200)
  await expect.poll(late).toBe(0)
  expect((await limit('0')).status).toBe(400)
  expect((await limit('30')).status).toBe(200)
  await expect.poll(late).toBeGreaterThan(0)
  await one.leave()
})

it.each([
  [390, 'light', 'en'],
  [2560, 'dark', 'tr'],
] as const)('at %d px, %s, in %s it has no accessibility faults', async (width, theme, language) => {
  const one = await on.enter('admin@demo.test', { at: '/moments', width, theme, language })
  await column('waiting', one).waitFor()
  expect(await faultsOf(one.page, `panel ${width}`, [theme])).toEqual([])
  await one.shot(`panel-${width}-${theme}`)
  expect(one.wrong).toEqual([])
  await one.leave()
})
