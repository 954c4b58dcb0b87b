import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { openMailbox } from '#tests/support/mailbox.ts'
import { client } from '#tests/support/processes.ts'
import { type Scene, scene } from './scene.ts'

/* Settings that a company makes by hand, and their effect. */
let on: Scene
let admin: Person
beforeAll(async () => {
  on = await scene()
  admin = await on.enter('admin@demo.test', { at: '/contacts' })
})
afterAll(() => on?.clear())

const form = () => admin.page.getByRole('dialog')
async function save(): Promise<void> {
  await form().getByRole('button', { name: 'Salvar' }).click()
  await form().waitFor({ state: 'detached' })
}

it('a contact’s form switches off its bot and voice messages (R-BOT-05, A-AUDIO-01)', async () => {
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
  await flip('Desligar o bot para este contato', false)
  await admin.shot('contact-switches')
  await save()
  expect(await stands()).toEqual({ disableBot: true, acceptAudioMessage: true })
  await flip('Aceitar áudios deste contato', true)
  await save()
  expect(await stands()).toEqual({ disableBot: true, acceptAudioMessage: false })
  await flip('Desligar o bot para este contato', true)
  expect(await form().getByRole('checkbox', { name: 'Aceitar áudios deste contato' }).isChecked()).toBe(false)
  await save()
  expect(await stands()).toEqual({ disableBot: false, acceptAudioMessage: false })
  expect(admin.wrong).toEqual([])
})

