import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { accept, answer, bubble, type Scene, scene, words } from './scene.ts'

let on: Scene
let ana: Person
let bruno: Person

beforeAll(async () => {
  on = await scene()
  ana = await on.enter('ana@demo.test')
  bruno = await on.enter('bruno@demo.test')
})
afterAll(() => on?.clear())

it('a ticket accepted by another agent stays readable, and the typed note can be copied', async () => {
  const customer = { name: 'Tadeu Disputado', number: '5511944460001' }
  const { uuid } = await on.says(customer, 'Quem me atende primeiro?')
  for (const { page } of [ana, bruno]) {
    await page.goto(`/tickets/${uuid}`)
    await bubble(page, 'Quem me atende primeiro?').waitFor()
  }
  await ana.page.getByRole('button', { name: 'Nota interna' }).click()
  await words(ana.page).fill('Este cliente já ligou ontem')
  await ana.page.locator('[data-part=head]').getByRole('button', { name: 'Aceitar', exact: true }).click()
  const queueDialog = ana.page.getByRole('dialog')
  await queueDialog.getByLabel('Fila').waitFor()
  await accept(bruno.page)
  await queueDialog.waitFor({ state: 'detached' })

  const told = ana.page.getByRole('status').filter({ hasText: 'Bruno Lima aceitou este atendimento.' })
  await told.waitFor()
  expect(new URL(ana.page.url()).pathname).toBe(`/tickets/${uuid}`)
  await bubble(ana.page, 'Quem me atende primeiro?').waitFor()
  await ana.page.getByText('Sua nota interna, guardada').waitFor()
  await ana.page.getByRole('button', { name: 'Copiar' }).waitFor()
  await words(ana.page).press('Enter')
  await ana.page.getByText('Não foi enviado.').waitFor()
  expect(await words(ana.page).inputValue()).toBe('Este cliente já ligou ontem')
  await ana.shot('taken')

  // messages after that go only to Bruno, and earlier ones stay visible
  await answer(on, bruno.page, customer, 'Eu mesmo!')
  await on.says(customer, 'Que rápido!')
  await bubble(bruno.page, 'Que rápido!').waitFor()
  expect(await ana.page.getByText('Eu mesmo!').count()).toBe(0)
  expect(await bubble(ana.page, 'Quem me atende primeiro?').count()).toBe(1)

  await bruno.page.locator('[data-part=head]').getByRole('button', { name: 'Devolver', exact: true }).click()
  await bubble(ana.page, 'Que rápido!').waitFor()
  await told.waitFor({ state: 'detached' })
  expect(await words(ana.page).inputValue()).toBe('Este cliente já ligou ontem')
  expect([...ana.wrong, ...bruno.wrong]).toEqual([])
})

it('agents without the ticket open do not get its new owner’s name', async () => {
  const { uuid } = await on.says({ name: 'Nilda Calada', number: '5511944460002' }, 'Alguém?')
  const frames: string[] = []
  ana.page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => frames.push(String(payload))))
  await ana.page.goto('/tickets')
  await ana.page.getByRole('tab', { name: /Aguardando/ }).click()
  const card = ana.page.getByRole('link', { name: 'Nilda Calada' })
  await card.waitFor()
  await bruno.page.goto(`/tickets/${uuid}`)
  await accept(bruno.page)
  await card.waitFor({ state: 'detached' })
  expect(frames.some((frame) => frame.includes('"action":"delete"') && frame.includes('ticket'))).toBe(true)
  expect(frames.some((frame) => frame.includes('takenBy'))).toBe(false)
  expect([...ana.wrong, ...bruno.wrong]).toEqual([])
})

it('a ticket accepted by another agent shows one message and no button, without a draft', async () => {
  const { uuid } = await on.says({ name: 'Otília Disputada', number: '5511944460003' }, 'Tem alguém?')
  for (const { page } of [ana, bruno]) {
    await page.goto(`/tickets/${uuid}`)
    await bubble(page, 'Tem alguém?').waitFor()
  }
  await ana.page.getByText('aguardando. Aceite').waitFor()
  await accept(bruno.page)
  await ana.page.getByRole('status').filter({ hasText: 'Bruno Lima aceitou este atendimento.' }).waitFor()
  const chat = ana.page.locator('[data-part=chat]')
  expect([await chat.locator('[data-part=asleep]').count(), await chat.getByRole('button', { name: /Aceitar/ }).count()]).toEqual([0, 0])
  await ana.shot('taken-without-draft')
  expect([...ana.wrong, ...bruno.wrong]).toEqual([])
})
