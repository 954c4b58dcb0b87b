import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '#tests/support/wait.ts'
import { accept, bubble, type Scene, scene, words, write } from './scene.ts'

let on: Scene
beforeAll(async () => {
  on = await scene()
})
afterAll(() => on?.clear())

const pending = (page: Page) => page.locator('[data-pending]').allInnerTexts()

it('two tabs show the same unsent messages and send each of them once', async () => {
  const customer = { name: 'Davi Duas-Abas', number: '5511944570001' }
  const { uuid } = await on.says(customer, 'Alguém aí?')
  const ana = await on.enter('ana@demo.test', { at: `/tickets/${uuid}` })
  const one = ana.page
  await accept(one)
  let away = true
  await ana.context.route('**/api/messages/*', (route) => (away && route.request().method() === 'POST' ? route.abort() : route.continue()))
  const two = await ana.context.newPage()
  await two.goto(`/tickets/${uuid}`)
  await bubble(two, 'Alguém aí?').waitFor()
  await write(one, 'Estou aqui, da primeira aba')
  await write(two, 'E aqui, da segunda')
  for (const page of [one, two]) {
    await bubble(page, 'da primeira aba').waitFor()
    await bubble(page, 'da segunda').waitFor()
  }
  await two.reload()
  await bubble(two, 'da primeira aba').waitFor()
  await bubble(two, 'da segunda').waitFor()
  await words(one).fill('Um texto começado')
  await expect.poll(() => words(two).inputValue()).toBe('Um texto começado')

  away = false
  const got = await eventually(
    () => on.got(customer.number),
    (all) => all.length >= 2,
  )
  for (const page of [one, two]) {
    await expect.poll(() => pending(page)).toEqual([])
    await bubble(page, 'da primeira aba').waitFor()
    await bubble(page, 'da segunda').waitFor()
  }
  await write(one, 'Última de todas')
  const whole = await eventually(
    () => on.got(customer.number),
    (all) => all.some(({ body }) => body.includes('Última de todas')),
  )
  expect(got.map(({ body }) => /primeira|segunda/.exec(body)?.[0])).toEqual(['primeira', 'segunda'])
  expect(whole).toHaveLength(3)
  for (const page of [one, two]) expect(await bubble(page, /da (primeira|segunda)/).count()).toBe(2)
  expect(ana.wrong.filter((one) => !one.includes('ERR_FAILED'))).toEqual([])
})

it('an open tab sends what a closed tab had not sent', async () => {
  const customer = { name: 'Fábio Fecha', number: '5511944570002' }
  const { uuid } = await on.says(customer, 'Pode fechar?')
  const bruno = await on.enter('bruno@demo.test', { at: `/tickets/${uuid}` })
  const one = bruno.page
  await accept(one)
  const two = await bruno.context.newPage()
  await two.goto(`/tickets/${uuid}`)
  await bubble(two, 'Pode fechar?').waitFor()
  await one.route('**/api/messages/*', (route) => (route.request().method() === 'POST' ? undefined : route.continue())) // never answered
  await write(one, 'Feche à vontade')
  await bubble(two, 'Feche à vontade').waitFor()
  expect(await on.got(customer.number)).toEqual([])
  await one.close()
  await eventually(
    () => on.got(customer.number),
    (all) => all.length === 1,
  )
  await expect.poll(() => pending(two)).toEqual([])
  expect(await bubble(two, 'Feche à vontade').count()).toBe(1)
})
