import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf } from '#tests/support/axe.ts'
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
const tab = (name: string | RegExp) => form().getByRole('tab', { name })
const address = () => new URL(admin.page.url())

it('a queue form and its tab survive reload and Back, and are forgotten when it closes', async () => {
  const { page } = admin
  const { id } = (await on.ask('POST', '/queue', { name: 'Fila com lugar', color: '#345612', greetingMessage: 'Olá' })).body
  await page.goto('/tags')
  await page.getByRole('link', { name: 'Filas' }).click()
  await page.getByRole('row').filter({ hasText: 'Fila com lugar' }).click()
  await form().getByLabel(/^Nome/).waitFor()
  await tab('Mensagens').click()
  await form()
    .getByLabel(/^Mensagem de saudação/)
    .waitFor()
  expect(address().search).toBe(`?open=${id}&tab=messages`)
  await page.reload()
  await expect
    .poll(() =>
      form()
        .getByLabel(/^Mensagem de saudação/)
        .inputValue(),
    )
    .toBe('Olá')
  await admin.shot('form-tab')
  expect(await faultsOf(page, 'form with tabs')).toEqual([])

  await page.evaluate(() => document.querySelector<HTMLAnchorElement>('a[href="/contacts"]')!.click())
  await page.waitForURL(/contacts/)
  await page.goBack()
  await form()
    .getByLabel(/^Mensagem de saudação/)
    .waitFor()
  await form().getByRole('button', { name: 'Cancelar' }).click()
  await form().waitFor({ state: 'detached' })
  await expect.poll(() => address().search).toBe('')
  await page.goBack()
  await page.waitForURL(/tags/) // the form added no history entry

  await page.goto('/queues?open=2147483647')
  await page.getByRole('row').filter({ hasText: 'Fila com lugar' }).waitFor()
  await expect.poll(() => address().search).toBe('')
  expect(admin.wrong).toEqual([])
})

it('a new connection’s form keeps its type over a reload, and lists all missing fields', async () => {
  const { page } = admin
  const begin = async () => {
    await page.goto('/connections')
    await page.getByRole('button', { name: 'Nova conexão' }).click()
    await page.getByRole('menuitem', { name: 'WhatsApp API' }).click()
    await tab('Meta').waitFor()
  }
  await begin()
  expect(address().search).toBe('?open=new&kind=cloud')
  await page.reload()
  await tab('Meta').waitFor()
  expect(await tab(/Importação/).count()).toBe(0)
  expect(await form().getByLabel('Aceitar grupos').count()).toBe(0) // the Cloud API has none
  await form().getByRole('button', { name: 'Cancelar' }).click()
  await form().waitFor({ state: 'detached' })
  await expect.poll(() => address().search).toBe('')

  await begin()
  await form().getByLabel('Nome', { exact: true }).fill('Oficial')
  await tab('Meta').click()
  await form().getByLabel('Identificação do número de telefone').fill('+55 11 4000-1000')
  await form().getByLabel('Chave secreta do app').focus()
  await form().getByText('é a identificação, não o número').waitFor()
  await form().getByRole('button', { name: 'Salvar' }).click()
  await form().getByText('5 campos a corrigir').first().waitFor({ state: 'attached' })
  await form().getByLabel('Identificação do número de telefone').fill('1001')
  await form().getByText('é a identificação, não o número').waitFor({ state: 'detached' })
  await admin.shot('cloud-faults')
  await form().getByRole('button', { name: 'Cancelar' }).click()
  await page.getByRole('button', { name: 'Descartar' }).click()
  await form().waitFor({ state: 'detached' })
})

it('each tab counts its invalid fields, and a discarded form leaves no history entry', async () => {
  const { page } = admin
  await page.goto('/contacts')
  await page.getByRole('button', { name: 'Novo contato' }).first().click()
  expect(address().search).toBe('?open=new')
  await tab('Informações extras').click()
  await form().getByRole('button', { name: 'Adicionar informação' }).click()
  await tab('Contato').click()
  await form().getByLabel(/^Nome/).fill('Tadeu de Abas')
  await form()
    .getByLabel(/^Número/)
    .fill('5511944620001')
  const stands = async () => (await tab(/^Informações extras/).boundingBox())!.x
  const stood = await stands()
  await form().getByLabel(/^Nome/).fill('')
  await tab(/^Informações extras/).click()
  await tab(/^Contato.*1 campo a corrigir/).waitFor()
  expect(await stands()).toBe(stood) // the new text of a tab loses no click
  await tab(/^Contato/).click()
  await form().getByLabel(/^Nome/).fill('Tadeu de Abas')
  await form().getByRole('button', { name: 'Salvar' }).click()
  await tab(/Informações extras.*1 campo a corrigir/).waitFor()
  const name = form().getByRole('tabpanel').getByRole('textbox').first()
  await name.and(page.locator(':focus')).waitFor()
  await admin.shot('form-wrong')
  await page.keyboard.press('Escape')
  await form().getByText('Descartar o que você digitou?').waitFor()
  await form().getByRole('button', { name: 'Continuar editando' }).click()
  await name.fill('CPF')
  await tab(/Informações extras$/).waitFor()
  await page.goBack() // also after a refused attempt
  await form().getByRole('button', { name: 'Descartar' }).click()
  await form().waitFor({ state: 'detached' })
  await expect.poll(() => address().search).toBe('')
  expect(admin.wrong).toEqual([])
})

it('a refused connection leads to the text that a warning or a vacation lacks, from any tab', async () => {
  const { page } = admin
  await page.goto('/connections?open=1')
  await tab(/^Chatbot/).waitFor()
  const save = () => form().getByRole('button', { name: 'Salvar' }).click()
  const begins = async (name: RegExp) => {
    await tab(/^Geral/).click()
    await save()
    await form().getByLabel(name).and(page.locator(':focus')).waitFor()
  }
  expect(await form().getByLabel('Aceitar grupos').count()).toBe(1)
  await tab(/^Chatbot/).click()
  await form().getByLabel('Encerrar atendimento aberto após (minutos)').fill('60')
  await form().getByLabel('Avisar sobre a inatividade após (minutos)').fill('20')
  await begins(/^Aviso de inatividade/)
  await form().getByText('Escreva o aviso, ou ponha 0 nos minutos dele.').waitFor()
  await form()
    .getByLabel(/^Aviso de inatividade/)
    .fill('Ainda está aí?')
  await tab(/^Mensagens/).click()
  await form().getByLabel('Início das férias').fill('2099-12-20')
  await form().getByLabel('Fim das férias').fill('2100-01-05')
  await begins(/^Mensagem de férias coletivas/)
  await form().getByText('Nessas datas o bot não atende: escreva o que o cliente lê.').waitFor()
  await form()
    .getByLabel(/^Mensagem de férias coletivas/)
    .fill('Voltamos em janeiro.')
  await save()
  await form().waitFor({ state: 'detached' })
  expect((await on.ask('GET', '/whatsapp/1')).body).toMatchObject({
    ...{ timeInactiveMessage: 20, inactiveMessage: 'Ainda está aí?', collectiveVacationMessage: 'Voltamos em janeiro.' },
  })
  expect(admin.wrong).toEqual([])
})
