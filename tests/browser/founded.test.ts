import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCompany } from '#app/session/founding.ts'
import { openStore } from '#projections/postgres.ts'
import { type Stage, startBrowserEnv } from '#tests/support/browser-env.ts'
import { typing } from './scene.ts'

const admin = { name: 'Padaria Nova', email: 'dona@padaria.test', password: 'pão quentinho' }
let on: Stage
async function found(company: typeof admin): Promise<void> {
  const { db } = openStore(on.databaseUrl, 1)
  await createCompany(db, company)
  await db.destroy()
}
beforeAll(async () => {
  on = await startBrowserEnv()
  await found(admin)
})
afterAll(() => on?.clear())

it('the checklist leads a new company step by step to a bot that answers a phone', async () => {
  const dona = await on.come()
  const { page } = dona
  await page.goto('/login')
  await page.getByLabel('E-mail').fill(admin.email)
  await page.getByLabel('Senha', { exact: true }).fill(admin.password)
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  const list = page.getByRole('region', { name: 'Primeiros passos' })
  const inbox = page.getByRole('navigation').getByRole('link', { name: 'Atendimentos' })
  const ticked = () => list.locator('li[data-done]').evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.step))
  const isDone = async (...steps: string[]) => {
    await inbox.click()
    await expect.poll(ticked).toEqual(steps)
  }
  const begin = async (step: string) => {
    await list.getByRole('link', { name: step }).click()
    await list.waitFor({ state: 'detached' })
  }
  const dialog = page.getByRole('dialog')
  const save = async () => {
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await list.getByText('0 de 6 prontos').waitFor()
  await dona.shot('first-steps')

  await begin('Chame a equipe')
  await page.getByRole('button', { name: 'Adicionar usuário' }).first().click()
  await dialog.getByLabel('Nome').fill('Beto Forneiro')
  await dialog.getByLabel('E-mail').fill('beto@padaria.test')
  await dialog.getByLabel('Senha').fill('fermento')
  await save()
  await page.getByRole('row').filter({ hasText: 'Beto Forneiro' }).waitFor()
  await isDone('team')

  await begin('Crie uma fila')
  await page.evaluate(() => {
    Math.random = () => 0 // both begin with the same random value and must not share a colour
  })
  for (const name of ['Encomendas', 'Balcão']) {
    await page.getByRole('button', { name: 'Nova fila' }).first().click()
    await dialog.getByLabel('Nome').fill(name)
    await dialog.getByRole('tab', { name: 'Mensagens' }).click()
    await dialog.getByLabel('Mensagem de saudação').fill(`Aqui é {fila}.`)
    await dialog.getByLabel('Mensagem fora do horário').fill('Abrimos às 6.')
    await save()
    await page.getByRole('row').filter({ hasText: name }).waitFor()
  }
  await isDone('team', 'queue')

  await begin('Conecte um número')
  await page.getByRole('button', { name: 'Nova conexão' }).first().click()
  await page.getByRole('menuitem', { name: /^WhatsApp de testes/ }).click()
  await dialog.getByLabel('Nome').fill('Celular da padaria')
  await dialog.getByRole('button', { name: 'Salvar' }).click() // the code appears after the form
  await page.getByRole('button', { name: 'Ler com o celular do simulador' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Celular da padaria' })
  await row.locator('[data-status=CONNECTED]').waitFor()
  await isDone('team', 'queue', 'connection')

  await begin('Escreva a saudação')
  await row.getByRole('button', { name: /Editar/ }).click()
  await dialog.getByText('Encomendas', { exact: true }).first().click()
  await dialog.getByText(/lê primeiro a saudação da fila/).waitFor()
  await dialog.getByText('Balcão', { exact: true }).first().click()
  expect(await dialog.getByText(/lê primeiro a saudação/).count()).toBe(0) // with several queues the connection sends the greeting
  await dialog.getByRole('tab', { name: /Mensagens/ }).click()
  await dialog.getByLabel('Mensagem de saudação').fill('Bom dia, {nome}! Escolha:')
  await save()
  await isDone('team', 'queue', 'connection', 'greeting')

  await begin('Defina os horários')
  await page.getByLabel('Horário de atendimento', { exact: true }).first().selectOption({ label: 'Da empresa' })
  await page.getByText(/Horário de atendimento: Operação atualizada/).waitFor()
  await isDone('team', 'queue', 'connection', 'greeting') // no text is sent outside of the hours yet
  await list.getByText(/Falta o texto fora do horário, ou um horário fechado/).waitFor()
  await begin('Defina os horários')
  await row.getByRole('button', { name: /Editar/ }).click()
  await dialog.getByRole('tab', { name: /Mensagens/ }).click()
  await dialog.getByLabel('Mensagem fora do horário').fill('Abrimos às 6.')
  await save()
  await isDone('team', 'queue', 'connection', 'greeting', 'hours')
  await dona.shot('first-steps-nearly')
  await page.getByRole('navigation').getByRole('link', { name: 'Configurações' }).click() // sets hours that are always open
  await page.getByLabel('Horário de atendimento', { exact: true }).first().selectOption({ label: 'Por fila' })
  await page
    .getByText(/Horário de atendimento: Operação atualizada/)
    .last()
    .waitFor()
  await isDone('team', 'queue', 'connection', 'greeting') // hours without a closed time may be forgotten ones
  await page.getByRole('navigation').getByRole('link', { name: 'Configurações' }).click()
  await page.getByLabel('Atendemos o tempo todo', { exact: true }).click({ force: true })
  await page.getByText(/Atendemos o tempo todo: Operação atualizada/).waitFor()
  await isDone('team', 'queue', 'connection', 'greeting', 'hours')

  await begin('Envie uma mensagem de teste')
  await page.getByRole('button', { name: 'Adicionar celular' }).first().click()
  await page.getByLabel('Nome', { exact: true }).fill('Freguês de teste')
  await page.getByLabel('Número', { exact: true }).fill('5511922220001')
  await page.getByRole('button', { name: 'Pegar o celular' }).click()
  const says = typing(page.getByRole('region', { name: 'Freguês de teste' }))
  await says('oi', /Bom dia, Freguês de teste! Escolha:[\s\S]*\[ 1 \][\s\S]*Encomendas/)
  await says('1', /Aqui é Encomendas\./)
  await dona.shot('first-steps-phone')
  await inbox.click()
  await list.waitFor({ state: 'detached' })
  await page.getByText('Escolha um atendimento').waitFor()
  expect(dona.wrong).toEqual([])
})

it('the checklist can be hidden and restored, and fills the empty list on a phone', async () => {
  const other = { name: 'Outra Nova', email: 'novo@outra.test', password: 'começo de tudo' }
  await found(other)
  const one = await on.come({ width: 390, height: 700, theme: 'dark', language: 'tr' })
  const { page } = one
  await page.goto('/login')
  await page.locator('#email').fill(other.email)
  await page.locator('#password').fill(other.password)
  await page.keyboard.press('Enter')
  const list = page.getByRole('region', { name: 'İlk adımlar' })
  await list.getByRole('link', { name: 'Ekibinizi ekleyin' }).waitFor()
  await one.shot('first-steps-narrow')
  await list.getByRole('button', { name: 'Listeyi gizle' }).press('Enter')
  await list.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Geri al' }).click()
  await list.waitFor()
  expect(one.wrong).toEqual([])
})
