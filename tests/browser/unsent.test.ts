import { afterAll, beforeAll, expect, it } from 'vitest'
import { accept, bubble, type Scene, scene, write } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

it('the bar leads to an unsent message, also after another sign-in', async () => {
  const customer = { name: 'Nair Falha', number: '5511944540001' }
  const { uuid } = await on.says(customer, 'Podem confirmar?')
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${uuid}` })
  await accept(ana.page)
  expect((await on.ask('POST', '/sandbox/1/faults', { failCode: 'ERR_SENDING_WAPP_MSG', count: 50 })).status).toBe(202)
  await write(ana.page, 'Confirmado para amanhã')
  await bubble(ana.page, 'Confirmado para amanhã').getByText('Não foi enviada.').waitFor()
  await on.ask('POST', '/sandbox/1/faults', { count: 0 })
  await ana.page.setViewportSize({ width: 390, height: 844 })
  await ana.page.getByRole('button', { name: '1 não enviada' }).waitFor()
  expect(await ana.page.locator('[data-part=topbar]').getByRole('button', { name: 'Buscar ou ir para…' }).isVisible()).toBe(false)
  await ana.shot('unsent-in-narrow-chat')
  await ana.page.setViewportSize({ width: 1440, height: 900 })
  const otto = await on.enter('auditor@demo.test', { at: `/tickets/${uuid}/history` })
  const replayed = otto.page.locator('[data-part=replay-message]').filter({ hasText: 'Confirmado para amanhã' })
  await replayed.getByRole('img', { name: 'Não enviada' }).waitFor()
  expect(await replayed.innerText()).toMatch(/Não foi enviada: [A-Z][a-zà-ú]/) // a text, not a code
  await otto.leave()
  for (let n = 1; n <= 50; n++)
    await on.ask('POST', '/sandbox/1/inbound', { id: `on-${n}`, from: customer.number, name: customer.name, body: `E agora ${n}?` })
  await bubble(ana.page, 'E agora 50?').waitFor()
  await ana.page.goto('/tickets')
  const card = ana.page.locator('[data-part=card]').filter({ hasText: customer.name })
  await card.getByRole('img', { name: '1 não enviada' }).waitFor()
  await expect.poll(() => ana.page.title()).toContain('1 não enviada')
  await ana.leave()

  const back = await on.enter('ana@demo.test', { at: '/contacts' })
  const { page } = back
  await page.getByRole('button', { name: '1 não enviada' }).click()
  await page.waitForURL(new RegExp(uuid))
  const failed = bubble(page, 'Confirmado para amanhã')
  await failed.waitFor()
  await expect
    .poll(() =>
      failed.evaluate((one) => {
        const { top, bottom } = one.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      }),
    )
    .toBe(true)
  await back.shot('unsent')
  expect(back.wrong).toEqual([])
})

it('a card shows messages waiting for the connection, and removes them once they are sent', async () => {
  const customer = { name: 'Wanda Aguarda', number: '5511944540002' }
  const { uuid } = await on.says(customer, 'Me avisem quando chegar')
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${uuid}` })
  const { page } = ana
  await accept(page)
  let away = true
  await page.route('**/api/messages/*', (route) => (away && route.request().method() === 'POST' ? route.abort() : route.continue()))
  await write(page, 'Chegou hoje de manhã')
  await write(page, 'Pode vir buscar')
  const ours = page.locator('[data-part=message][data-us]')
  await bubble(page, 'Pode vir buscar').waitFor()
  const signedOnce = async () => {
    const [groups, names] = [await ours.and(page.locator('[data-first]')).count(), await ours.filter({ hasText: 'Ana Souza:' }).count()]
    return groups > 0 && groups === names
  }
  await expect.poll(signedOnce).toBe(true)
  const card = page.locator('[data-part=card]').filter({ hasText: customer.name })
  await card.getByRole('img', { name: '2 esperam para ser enviadas' }).waitFor()
  await card.getByText('você: Pode vir buscar').waitFor()
  await ana.shot('waits-to-leave')
  await page.goto('/tickets') // also without an open chat
  await card.getByRole('img', { name: '2 esperam para ser enviadas' }).waitFor()
  away = false
  await card.getByRole('img', { name: /para ser enviada/ }).waitFor({ state: 'detached' })
  await card.getByText('você: Pode vir buscar').waitFor()
  await card.locator('[data-part=card-name]').click()
  await bubble(page, 'Pode vir buscar').waitFor()
  await expect.poll(() => page.locator('[data-pending]').count()).toBe(0)
  expect(await signedOnce()).toBe(true)
  expect((await on.got(customer.number)).map(({ body }) => body)).toEqual([
    '*Ana Souza:*\nChegou hoje de manhã',
    '*Ana Souza:*\nPode vir buscar',
  ])
  await ana.shot('left-signed-once')
  expect(ana.wrong.filter((one) => !one.includes('ERR_FAILED'))).toEqual([])
})
