import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { type Scene, scene } from './scene.ts'

let on: Scene
let admin: Person
beforeAll(async () => {
  on = await scene()
  admin = await on.enter('admin@demo.test')
})
afterAll(() => on?.clear())

const form = () => admin.page.getByRole('dialog')
const meanwhile = () => form().getByRole('alert').filter({ hasText: 'Outra pessoa mudou este registro' })

it('a conflicting edit of a queue shows the changes, keeps the text, and can overwrite', async () => {
  const { page } = admin
  const queue = (await on.ask('POST', '/queue', { name: 'Fila disputada', color: '#123654', greetingMessage: 'Antes' })).body
  await page.goto('/queues')
  await page
    .getByRole('row')
    .filter({ hasText: 'Fila disputada' })
    .getByRole('button', { name: /Editar/ })
    .click()
  await form().getByLabel(/^Nome/).fill('Meu nome')
  await form().getByLabel(/Ordem/).fill('7')
  expect((await on.ask('PUT', `/queue/${queue.id}`, { name: 'Nome de outra pessoa', greetingMessage: 'Depois' })).status).toBe(200)
  await form().getByRole('button', { name: 'Salvar' }).click()
  await meanwhile().getByText('Nome de outra pessoa').waitFor()
  await meanwhile().getByText('Depois').waitFor()
  await admin.shot('two-edits')
  expect(await form().getByLabel(/^Nome/).inputValue()).toBe('Meu nome')
  await form().getByRole('button', { name: 'Salvar' }).click()
  await form().waitFor({ state: 'detached' })
  expect((await on.ask('GET', `/queue/${queue.id}`)).body).toMatchObject({ name: 'Meu nome', greetingMessage: 'Depois', orderQueue: 7 })
  expect(admin.wrong).toEqual([])
})

it('a conflicting edit of a contact can take the other’s value', async () => {
  const { page } = admin
  const contact = (await on.ask('POST', '/contacts', { name: 'Dora Disputada', number: '5511944610001' })).body
  await page.goto('/contacts')
  await page.getByRole('searchbox').fill('Dora Disputada')
  await page
    .getByRole('row')
    .filter({ hasText: 'Dora Disputada' })
    .getByRole('button', { name: /Editar/ })
    .click()
  await form().getByLabel(/^Nome/).fill('Dora Minha')
  await on.ask('PUT', `/contacts/${contact.id}`, { name: 'Dora Deles' })
  await form().getByRole('button', { name: 'Salvar' }).click()
  await meanwhile().getByText('Dora Deles').waitFor()
  await meanwhile().getByRole('button', { name: 'Usar o dela' }).click()
  expect(await form().getByLabel(/^Nome/).inputValue()).toBe('Dora Deles')
  await form()
    .getByLabel(/^E-mail/)
    .fill('dora@exemplo.test')
  await form().getByRole('button', { name: 'Salvar' }).click()
  await form().waitFor({ state: 'detached' })
  expect((await on.ask('GET', `/contacts/${contact.id}`)).body).toMatchObject({ name: 'Dora Deles', email: 'dora@exemplo.test' })
  expect(admin.wrong).toEqual([])
})

it('two edits of one bot menu are merged by option, and a clash is shown in words', async () => {
  const { page } = admin
  const option = (name: string, greetingMessage: string) => ({ name, greetingMessage, queueType: 'text', closeTicket: false, chatbots: [] })
  const ask = { name: 'Fila do bot', color: '#123655', chatbots: [option('Boleto', 'Segue'), option('Prazos', 'Cinco dias')] }
  const queue = (await on.ask('POST', '/queue', ask)).body
  await page.goto('/queues')
  await page
    .getByRole('row')
    .filter({ hasText: 'Fila do bot' })
    .getByRole('button', { name: /Editar/ })
    .click()
  await form().getByRole('tab', { name: 'Bot' }).click()
  await form().getByLabel('Nome da opção 1').fill('Segunda via')
  await form().getByRole('tab', { name: 'Pessoas' }).click()
  await form()
    .getByRole('checkbox', { name: /Ana Souza/ })
    .check({ force: true })
  const [boleto, prazos] = queue.chatbots
  const sent = ({ id, name, greetingMessage }: typeof boleto) => ({ id, ...option(name, greetingMessage) })
  const theirs = [sent({ ...boleto, name: 'Fatura' }), sent({ ...prazos, greetingMessage: 'Sete dias' })]
  const bruno = (await on.ask('GET', '/users/list')).body.find(({ name }: { name: string }) => name === 'Bruno Lima')
  expect((await on.ask('PUT', `/queue/${queue.id}`, { chatbots: theirs, userIds: [bruno.id] })).status).toBe(200)
  await form().getByRole('button', { name: 'Salvar' }).click()
  await meanwhile().getByText('Opção “Segunda via”: Nome da opção').waitFor()
  await meanwhile().getByText('A outra pessoa: Fatura').waitFor()
  expect(await meanwhile().innerText()).not.toMatch(/companyId|[{}]|null/)
  await admin.shot('two-edits-bot')
  await meanwhile().getByText('Bruno Lima', { exact: true }).waitFor() // people by name, not by id
  await meanwhile().getByRole('button', { name: 'Usar o dela' }).first().click()
  await form().getByRole('button', { name: 'Salvar' }).click()
  await form().waitFor({ state: 'detached' })
  expect((await on.ask('GET', `/queue/${queue.id}`)).body.chatbots).toMatchObject([
    { id: boleto.id, name: 'Fatura' },
    { id: prazos.id, greetingMessage: 'Sete dias' },
  ])
  expect(admin.wrong).toEqual([])
})
