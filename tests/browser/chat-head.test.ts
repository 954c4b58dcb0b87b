import { afterAll, beforeAll, expect, it } from 'vitest'
import { accept, type Scene, scene } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

it('Back closes a dialog before it changes the ticket, and the dialog names its customer', async () => {
  const first = await on.says({ name: 'Lia Primeira', number: '5511944480051' }, 'Primeira')
  const second = await on.says({ name: 'Rui Segundo', number: '5511944480052' }, 'Segundo')
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${first.uuid}` })
  const { page } = ana
  await accept(page)
  await page
    .locator('[data-part=head]')
    .getByRole('button', { name: 'Voltar à lista' })
    .or(page.getByRole('tab', { name: /Aguardando/ }))
    .first()
    .click()
  await page.getByRole('tab', { name: /Aguardando/ }).click()
  await page.getByRole('link', { name: 'Rui Segundo' }).click()
  await page.locator('[data-part=head]').getByRole('heading', { name: 'Rui Segundo' }).waitFor()
  await accept(page)

  await page.locator('[data-part=head]').getByRole('button', { name: 'Transferir' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('heading', { name: 'Transferir Rui Segundo' }).waitFor()
  await page.goBack()
  await dialog.waitFor({ state: 'detached' })
  expect(page.url()).toContain(second.uuid)
  await page.goBack()
  await page.waitForURL((url) => !url.pathname.includes(second.uuid))
  await page.goForward()
  await page.locator('[data-part=head]').getByRole('heading', { name: 'Rui Segundo' }).waitFor()

  // closed by its button, the dialog leaves no entry behind
  await page.locator('[data-part=head]').getByRole('button', { name: 'Transferir' }).click()
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.goBack()
  await page.waitForURL((url) => !url.pathname.includes(second.uuid))
  expect(ana.wrong).toEqual([])
})

it('the header shows a customer’s whole name beside the open drawer', async () => {
  const { uuid } = await on.says({ name: 'Maximiliano Albuquerque', number: '5511944480053' }, 'Oi')
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${uuid}` })
  const { page } = ana
  await accept(page)
  await page.locator('[data-part=head-who]').click()
  await page.getByRole('complementary', { name: 'Contato' }).waitFor()
  const name = page.locator('[data-part=head-name]')
  const isWhole = () =>
    name.evaluate((one) => one.scrollWidth <= one.clientWidth && one.parentElement!.scrollHeight <= one.parentElement!.clientHeight)
  for (const width of [1440, 1280, 390]) {
    await page.setViewportSize({ width, height: 850 })
    if (width === 390) await page.goto(`/tickets/${uuid}`)
    await name.waitFor()
    await expect.poll(isWhole).toBe(true)
  }
  expect(ana.wrong).toEqual([])
})

it('a blocked contact is named in the header and above the composer until unblocked', async () => {
  const { uuid } = await on.says({ name: 'Breno Barrado', number: '5511944480055' }, 'Oi')
  const { contactId } = (await on.ask('GET', `/tickets/u/${uuid}`)).body
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${uuid}` })
  const { page } = ana
  await accept(page)
  const sign = page.locator('[data-part=head-blocked]')
  const notice = page.locator('[data-part=contact-blocked]')
  expect([await sign.count(), await notice.count()]).toEqual([0, 0])
  expect((await on.ask('PUT', `/contacts/block/${contactId}`, { active: false })).status).toBe(200)
  await sign.getByText('Bloqueado').waitFor()
  await notice.getByText('Contato bloqueado: as mensagens dele não são recebidas.').waitFor()
  await ana.shot('contact-blocked-in-chat')
  await page.setViewportSize({ width: 390, height: 850 })
  await sign.waitFor()
  await ana.shot('contact-blocked-in-chat-narrow')
  await notice.getByRole('button', { name: 'Desbloquear' }).click()
  await notice.waitFor({ state: 'detached' })
  expect(await sign.count()).toBe(0)
  expect((await on.ask('GET', `/contacts/${contactId}`)).body.active).toBe(true)
  expect(ana.wrong).toEqual([])
})
