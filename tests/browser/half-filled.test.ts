import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '#tests/support/browser.ts'
import { accept, chooseOf, type Scene, scene } from './scene.ts'

let on: Scene
let admin: Person
let page: Page
beforeAll(async () => {
  on = await scene()
  admin = await on.enter('admin@demo.test')
  page = admin.page
})
afterAll(() => on?.clear())

const form = () => page.getByRole('dialog')
const question = () => form().getByRole('alert').filter({ hasText: 'Descartar o que você digitou?' })
const press = (name: string) => form().getByRole('button', { name, exact: true }).click()
const closed = () => form().waitFor({ state: 'detached' })
/** Goes to another screen by the keyboard, like a link would. */
async function leadTo(screen: string) {
  await page.keyboard.press('Control+k')
  await page.locator('[data-part=palette]').getByRole('combobox').fill(screen)
  await page
    .getByRole('option', { name: new RegExp(`${screen}$`) })
    .first()
    .click()
}

type Half = { what: string; at: string; open: () => Promise<void>; fill: () => Promise<Locator>; lost: string[] }
const field = (label: string | RegExp) => form().getByLabel(label)
const typed = async (label: string | RegExp, text: string) => {
  await field(label).fill(text)
  return field(label)
}
const add = (name: string | RegExp) => async () => page.getByRole('button', { name }).first().click()
const halves: Half[] = [
  {
    ...{ what: 'a contact and its tags', at: '/contacts', open: add('Novo contato'), lost: ['Nome', 'Tags'] },
    fill: async () => {
      await form().locator('[data-part=tag-pick]').first().click({ delay: 200 }) // the error of the field that loses the focus waits for it
      return typed(/^Nome/, 'Meia Pessoa')
    },
  },
  { what: 'a queue', at: '/queues', open: add(/Adicionar|Nova/), fill: () => typed(/^Nome/, 'Meia fila'), lost: ['Nome'] },
  { what: 'a tag', at: '/tags', open: add(/Adicionar|Nova/), fill: () => typed(/^Nome/, 'Meia tag'), lost: ['Nome'] },
  { what: 'a quick reply', at: '/quick-messages', open: add(/Adicionar|Nova/), fill: () => typed(/^Mensagem/, 'Meia'), lost: ['Mensagem'] },
]

it.each(halves)('closing the half-filled form of $what asks once and names the fields that would be lost', async (half) => {
  await page.goto('/tickets')
  await page.locator('[data-part=card]').first().waitFor()
  await page.evaluate((to) => history.pushState(null, '', to), half.at)
  await half.open()
  await form().waitFor()
  await page.keyboard.press('Escape')
  await closed()

  await half.open()
  const at = await half.fill()
  const text = await at.inputValue()
  await page.keyboard.press('Escape')
  for (const name of half.lost) await question().getByText(name).waitFor()
  await press('Continuar editando')
  await question().waitFor({ state: 'detached' })
  await at.and(page.locator(':focus')).waitFor()
  for (const away of [() => page.goBack(), () => leadTo('Segurança')]) {
    await away()
    await question().waitFor()
    expect(new URL(page.url()).pathname).toBe(half.at)
    await press('Continuar editando')
    expect(await at.inputValue()).toBe(text)
  }
  let asked = 0
  page.once('dialog', (dialog) => {
    asked += dialog.type() === 'beforeunload' ? 1 : 0
    void dialog.dismiss()
  })
  await page.evaluate(() => setTimeout(() => location.reload()))
  await expect.poll(() => asked).toBe(1)
  expect(await at.inputValue()).toBe(text)
  await page.goBack()
  await question().waitFor()
  await admin.shot(`half-${half.at.slice(1)}`)
  await press('Descartar')
  await closed()
  expect(new URL(page.url()).pathname).toBe(half.at)

  await half.open()
  await half.fill()
  await leadTo('Atendimentos')
  await question().waitFor()
  await press('Descartar')
  await page.waitForURL(/\/tickets/)
  await page.goBack() // the form left no history entry
  await page.waitForURL(new RegExp(half.at))
  await page.goBack()
  await page.waitForURL((url) => url.pathname !== half.at)
  expect(admin.wrong).toEqual([])
})

