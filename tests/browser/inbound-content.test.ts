import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordInbound } from '#app/inbound/inbound-journal.ts'
import { ofKind } from '#app/inbound/unknown-kinds.ts'
import { createWorkerWakeups } from '#app/inbound/worker-wakeups.ts'
import { openStore } from '#projections/postgres.ts'
import type { Person } from '#tests/support/browser.ts'
import { accept, bubble, type Scene, scene, words } from './scene.ts'

let on: Scene
let ana: Person
const customer = { name: 'Caio Cartões', number: '5511944460077' }
beforeAll(async () => {
  on = await scene()
  const ticket = await on.says(customer, 'Segue a lista')
  ana = await on.enter('ana@demo.test', { at: `/tickets/${ticket.uuid}` })
  await accept(ana.page)
})
afterAll(() => on?.clear())

const cardOf = (name: string, number: string, more = '') => `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\n${more}TEL:${number}\nEND:VCARD`

it('a contact card’s numbers align with its name, and a click shows many cards', async () => {
  const { page } = ana
  const long = 'EMAIL:um.endereco.muito.comprido@um-dominio-que-tambem-e-bem-comprido.com.br\n'
  const names = Array.from({ length: 12 }, (_, i) => `Contato ${i + 1}`)
  const body = [cardOf('Silva', '+55 11 98765-4321', long), ...names.map((name, i) => cardOf(name, `+5511910000${100 + i}`))].join('\n')
  await on.says(customer, '', { mediaType: 'contactMessage', body })
  const cards = bubble(page, 'Silva')
  const number = cards.getByRole('button', { name: '+55 11 98765-4321' })
  const [name, beside] = await Promise.all([cards.getByText('Silva', { exact: true }).boundingBox(), number.boundingBox()])
  expect(Math.abs(beside!.x - name!.x)).toBeLessThan(2)
  expect(await cards.getByText(/^Contato/).count()).toBe(4)
  await cards.getByRole('button', { name: 'mostrar mais 8' }).click()
  await cards.getByText('Contato 12', { exact: true }).waitFor()
  expect(await cards.getByText(/^Contato/).count()).toBe(12)
  await ana.shot('contact-cards')
})

it('an unknown type of message shows its text without a hint to the phone', async () => {
  const { db } = openStore(on.on.databaseUrl, 1)
  const externalId = 'unknown-kind'
  const who = { from: [{ kind: 'phone' as const, id: customer.number }], name: customer.name, group: null }
  const content = { kind: 'unsupported' as const, body: 'As palavras dele', media: null, vCard: null, quotedExternalId: null }
  const heard = { type: 'message' as const, externalId, ...who, ...content, about: ofKind('novidadeMessage'), at: new Date().toISOString() }
  await recordInbound(db, [{ companyId: 1, connectionId: 1, externalId, conversation: customer.number, payload: heard }])
  createWorkerWakeups(db).wakeWorker(1)
  const one = bubble(ana.page, 'As palavras dele')
  await one.getByText('novidadeMessage').waitFor()
  expect(await one.getByText('só o aplicativo do canal').count()).toBe(0)
  await db.destroy()
})

it('the composer grows with its text when the window narrows', async () => {
  const { page } = ana
  await words(page).fill('Uma resposta que já foi escrita e ainda não saiu, de algumas palavras,\nem duas linhas')
  const hidden = () => words(page).evaluate((field) => field.scrollHeight - field.clientHeight)
  expect(await hidden()).toBe(0)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await expect.poll(hidden).toBe(0)
  await page.setViewportSize({ width: 1440, height: 900 })
  expect(ana.wrong).toEqual([])
})
