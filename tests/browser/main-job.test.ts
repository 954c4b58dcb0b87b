import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyExport } from '#app/history/exported.ts'
import { enterAs, type Look, type Person } from '#tests/support/browser.ts'
import { type Stage, startBrowserEnv } from '#tests/support/browser-env.ts'

let on: Stage

beforeAll(async () => {
  on = await startBrowserEnv()
})
afterAll(() => on?.clear())

async function enter(email: string, look?: Look): Promise<Person> {
  const one = await on.come(look)
  await enterAs(one, email)
  return one
}
const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

it('a customer is served from the first message to the audit, with two agents and a phone', async () => {
  const admin = await enter('admin@demo.test')
  const ana = await enter('ana@demo.test', { theme: 'dark', kept: true })
  const bruno = await enter('bruno@demo.test')

  // a customer takes a phone and writes
  await admin.page.goto('/sandbox')
  await admin.page.getByRole('button', { name: 'Adicionar celular' }).first().click()
  await admin.page.getByLabel('Nome', { exact: true }).fill('Joaquim Teste')
  await admin.page.getByRole('button', { name: 'Pegar o celular' }).click()
  const phone = admin.page.getByRole('region', { name: 'Joaquim Teste' })
  await phone.getByRole('textbox', { name: 'Mensagem' }).fill('Olá, meu pedido não chegou')
  await phone.getByRole('button', { name: 'Enviar', exact: true }).click()

  // both agents see it at once; Ana accepts and chooses a queue, and it leaves Bruno's list
  for (const agent of [ana, bruno]) {
    await agent.page.getByRole('tab', { name: /Aguardando/ }).click()
    await agent.page.getByRole('link', { name: 'Joaquim Teste' }).waitFor()
  }
  await ana.page.getByRole('link', { name: 'Joaquim Teste' }).click()
  await ana.page.getByText('Olá, meu pedido não chegou').last().waitFor()
  await ana.page.locator('[data-part=head]').getByRole('button', { name: 'Aceitar', exact: true }).click()
  const asks = ana.page.getByRole('dialog')
  await asks.waitFor()
  await asks.getByLabel('Fila').selectOption({ label: 'Suporte' })
  await asks.getByRole('button', { name: 'Aceitar', exact: true }).click()
  await ana.page.getByText('Em atendimento').first().waitFor()
  await bruno.page.getByRole('link', { name: 'Joaquim Teste' }).waitFor({ state: 'detached' })

  // she answers; the phone gets and reads it, and she sees the receipts
  const words = ana.page.getByRole('textbox', { name: 'Mensagem' })
  await words.fill('Oi, Joaquim! Vou verificar agora.')
  await words.press('Enter')
  await phone.getByText('Vou verificar agora.').waitFor()
  await ana.page.getByRole('log').getByRole('img', { name: 'Lida' }).last().waitFor()
  await ana.shot('chat-dark')

  // the customer answers while the chat is open, and the message appears without a reload
  await phone.getByRole('textbox', { name: 'Mensagem' }).fill('Obrigado!')
  await phone.getByRole('button', { name: 'Enviar', exact: true }).click()
  await ana.page.getByRole('log').getByText('Obrigado!').first().waitFor()

  // a picture is sent with a caption
  const picture = path.join(on.dataDir, 'nota.png')
  await writeFile(picture, pixel)
  await ana.page.locator('input[type=file]').first().setInputFiles(picture)
  await words.fill('Segue a nota fiscal')
  await ana.page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await phone.getByText('Segue a nota fiscal').waitFor()
  await phone.locator('img').first().waitFor()

  // she reacts to the customer's message, and the phone shows it
  await ana.page.getByRole('log').getByText('Obrigado!').first().hover()
  await ana.page.getByRole('article').filter({ hasText: 'Obrigado!' }).getByRole('button', { name: 'Ações da mensagem' }).click()
  await ana.page.getByRole('button', { name: 'Reagir com 👍' }).click()
  await phone.getByText('👍').locator('visible=true').first().waitFor()

  // she transfers to Bruno, who gets the ticket at once
  await ana.page.getByRole('button', { name: 'Transferir' }).first().click()
  const transfer = ana.page.getByRole('dialog')
  await transfer.waitFor()
  await ana.shot('transfer-dark')
  await transfer.getByRole('textbox').first().fill('Bruno')
  await transfer.getByText('Bruno Lima').first().click()
  await transfer.getByLabel('Fila').selectOption({ label: 'Suporte' })
  await transfer.getByRole('button', { name: 'Transferir' }).click()
  await ana.page.waitForURL(/\/tickets$/)
  await bruno.page.getByRole('tab', { name: /Atendendo/ }).click()
  await bruno.page.getByRole('link', { name: 'Joaquim Teste' }).click()
  await bruno.page.getByText('Segue a nota fiscal').last().waitFor()
  await bruno.shot('chat-light')

  // Bruno resolves; the auditor replays it, the chain holds, and the export verifies offline
  const resolve = bruno.page.locator('[data-part=head]').getByRole('button', { name: 'Resolver', exact: true })
  await resolve.waitFor()
  const uuid = /tickets\/([0-9a-f-]{36})/.exec(bruno.page.url())![1]!
  await resolve.click()
  await resolve.waitFor({ state: 'detached' })
  const auditor = await enter('auditor@demo.test')
  await auditor.page.goto(`/tickets/${uuid}/history`)
  await auditor.page.getByText(/cadeia sem falhas/).waitFor()
  await auditor.page.getByText('Segue a nota fiscal').last().waitFor()
  await auditor.shot('replay-light')
  await auditor.page.getByRole('slider').press('Home')
  await auditor.page.getByText('Segue a nota fiscal').waitFor({ state: 'detached' })
  const [download] = await Promise.all([
    auditor.page.waitForEvent('download'),
    auditor.page.getByRole('button', { name: /Exportar/ }).click(),
  ])
  const verdict = await verifyExport(await readFile(await download.path(), 'utf8'))
  expect(verdict.bad).toEqual([])
  expect(verdict.events).toBeGreaterThan(10)

  for (const one of on.people) expect(one.wrong).toEqual([])

  // the file of the picture is replaced on disk: the replay reports it and does not show it
  const key = createHash('sha256').update(pixel).digest('hex')
  const sent = (await readdir(on.dataDir, { recursive: true })).find((name) => name.endsWith(key))!
  await writeFile(path.join(on.dataDir, sent), 'another')
  await auditor.page.reload()
  const alarm = auditor.page.locator('[data-part=replay-chain]')
  await alarm.getByText(/\(registro \d+\) tem outros bytes/).waitFor()
  expect(await alarm.innerText()).not.toContain('cadeia sem falhas')
  await auditor.page.getByText('este arquivo foi trocado e não é mostrado').waitFor()
  expect(await auditor.page.locator('[data-part=replay-message] img').count()).toBe(0)
  await auditor.shot('replay-exchanged')
})

it('a narrow screen shows one pane at a time, in every language', async () => {
  for (const [language, tab] of [
    ['pt-BR', /Aguardando/],
    ['en', /Waiting/],
    ['es', /En espera/],
    ['tr', /Bekleyen/],
  ] as const) {
    const carla = await enter('carla@demo.test', { width: 390, height: 844, theme: language === 'tr' ? 'dark' : 'light', language })
    await carla.page.getByRole('tab', { name: tab }).click()
    await carla.page.locator("a[href^='/tickets/']:not([href='/tickets'])").first().waitFor()
    expect(await carla.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    await carla.shot(`narrow-${language}`)
    expect(carla.wrong).toEqual([])
  }
})