it('a transfer with a note or a new ticket with a contact asks before it is lost', async () => {
  const ticket = await on.says({ name: 'Nina Meia', number: '5511944590001' }, 'Preciso do outro setor')
  await page.goto(`/tickets/${ticket.uuid}`)
  await accept(page)
  await chooseOf(page, 'Transferir').catch(() => page.getByRole('button', { name: /^Transferir/ }).click())
  await form().getByRole('radio', { name: /Bruno/ }).click()
  await page.keyboard.press('Escape')
  await closed()
  await chooseOf(page, 'Transferir').catch(() => page.getByRole('button', { name: /^Transferir/ }).click())
  await form().getByLabel('Fila').selectOption('') // without a queue, so nothing can be sent
  await expect.poll(() => form().getByRole('button', { name: 'Transferir' }).isDisabled()).toBe(true)
  await form().getByPlaceholder('Buscar').or(form().getByRole('textbox').first()).first().fill('brun')
  await page.keyboard.press('Enter') // chooses the found agent and sends nothing
  await expect.poll(() => form().getByRole('radio', { name: /Bruno/ }).isChecked()).toBe(true)
  await form().getByLabel('Fila').selectOption({ label: 'Financeiro' })
  await form().locator('textarea').fill('Ele já pagou o frete')
  await page.goBack()
  await question().waitFor()
  await admin.shot('half-transfer')
  await press('Continuar editando')
  expect(await form().locator('textarea').inputValue()).toBe('Ele já pagou o frete')
  await press('Cancelar')
  await press('Descartar')
  await closed()
  expect(page.url()).toContain(ticket.uuid)

  await page.getByRole('button', { name: 'Novo atendimento' }).click()
  await form().waitFor()
  await page.keyboard.press('Escape')
  await closed()
  await page.getByRole('button', { name: 'Novo atendimento' }).click()
  await form().locator('#find-contact').fill('Nina Meia')
  await form().locator('[data-part=person]').first().click()
  await page.goBack()
  await question().waitFor()
  await admin.shot('half-new')
  await press('Descartar')
  await closed()
  expect(page.url()).toContain(ticket.uuid)
  expect(admin.wrong).toEqual([])
})

it('typed text stays when the company’s time zone changes, and all times change at once', async () => {
  const { uuid } = await on.says({ name: 'Nara Fuso', number: '5511944590003' }, 'De onde vocês falam?')
  await page.goto(`/tickets/${uuid}`)
  await accept(page)
  await chooseOf(page, 'Transferir').catch(() => page.getByRole('button', { name: /^Transferir/ }).click())
  await form().getByRole('radio', { name: /Bruno/ }).click()
  await form().locator('textarea').fill('Está no Japão')
  const said = page.getByRole('log').getByRole('article').locator('time').first()
  const at = new Date((await said.getAttribute('datetime'))!)
  const hourIn = (timeZone: string) => at.toLocaleTimeString('pt-BR', { timeZone, hour: '2-digit', minute: '2-digit' })
  for (const value of ['Asia/Tokyo', 'America/Sao_Paulo']) {
    expect((await on.ask('PUT', '/settings/timeZone', { value })).status).toBe(200)
    await expect.poll(() => said.textContent()).toBe(hourIn(value))
    expect(await form().locator('textarea').inputValue()).toBe('Está no Japão')
    expect(await form().getByRole('radio', { name: /Bruno/ }).isChecked()).toBe(true)
  }
  await press('Cancelar')
  await press('Descartar')
  await closed()
  expect(admin.wrong).toEqual([])
})

it('Back closes the layers on a phone one by one', async () => {
  const { uuid } = await on.says({ name: 'Lia Camadas', number: '5511944590002' }, 'Oi')
  const phone = await on.enter('ana@demo.test', { width: 390, height: 844, touch: true, at: `/tickets/${uuid}` })
  page = phone.page
  await page.locator('[data-part=head-who]').click()
  const drawer = page.getByRole('complementary', { name: 'Contato', exact: true })
  await drawer.getByRole('button', { name: /Editar/ }).click()
  await typed(/^Nome/, 'Lia em Camadas')
  await page.goBack()
  await question().waitFor()
  await phone.shot('half-390')
  await press('Descartar')
  await closed()
  await drawer.waitFor()
  await page.goBack()
  await drawer.waitFor({ state: 'detached' })
  expect(page.url()).toContain(uuid)
  expect(phone.wrong).toEqual([])
})
