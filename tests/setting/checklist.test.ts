import { afterAll, beforeAll, expect, it } from 'vitest'
import { defaultHours } from '#domain/hours/contract.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* The steps of a new company are done when a customer would notice them. */
let app: TestApp
let only: number
beforeAll(async () => {
  app = await startTestApp()
  only = app.company.connections.loja
  const { casa } = app.company.companies
  await app.db.updateTable('connection').set({ greetingMessage: null, outOfHoursMessage: null }).where('companyId', '=', casa).execute()
  await app.db.updateTable('queue').set({ greetingMessage: null, outOfHoursMessage: null }).where('companyId', '=', casa).execute()
})
afterAll(() => app?.stop())

const done = async (step: string) =>
  (await app.as('admin')('GET', '/checklist')).body.find((one: { step: string }) => one.step === step).done as boolean
const change = async (path: string, body: object) => expect((await app.as('admin')('PUT', path, body)).status).toBe(200)

it('the greeting is done when a new customer reads one (A-BOT-02)', async () => {
  const { vendas, suporte } = app.company.queues
  await change(`/whatsapp/${only}`, { queueIds: [vendas] })
  await app.set('sendGreetingMessageOneQueues', 'disabled')
  await change(`/queue/${vendas}`, { greetingMessage: 'Aqui é a fila.' })
  expect(await done('greeting')).toBe(false) // the queue's greeting is off
  await app.set('sendGreetingMessageOneQueues', 'enabled')
  expect(await done('greeting')).toBe(true)
  await change(`/queue/${vendas}`, { greetingMessage: ' ' })
  expect(await done('greeting')).toBe(false)
  await change(`/whatsapp/${only}`, { greetingMessage: 'Bom dia!' })
  expect(await done('greeting')).toBe(true) // for one queue too
  await change(`/whatsapp/${only}`, { queueIds: [vendas, suporte] })
  expect(await done('greeting')).toBe(true)
})

it('the hours are done when a customer reads something outside of them', async () => {
  const { vendas } = app.company.queues
  for (const type of ['company', 'connection', 'queue']) {
    await app.set('scheduleType', type)
    expect(await done('hours')).toBe(false)
  }
  await change(`/whatsapp/${only}`, { outOfHoursMessage: 'Voltamos às 8.' })
  expect(await done('hours')).toBe(false) // the queue sends its own
  await change(`/queue/${vendas}`, { outOfHoursMessage: 'A fila abre às 8.' })
  expect(await done('hours')).toBe(false) // the hours of a new queue never close
  await change(`/queue/${vendas}`, { schedules: defaultHours.connection })
  expect(await done('hours')).toBe(true)
  await app.set('scheduleType', 'connection')
  expect(await done('hours')).toBe(true)
  await app.set('scheduleType', 'disabled')
  expect(await done('hours')).toBe(false)
  await app.set('alwaysOpen', 'enabled')
  expect(await done('hours')).toBe(true)
})
