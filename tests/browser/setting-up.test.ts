import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/kit/browser.ts'
import { type Scene, scene } from './scene.ts'

/* What a company sets by hand, and what is there afterwards. */
let on: Scene
let admin: Person
beforeAll(async () => {
  on = await scene()
  admin = await on.enter('admin@demo.test', { at: '/contacts' })
}, 120_000)
afterAll(() => on?.clear(), 40_000)

const form = () => admin.page.getByRole('dialog')
async function save(): Promise<void> {
  await form().getByRole('button', { name: 'Salvar' }).click()
  await form().waitFor({ state: 'detached' })
}

it('switches the bot off for a contact and takes no voice messages of it, by two switches of its form (R-BOT-05, A-AUDIO-01)', async () => {
  const { page } = admin
  const row = page.getByRole('row').filter({ hasText: 'Quieta Ramos' })
  const flip = async (label: string, was: boolean) => {
    await row.getByRole('button', { name: /Editar/ }).click()
    expect(await form().getByRole('checkbox', { name: label }).isChecked()).toBe(was)
    await form().getByText(label, { exact: true }).click()
  }
  const one = { name: 'Quieta Ramos', number: '5511955512345' }
  const { id } = (await on.ask('POST', '/contacts', one)).body
  const stands = async () => {
    const { disableBot, acceptAudioMessage } = (await on.ask('GET', `/contacts/${id}`)).body
    return { disableBot, acceptAudioMessage }
  }
  await page.getByRole('searchbox').fill('Quieta')
  await row.waitFor()
  await flip('Desligar o robô para este contato', false)
  await admin.shot('contact-switches')
  await save()
  expect(await stands()).toEqual({ disableBot: true, acceptAudioMessage: true })
  await flip('Aceitar áudios deste contato', true)
  await save()
  expect(await stands()).toEqual({ disableBot: true, acceptAudioMessage: false })
  await flip('Desligar o robô para este contato', true)
  expect(await form().getByRole('checkbox', { name: 'Aceitar áudios deste contato' }).isChecked()).toBe(false)
  await save()
  expect(await stands()).toEqual({ disableBot: false, acceptAudioMessage: false })
  expect(admin.wrong).toEqual([])
})
