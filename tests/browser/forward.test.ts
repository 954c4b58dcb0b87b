import { afterAll, beforeAll, expect, it } from 'vitest'
import { accept, bubble, choose, type Scene, scene, write } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

it('forwarding lists recent contacts first, names files, and an answer clears unread marks', async () => {
  const { uuid } = await on.says({ name: 'Olga Encaminha', number: '5511944600001' }, 'Segue para o outro')
  const ana = await on.enter('ana@demo.test')
  const { page } = ana
  await page.getByRole('tab', { name: /Aguardando/ }).click()
  await page.locator('[data-part=card]').filter({ hasText: 'Olga Encaminha' }).locator('[data-part=card-name]').click()
  await page.waitForURL(new RegExp(uuid))
  await page.locator('[data-part=unread-line]').waitFor()
  await accept(page)
  await write(page, 'Já encaminho')
  await bubble(page, 'Já encaminho').waitFor()
  await page.locator('[data-part=unread-line]').waitFor({ state: 'detached' })

  await page
    .locator('[data-part=composer] input[type=file]')
    .setInputFiles({ name: 'recibo.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
  await page.locator('[data-part=composer] textarea').press('Enter')
  await page.getByRole('button', { name: 'Ações da mensagem: recibo.txt' }).waitFor({ state: 'attached' })

  await choose(page, 'Segue para o outro', 'Encaminhar')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Em atendimento agora').waitFor()
  await ana.shot('forward-recent')
  expect(await dialog.locator('[data-part=person]').filter({ hasText: 'Olga Encaminha' }).count()).toBe(0) // the message is there already
  const first = dialog.locator('[data-part=person]').first()
  const name = (await first.locator('span').last().innerText()).trim()
  await first.click()
  await dialog.locator('[data-part=chosen]').getByText(name).waitFor()
  await dialog.getByRole('button', { name: 'Encaminhar' }).click()
  await page
    .getByText('Mensagem encaminhada')
    .or(page.getByRole('region', { name: 'Avisos' }).getByRole('listitem'))
    .first()
    .waitFor()
  expect(ana.wrong).toEqual([])
})

it('forwarding searches for a name that was typed before the channels were loaded', async () => {
  const { uuid } = await on.says({ name: 'Rita Rápida', number: '5511944600002' }, 'Para quem mais?')
  await on.says({ name: 'Otto Achado', number: '5511944600003' }, 'Oi')
  const ana = await on.enter('ana@demo.test')
  const { page } = ana
  const typed = Promise.withResolvers<void>()
  await page.route(/\/api\/whatsapp(\?|\/?$)/, async (route) => {
    await typed.promise
    await route.continue()
  })
  await page.goto(`/tickets/${uuid}`)
  await accept(page)
  await choose(page, 'Para quem mais?', 'Encaminhar')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Otto Achado')
  typed.resolve()
  await dialog.getByRole('button', { name: 'Otto Achado' }).waitFor()
  expect(await dialog.getByRole('textbox').inputValue()).toBe('Otto Achado')

  let forwarded = 0
  await page.route('**/api/**/forward*', (route) => {
    forwarded++
    return route.continue()
  })
  await dialog.getByRole('textbox').press('Enter', { delay: 90 }) // Enter chooses and sends nothing (R-MSG-07)
  await dialog.locator('[data-part=chosen]').getByText('Otto Achado').waitFor()
  await dialog.getByRole('button', { name: 'Trocar' }).click()
  await dialog.getByRole('textbox').waitFor()
  expect(forwarded).toBe(0)
  expect(ana.wrong).toEqual([])
})

it('several messages are selected by keys and clicks, and forwarded in their order (R-MSG-08)', async () => {
  const to = { name: 'Nina Recebe', number: '5511944600004' }
  await on.says(to, 'Estou aqui')
  const from = { name: 'Tito Escolhe', number: '5511944600005' }
  for (const body of ['primeira', 'segunda', 'terceira']) await on.says(from, body)
  const { uuid } = await on.says(from, 'quarta')
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${uuid}` })
  const { page } = ana
  await accept(page)
  const bar = page.locator('[data-part=picked]')
  const box = (text: string) => page.getByRole('checkbox', { name: `Selecionar: ${text}` })
  await choose(page, 'terceira', 'Selecionar')
  await bar.getByText('1 mensagem selecionada').waitFor()
  await box('terceira').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Shift+Tab')
  await box('segunda').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Space')
  await bar.getByText('2 mensagens selecionadas').waitFor()
  await page.keyboard.press('Escape') // nothing is selected, and the previous view is back
  await bar.waitFor({ state: 'detached' })
  await page.getByRole('textbox', { name: 'Mensagem' }).waitFor()

  await choose(page, 'quarta', 'Selecionar')
  for (const text of ['primeira', 'terceira', 'segunda']) await bubble(page, text).click({ position: { x: 5, y: 5 }, force: true })
  await bubble(page, 'terceira').click({ position: { x: 5, y: 5 }, force: true })
  await bar.getByText('3 mensagens selecionadas').waitFor()
  await ana.shot('picked')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await ana.shot('picked-narrow')
  await page.setViewportSize({ width: 1440, height: 900 })
  await bar.getByRole('button', { name: 'Encaminhar' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('3 mensagens').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await bar.getByText('3 mensagens selecionadas').waitFor() // the selection stays
  await bar.getByRole('button', { name: 'Encaminhar' }).click()
  await dialog.getByRole('textbox').fill('Nina Recebe')
  await dialog.getByRole('button', { name: /Nina Recebe/ }).click()
  await page.keyboard.press('Control+Enter')
  await dialog
    .getByRole('status')
    .getByText(/Encaminhando: \d de 3/)
    .waitFor()
  await bar.waitFor({ state: 'detached' })
  await expect.poll(async () => (await on.got(to.number)).map(({ body }) => body)).toEqual(['primeira', 'segunda', 'quarta'])
  expect(ana.wrong).toEqual([])
  await ana.leave()
})
