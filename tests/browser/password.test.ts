import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePasswordLink } from '#app/session/password-link.ts'
import { openStore } from '#projections/postgres.ts'
import { type Stage, stage } from '#tests/kit/stage.ts'

let on: Stage
beforeAll(async () => {
  on = await stage()
}, 90_000)
afterAll(() => on?.clear(), 40_000)

async function link(email: string): Promise<string> {
  const { db } = openStore(on.databaseUrl, 1)
  try {
    const user = await db.selectFrom('user').select(['id', 'companyId']).where('email', '=', email).executeTakeFirstOrThrow()
    return `/password#${await makePasswordLink(db, user)}`
  } finally {
    await db.destroy()
  }
}

it('lets somebody choose the first password, says its rule before it is broken, and lets them in', async () => {
  const { page, shot } = await on.come()
  const asked: string[] = []
  page.on('request', (request) => void asked.push(`${request.url()} ${request.headers().referer ?? ''}`))
  const at = await link('bruno@demo.test')
  await page.goto(at)
  await page.getByText('Escolha a senha de bruno@demo.test').waitFor()
  expect(new URL(page.url()).hash).toBe('')
  const field = page.getByLabel('Nova senha')
  await page.getByText('De 5 a 50 caracteres').waitFor()
  await shot('password')
  await field.fill('abc')
  await page.getByRole('button', { name: 'Salvar e entrar' }).click()
  await page.getByRole('alert').getByText('De 5 a 50 caracteres').waitFor()
  expect(await field.inputValue()).toBe('abc')
  await field.fill('uma frase que eu lembro')
  await field.press('Enter')
  await page.waitForURL('**/tickets')
  await page.getByRole('tab', { name: /Atendendo/ }).waitFor()
  expect(asked.filter((one) => one.includes(at.split('#')[1]!))).toEqual([])
}, 60_000)

it('says of a link that is over what to do next, in the reader’s language and on a phone', async () => {
  const { page, shot } = await on.come({ language: 'en', width: 390, height: 844, theme: 'dark' })
  for (const at of ['/password', `/password#${'x'.repeat(43)}`, '/password#nonsense']) {
    await page.goto('/login')
    await page.goto(at)
    await page.getByText('This link is no longer valid.').waitFor()
  }
  await shot('password-over')
  await page.getByRole('button', { name: 'Go to sign-in' }).click()
  await page.getByLabel('Email').waitFor()
}, 60_000)
