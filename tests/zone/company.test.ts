import { afterAll, beforeAll, expect, it } from 'vitest'
import { dayIn } from '#domain/zone/rules.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

/* It is never the same day in both zones. */
const [early, late] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'] as const

it.each([
  [early, late, 'maria'],
  [late, early, 'joao'],
] as const)('days are those of the company’s zone: with %s they are not those of %s (A-TZ-01)', async (zone, other, contact) => {
  const asked = app.as('admin')
  expect((await asked('PUT', '/settings/timeZone', { value: zone })).status).toBe(200)
  const { body: ticket } = await asked('POST', '/tickets', {
    contactId: app.company.contacts[contact],
    queueId: app.company.queues.vendas,
  })
  await app.settled()
  const found = async (path: string) => {
    const { status, body } = await asked('GET', path)
    expect(status).toBe(200)
    return body.tickets.some(({ id }: { id: number }) => id === ticket.id)
  }
  const [here, there] = [dayIn(zone, new Date()), dayIn(other, new Date())]
  expect(await found(`/tickets?status=open&showAll=true&date=${here}`)).toBe(true)
  expect(await found(`/tickets?status=open&showAll=true&date=${there}`)).toBe(false)
  expect(await found(`/tickets?status=open&showAll=true&updatedAt=${here}`)).toBe(true)
  expect(await found(`/ticket-history?from=${here}&to=${here}`)).toBe(true)
  expect(await found(`/ticket-history?from=${there}&to=${there}`)).toBe(false)
  for (const day of ['0000-01-01', '0001-01-01', '9999-12-31']) {
    expect((await asked('GET', `/tickets?date=${day}`)).status).toBeLessThan(500)
    expect((await asked('GET', `/ticket-history?from=${day}&to=${day}`)).status).toBeLessThan(500)
  }
})

it('a sign-in is checked against the hours in the company’s time zone (A-AUTH-08)', async () => {
  const hour = (at: Date) => at.toLocaleTimeString('sv-SE', { timeZone: 'UTC', hour: '2-digit', minute: '2-digit' })
  const now = Date.now()
  const hours = { startWork: hour(new Date(now - 30 * 60_000)), endWork: hour(new Date(now + 30 * 60_000)) }
  await app.db.updateTable('user').set(hours).where('id', '=', app.company.users.carla).execute()
  const enters = async (zone: string) => {
    await app.as('admin')('PUT', '/settings/timeZone', { value: zone })
    return (await app.stranger('POST', '/auth/login', { email: 'carla@casa.test', password: 'senha-de-teste' })).status
  }
  expect(await enters('Asia/Tokyo')).toBe(400)
  expect(await enters('UTC')).toBe(200)
})
