import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/kit/browser.ts'
import { openMailbox } from '#tests/kit/mailbox.ts'
import { client } from '#tests/kit/processes.ts'
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

it('copies the token of a connection and makes another, which counts once it is saved (R-CONN-11)', async () => {
  const { page } = admin
  await page.goto('/connections')
  const edit = async () => {
    await page
      .getByRole('button', { name: /^Editar/ })
      .first()
      .click()
    const field = form().getByLabel('Token para integração externa')
    await field.waitFor()
    return field
  }
  const copied = async () => {
    await form().getByRole('button', { name: 'Copiar token' }).click()
    await page.getByText('Token copiado').last().waitFor()
    return page.evaluate(() => navigator.clipboard.readText())
  }
  const first = await (await edit()).inputValue()
  await form().getByRole('button', { name: 'Gerar outro token' }).click()
  const second = await copied()
  expect(second).toMatch(/^[A-Za-z0-9]{30}$/)
  expect(second).not.toBe(first)
  await save()
  expect(await (await edit()).inputValue()).toBe(second)
  expect(await copied()).toBe(second)
  await form().getByRole('button', { name: 'Cancelar' }).click()
  await form().waitFor({ state: 'detached' })
  expect(admin.wrong).toEqual([])
})

it('offers each time after which a queue moves a ticket on, and takes no other (R-QUEUE-05)', async () => {
  const { page } = admin
  await page.goto('/queues')
  await page.getByRole('button', { name: 'Editar: Suporte' }).click()
  const times = form().getByLabel('Tempo do rodízio')
  const minutes = [2, 5, 10, 15, 30, 45, 60]
  expect(await times.getByRole('option').allTextContents()).toEqual(['Sem tempo', ...minutes.map((n) => `${n} minutos`)])
  await form().getByText('Rodízio entre os atendentes').click()
  await times.selectOption({ label: '45 minutos' })
  await save()
  const suporte = async () => (await on.ask('GET', '/queue')).body.find(({ name }: { name: string }) => name === 'Suporte')
  const { id, ...kept } = await suporte()
  expect(kept).toMatchObject({ ativarRoteador: true, tempoRoteador: 45 })
  for (const tempoRoteador of minutes)
    expect((await on.ask('PUT', `/queue/${id}`, { tempoRoteador })).body).toMatchObject({ tempoRoteador })
  for (const tempoRoteador of [1, 3, 61, -5]) expect((await on.ask('PUT', `/queue/${id}`, { tempoRoteador })).status).toBe(400)
  expect((await on.ask('PUT', `/queue/${id}`, { ativarRoteador: false, tempoRoteador: 0 })).body).toMatchObject({ tempoRoteador: 0 })
  expect(admin.wrong).toEqual([])
})

it('is away by a word in the account menu, for everybody to see, and back by the same (A-ROT-01)', async () => {
  const { page } = admin
  await page.goto('/users')
  const row = page.getByRole('row').filter({ hasText: 'admin@demo.test' })
  const mine = async () => (await on.ask('GET', '/users?searchParam=admin@demo')).body.users[0].availability
  await page
    .locator('[data-part=topbar]')
    .getByRole('button', { name: /^Sua conta/ })
    .click()
  await page.getByRole('menuitem', { name: /Ficar ausente/ }).click()
  await row.getByText('Ausente').waitFor()
  expect(await mine()).toBe('away')
  await admin.shot('away')
  await page.getByRole('menuitem', { name: /Ficar ausente/ }).click()
  await row.getByText('Ausente').waitFor({ state: 'detached' })
  expect(await mine()).toBe('available')
  await page.keyboard.press('Escape')
  expect(admin.wrong).toEqual([])
})

it('tries the mail server by a button that sends one to oneself, and says why where it does not (A-USER-04)', async () => {
  const box = await openMailbox()
  const root = await on.enter('super@demo.test', { at: '/settings' })
  const { page } = root
  const ask = client(() => on.on.server.url, await page.evaluate(() => localStorage.getItem('token')!)) // who signs in twice has the second session
  for (const [key, value] of Object.entries({
    mailHost: '127.0.0.1',
    mailPort: `${box.port}`,
    mailSecurity: 'none',
    mailFrom: 'guiche@demo.test',
  }))
    expect((await ask('PUT', `/settings/${key}`, { value })).status).toBe(200)
  const test = page.getByRole('button', { name: 'Enviar e-mail de teste' })
  await test.click()
  await page.getByText('E-mail enviado para super@demo.test').waitFor()
  expect(box.mails.map(({ to, from }) => [to, from])).toEqual([[['super@demo.test'], 'guiche@demo.test']])
  box.says.refuses = '5.1.1 no such mailbox'
  await test.click()
  await page
    .getByText(/no such mailbox/)
    .first()
    .waitFor()
  await root.shot('mail-test')
  expect(box.mails).toHaveLength(1)
  await box.close()
  expect(root.wrong).toEqual([])
})
