import { afterAll, beforeAll, expect, it } from 'vitest'
import { accept, type Scene, scene, words } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

it('users see what a colleague does in a ticket, in it and on its card (A-HERE-01)', async () => {
  const ticket = await on.says({ name: 'Júlia Dividida', number: '5511944660001' }, 'Alguém pode me ajudar?')
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${ticket.uuid}` })
  const admin = await on.enter('admin@demo.test')
  await admin.page.getByRole('tab', { name: /Aguardando/ }).click()
  const card = admin.page.locator('[data-part=card]').filter({ hasText: 'Júlia Dividida' })
  await card.locator('[data-part=card-colleague][aria-label="Ana Souza está vendo"]').waitFor()
  await ana.page.getByRole('button', { name: 'Nota interna', exact: true }).click()
  await words(ana.page).fill('já liguei')
  await card.getByText('Ana Souza escreve uma nota').waitFor()
  await admin.shot('colleague-card')
  await words(ana.page).fill('')
  await ana.page.getByRole('button', { name: 'Nota interna', exact: true }).click()
  await accept(ana.page)
  await admin.page.goto(`/tickets/${ticket.uuid}`)
  const [hers, his] = [ana.page.locator('[data-part=colleagues]'), admin.page.locator('[data-part=colleagues]')]
  await his.getByText('Ana Souza está vendo').waitFor()
  await hers.getByText(/está vendo/).waitFor()

  await words(ana.page).fill('Claro, um momento')
  await his.getByText('Ana Souza está respondendo').waitFor()
  await admin.shot('colleague-replies')
  await his.getByText('Ana Souza tem um rascunho').waitFor() // after a pause
  await words(ana.page).fill('')
  await his.getByText('Ana Souza está vendo').waitFor()
  await ana.page.getByRole('button', { name: 'Nota interna', exact: true }).click()
  await words(ana.page).fill('cliente antiga')
  await his.getByText('Ana Souza escreve uma nota').waitFor()

  const other = await ana.context.newPage()
  await other.goto(`/tickets/${ticket.uuid}`)
  await other.getByRole('log').waitFor()
  await ana.page.goto('/contacts')
  await his.getByText('Ana Souza tem um rascunho').waitFor() // her other tab is still in the ticket
  await other.goto('/contacts')
  await his.waitFor({ state: 'detached' })
  await admin.page.setViewportSize({ width: 390, height: 844 })
  await other.goto(`/tickets/${ticket.uuid}`)
  await his.getByText(/Ana Souza/).waitFor()
  await admin.shot('colleague-390')
  expect([...ana.wrong, ...admin.wrong]).toEqual([])
})

it('the customer sees that a reply is typed, and nothing else of typing', async () => {
  const ticket = await on.says({ name: 'Nilo Atento', number: '5511944660002' }, 'Oi')
  const ana = await on.enter('ana@demo.test')
  const { page } = ana
  const signals: string[] = []
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      if (/"(typing|working)"/.test(String(payload))) signals.push(String(payload))
    }),
  )
  await page.goto(`/tickets/${ticket.uuid}`)
  await accept(page)
  const note = page.getByRole('button', { name: 'Nota interna', exact: true })
  const typed = () => signals.filter((signal) => signal.includes('"typing"'))
  await words(page).click()
  await note.click()
  await words(page).pressSequentially('cliente difícil')
  await expect.poll(() => signals.some((signal) => signal.includes('"notes"'))).toBe(true)
  await note.click()
  await words(page).click()
  await page.keyboard.press('ArrowLeft')
  expect(typed()).toEqual([])
  await words(page).pressSequentially('Olá')
  await expect.poll(() => typed().length).toBe(1)
  await words(page).fill('')
  expect(ana.wrong).toEqual([])
})

it('a colleague whose device fell silent is gone after a minute (A-HERE-01)', async () => {
  const ticket = await on.says({ name: 'Olga Calada', number: '5511944660003' }, 'Oi')
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${ticket.uuid}` })
  const admin = await on.enter('admin@demo.test')
  await admin.page.clock.install()
  await admin.page.goto(`/tickets/${ticket.uuid}`)
  const shown = admin.page.locator('[data-part=colleagues]').getByText('Ana Souza está vendo')
  await shown.waitFor()
  await ana.page.evaluate(() => {
    WebSocket.prototype.send = () => undefined
  })
  await admin.page.clock.fastForward(20_000)
  await shown.waitFor()
  await admin.page.clock.fastForward(50_000)
  await shown.waitFor({ state: 'detached' })
  expect(admin.wrong).toEqual([])
})
