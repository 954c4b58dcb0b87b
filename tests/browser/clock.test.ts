import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '#tests/support/wait.ts'
import { accept, answer, type Scene, scene } from './scene.ts'

/* The app's clock on the screen, and a requested rating. The test advances the clock instead of waiting. */
let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

it('a button advances the clock after confirmation, and every screen shows the app’s time', async () => {
  const { page, shot } = await on.keeper()
  await page.goto('/sandbox')
  const clock = page.getByRole('region', { name: 'Relógio simulado' })
  await clock.getByText('hora real').waitFor()
  await clock.getByRole('button', { name: 'Adiantar 1 h', exact: true }).click()
  const question = page.getByRole('alertdialog')
  await question.getByText('o tempo não volta').waitFor()
  await shot('clock-asks')
  await question.getByRole('button', { name: 'Adiantar 1 h' }).click()
  await clock.getByText('1 h à frente').waitFor()
  await clock.getByRole('button', { name: 'Adiantar 1 dia', exact: true }).click() // known by now, so without a question
  await clock.getByText('1 dia à frente').waitFor()
  const phone = await on.phoneOf({ name: 'Rosa Relógio', number: '5511944480000' })
  await phone.waitFor()
  await shot('clock')
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await shot('clock-sandbox-390')
  await page.setViewportSize({ width: 1440, height: 900 })
  const { uuid } = await on.says({ name: 'Rosa Relógio', number: '5511944480000' }, 'Bom dia de amanhã')
  const ana = await on.enter('ana@demo.test', { width: 390, height: 800, theme: 'dark', at: `/tickets/${uuid}` })
  await ana.page.getByRole('log').locator('time').first().waitFor()
  const tomorrow = await ana.page.evaluate(() => document.querySelector('[role=log] time')?.getAttribute('datetime') ?? '')
  expect(Date.parse(tomorrow)).toBeGreaterThan(Date.now() + 24 * 3_600_000)
  await ana.shot('clock-390')
  expect(ana.wrong).toEqual([])
})

it('a served contact is asked for a rating, which appears in head, thread and log', async () => {
  const asked = { queueIds: [], ratingMessage: 'De 0 a 10, como fomos?', expiresTicketNPS: 30, complationMessage: 'Obrigado!' }
  expect(await on.ask('PUT', '/whatsapp/1', asked)).toMatchObject({ status: 200 })
  const customer = { name: 'Nina Nota', number: '5511944480001' }
  const { uuid } = await on.says(customer, 'Chegou tudo certo')
  const { page, shot, wrong } = await on.enter('bruno@demo.test', { at: `/tickets/${uuid}` })
  await accept(page)
  await answer(on, page, customer, 'Que bom!')
  const head = page.locator('[data-part=head]')
  await head.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Resolver e pedir avaliação' }).click()
  await page.getByText('Nina Nota: resolvido').waitFor()
  await page.goto(`/tickets/${uuid}`)
  await head.getByText('Aguardando avaliação').waitFor()
  await on.ask('POST', '/sandbox/clock', { advanceMs: 60_000 })
  await eventually(
    () => on.got(customer.number),
    (all) => all.some(({ body }) => body.includes('De 0 a 10')),
  )
  await on.ask('POST', '/sandbox/1/inbound', { id: 'nina-9', from: customer.number, name: customer.name, body: '9' })
  await head.getByText('Resolvido').waitFor()
  await head.getByRole('img', { name: 'Avaliação: 9 de 10' }).waitFor()
  await page.getByRole('log').getByText('O cliente avaliou com 9').waitFor()
  await shot('rating')
  expect(wrong).toEqual([])
})