it('a connection’s token is copied and replaced, which takes effect on saving (R-CONN-11)', async () => {
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

it('a queue’s rotation offers only its fixed times (R-QUEUE-05)', async () => {
  const { page } = admin
  await page.goto('/queues')
  await page.getByRole('button', { name: 'Editar: Suporte' }).click()
  const times = form().getByLabel('Tempo do rodízio')
  const minutes = [2, 5, 10, 15, 30, 45, 60]
  await times.waitFor()
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

it('a queue’s options are edited beside a phone that previews them (R-QUEUE-04, R-BOT-01)', async () => {
  const none = { queueType: 'text', closeTicket: false, optQueueId: null, optUserId: null, optIntegrationId: null, optFileId: null }
  const below = ['Internet', 'Telefone'].map((name) => ({ ...none, name, greetingMessage: null, chatbots: [] }))
  const suporte = (await on.ask('GET', '/queue')).body.find(({ name }: { name: string }) => name === 'Suporte').id
  const asks = { greetingMessage: 'Aqui é o {fila}.', chatbots: below }
  expect((await on.ask('PUT', `/queue/${suporte}`, asks)).status).toBe(200)
  const { page } = admin
  await page.goto('/queues')
  const row = page.getByRole('row').filter({ hasText: 'Financeiro' })
  await row.getByRole('button', { name: /Editar/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('tab', { name: 'Bot' }).click()
  const add = dialog.getByRole('button', { name: 'Adicionar opção', exact: true })
  const names = () => dialog.getByLabel(/^Nome da opção/).evaluateAll((fields) => fields.map((one) => (one as HTMLInputElement).value))
  async function drag(from: string, to: string, where: 'above' | 'below' | 'inside'): Promise<void> {
    const place = dialog.locator(where === 'inside' ? `[data-below="${to}"]` : `li:has(> div > [data-option="${to}"])`)
    const { height } = (await place.boundingBox())!
    const y = where === 'above' ? 4 : where === 'below' ? height - 4 : height / 2
    await dialog.locator(`[data-option="${from}"] [draggable]`).dragTo(place, { targetPosition: { x: 8, y } })
  }
  await add.click()
  await dialog.getByLabel('Nome da opção 1').fill('Boleto')
  await dialog.getByLabel('Mensagem: Boleto').fill('Aqui está o boleto.')
  await add.click()
  await dialog.getByLabel('Nome da opção 2').fill('boleto')
  await dialog.getByRole('alert').first().waitFor() // two options with one name
  await dialog.getByLabel('Nome da opção 2').fill('Suporte técnico')
  await dialog.getByLabel('Tipo: Suporte técnico').selectOption({ label: 'Outra fila' })
  await dialog.getByLabel('Fila: Suporte técnico').selectOption({ label: 'Suporte' })
  await dialog.getByRole('button', { name: 'Subir Suporte técnico' }).click()
  await dialog.getByRole('button', { name: 'Descer Suporte técnico' }).and(page.locator(':focus')).waitFor() // at the top there is no other direction
  const phone = dialog.locator('[data-part=bot-phone]')
  await phone.getByText('[ 1 ] - Suporte técnico').waitFor() // its bold text is rendered
  await phone.getByText('[ 0 ] - Voltar').waitFor() // as if it was chosen among several queues
  for (const first of ['Boleto', 'Suporte técnico']) {
    await drag('chatbots/0', 'chatbots/1', 'below')
    await phone.getByText(`[ 1 ] - ${first}`).waitFor()
  }
  await dialog.getByRole('button', { name: 'Adicionar opção abaixo de Boleto' }).click()
  await dialog.getByLabel('Nome da opção 1').nth(1).fill('Segunda via')
  await drag('chatbots/1/chatbots/0', 'chatbots/0', 'above') // to another level
  expect(await names()).toEqual(['Segunda via', 'Suporte técnico', 'Boleto'])
  await drag('chatbots/0', 'chatbots/2', 'inside')
  expect(await names()).toEqual(['Suporte técnico', 'Boleto', 'Segunda via'])
  await dialog.getByRole('button', { name: 'Pôr Segunda via um nível acima' }).press('Enter')
  await dialog.locator('[data-option="chatbots/2"] :focus').waitFor()
  await dialog.getByRole('button', { name: 'Pôr Segunda via abaixo da anterior' }).press('Enter')
  await dialog.locator('[data-option="chatbots/1/chatbots/0"] :focus').waitFor()

  /* A type without options below has none, and drags none along unseen (R-BOT-01). */
  await dialog.getByLabel('Nome da opção 1').nth(1).fill('')
  await dialog.getByLabel('Tipo: Boleto').selectOption({ label: 'Atendente' })
  await dialog.getByText('A opção abaixo foi removida, pois este tipo não mostra nenhuma.').waitFor()
  expect([await names(), await dialog.getByLabel('Encerrar depois').count()]).toEqual([['Suporte técnico', 'Boleto'], 0]) // nor is either closed
  await admin.shot('queue-bot-taken')
  await dialog.getByLabel('Nome da opção 1').fill('Suporte técnico 2')
  await dialog.getByRole('button', { name: 'Desfazer' }).click()
  expect(await names()).toEqual(['Suporte técnico 2', 'Boleto', ''])
  await dialog.getByLabel('Nome da opção 1').first().fill('Suporte técnico')
  await dialog.getByLabel('Tipo: Boleto').selectOption({ label: 'Atendente' })
  await dialog.getByLabel('Tipo: Boleto').selectOption({ label: 'Texto e submenu' })
  expect(await names()).toEqual(['Suporte técnico', 'Boleto', '']) // unchanged too
  await dialog.getByRole('button', { name: 'Remover opção 1' }).click()
  await phone.getByLabel('Responder').fill('boleto')
  await phone.getByLabel('Responder').press('Enter')
  await phone.getByText('Aqui está o boleto.').waitFor()
  await phone.getByRole('button', { name: 'Recomeçar' }).click()
  for (const answer of ['suporte técnico', '2']) {
    await phone.getByLabel('Responder').fill(answer)
    await phone.getByLabel('Responder').press('Enter')
    await phone.getByText(answer === '2' ? /→ passa para uma pessoa/ : /Aqui é o Suporte\.[\s\S]*\[ 2 \] - Telefone/).waitFor() // the text of that queue
  }
  const unseen = () => phone.getByRole('log').evaluate((one) => one.scrollHeight - one.clientHeight - one.scrollTop)
  await expect.poll(unseen).toBeLessThan(2) // the last message is visible
  await admin.shot('queue-bot')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { id } = (await on.ask('GET', '/queue')).body.find(({ name }: { name: string }) => name === 'Financeiro')
  const { chatbots } = (await on.ask('GET', `/queue/${id}`)).body
  expect(chatbots.map(({ name, queueType }: { name: string; queueType: string }) => [name, queueType])).toEqual([
    ['Suporte técnico', 'queue'],
    ['Boleto', 'text'],
  ])
  await row.getByRole('button', { name: /Editar/ }).click()
  await dialog.getByRole('tab', { name: 'Bot' }).click()
  expect(await dialog.getByLabel('Nome da opção 2').inputValue()).toBe('Boleto')
  await dialog.getByRole('tab', { name: 'Dados da fila' }).click()
  await dialog.getByLabel('Encerrar ao escolher esta fila').check({ force: true })
  await dialog.getByRole('tab', { name: 'Bot' }).click()
  await phone.getByText('→ o atendimento é encerrado').waitFor() // A-BOT-06
  expect(admin.wrong).toEqual([])
})

it('an agent sets and ends an absence in the account menu, visible to all (A-ROT-01)', async () => {
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
  await page
    .locator('[data-part=topbar]')
    .getByRole('button', { name: /^Sua conta: .+ \(Ausente\)$/ })
    .waitFor()
  const sign = row.locator('[data-presence=away]')
  await sign.waitFor()
  expect(await sign.evaluate((one) => getComputedStyle(one.parentElement!).overflow)).toBe('visible') // its edge lies outside of the picture
  await admin.shot('away')
  await page.getByRole('menuitem', { name: /Ficar ausente/ }).click()
  await row.getByText('Ausente').waitFor({ state: 'detached' })
  expect(await mine()).toBe('available')
  await row.locator('[data-presence=available]').waitFor()
  await page.getByRole('menuitem', { name: /Ficar ausente/ }).click()
  const strip = page.locator('[data-part=away]')
  await strip.getByText('Você está ausente').waitFor()
  await page.keyboard.press('Escape')
  await strip.getByRole('button', { name: 'Voltar a receber' }).click()
  await strip.waitFor({ state: 'detached' })
  expect(await mine()).toBe('available')
  await page.keyboard.press('Escape')
  expect(admin.wrong).toEqual([])
})

it('a button sends a test mail to the user, and shows why it failed (A-USER-04)', async () => {
  const box = await openMailbox()
  const root = await on.enter('super@demo.test', { at: '/settings' })
  const { page } = root
  const ask = client(() => on.on.server.url, await page.evaluate(() => localStorage.getItem('token')!)) // a second sign-in gives the second session
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
