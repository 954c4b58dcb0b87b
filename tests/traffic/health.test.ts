import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TicketLogRow } from '#domain/ticket-log/contract.ts'
import type { Traffic } from '#domain/traffic/contract.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* The current and past health of a connection, as admins see it. */
let app: TestApp
let loja = 0
beforeAll(async () => {
  app = await startTestApp()
  loja = app.company.connections.loja
})
afterAll(() => app?.stop())

const traffic = async (query = '', who: Parameters<TestApp['as']>[0] = 'admin'): Promise<Traffic> => {
  await app.settled()
  return (await app.as(who)('GET', `/whatsapp/${loja}/traffic${query}`)).body
}
const today = async (): Promise<Traffic['days'][number]> => (await traffic()).days.at(-1)!
const fails = (body: object) => app.as('admin')('POST', `/sandbox/${loja}/faults`, { count: 1, ...body })
const says = (body: object) => app.as('admin')('POST', `/sandbox/${loja}/session`, body)

async function conversation(): Promise<number> {
  const { contacts, queues } = app.company
  const { body } = await app.as('ana')('POST', '/tickets', { contactId: contacts.maria, whatsappId: loja, queueId: queues.vendas })
  return body.id
}
const writes = (ticketId: number, body: string) => app.as('ana')('POST', `/messages/${ticketId}`, { body })

it('a connection that sent nothing has empty figures', async () => {
  const been = await traffic('?days=7')
  expect(been.days).toHaveLength(7)
  expect(been.days.every(({ sent, answerMs, awayMinutes }) => sent === 0 && answerMs === null && awayMinutes === 0)).toBe(true)
  expect(been).toMatchObject({
    connection: { id: loja },
    reasons: [],
    gaps: [],
    gapsInAll: 0,
    leaving: { n: 0, since: null },
    coming: { n: 0 },
  })
})

it('sent, delivered, read and failed messages are counted with reasons', async () => {
  const id = await conversation()
  await writes(id, 'um')
  await writes(id, 'dois')
  await app.settled()
  await fails({ failCode: 'NOT_REGISTERED' })
  await writes(id, 'três')
  const been = await traffic()
  expect(been.days.at(-1)).toMatchObject({ sent: 3, taken: 2, delivered: 2, soon: 2, failed: 1, timed: 2, answerMs: expect.any(Number) })
  expect(been.reasons).toEqual([{ code: 'NOT_REGISTERED', n: 1, overcome: 0 }])
  expect(been.days.slice(0, -1).every(({ sent }) => sent === 0)).toBe(true)
})

it('inbound messages are counted on the day they arrive', async () => {
  const before = await today()
  await app.phone.says('5511944440031', 'Bom dia', { connection: loja })
  await app.phone.says('5511944440031', 'Alguém?', { connection: loja })
  expect(await today()).toMatchObject({ received: before.received + 2 })
})

it('waiting messages are shown during an outage, and sent afterwards', async () => {
  const before = await today()
  expect((await says({ status: 'DISCONNECTED', reason: 'LOGGED_OUT' })).status).toBe(202)
  const { body } = await app.as('ana')('GET', '/tickets?status=open')
  await writes(body.tickets[0].id, 'quatro')
  const away = async (): Promise<Traffic> => (await app.as('admin')('GET', `/whatsapp/${loja}/traffic`)).body
  await expect.poll(async () => (await away()).leaving).toEqual({ n: 1, since: expect.any(String) })
  expect((await away()).gaps).toEqual([
    { id: expect.any(Number), beganAt: expect.any(String), endedAt: null, reason: 'LOGGED_OUT', anew: false },
  ])
  await says({ status: 'CONNECTED' })
  await expect.poll(async () => (await traffic()).leaving.n).toBe(0)
  expect((await traffic()).gaps).toMatchObject([{ endedAt: expect.any(String), reason: 'LOGGED_OUT' }])
  expect(await today()).toMatchObject({ sent: before.sent + 1, awayMinutes: expect.toSatisfy((n: number) => n > 0, 'some of it') })
})

it('an outage is one gap, whatever states it goes through', async () => {
  await says({ status: 'CONNECTED', silent: true })
  await says({ status: 'DISCONNECTED', reason: 'FORBIDDEN' })
  await says({ status: 'OPENING' })
  await says({ status: 'CONNECTED' })
  const { gaps, gapsInAll } = await traffic()
  expect(gapsInAll).toBe(2)
  expect(gaps[0]).toMatchObject({ reason: 'FORBIDDEN', endedAt: expect.any(String) })
  expect(Date.parse(gaps[0]!.beganAt)).toBeGreaterThanOrEqual(Date.parse(gaps[1]!.endedAt!)) // the connection was up after the last gap
})

it('a gap shows whether the phone was linked again; a restart is no such gap', async () => {
  const row = async () =>
    (await app.as('admin')('GET', '/whatsapp')).body.find(({ id }: { id: number }) => id === loja) as Record<string, string | null>
  expect([(await traffic()).gaps.map(({ anew }) => anew), await row()]).toMatchObject([
    [false, false],
    { missedFrom: null, missedTo: null },
  ])
  await says({ status: 'DISCONNECTED', reason: 'LOGGED_OUT' })
  expect((await app.as('admin')('PUT', `/whatsappsession/${loja}`)).body.status).toBe('qrcode')
  expect((await row()).missedTo).toBeNull()
  await says({ status: 'CONNECTED' })
  const [gap] = (await traffic()).gaps
  expect(gap).toMatchObject({ reason: 'LOGGED_OUT', anew: true })
  expect(await row()).toMatchObject({ missedFrom: gap!.beganAt, missedTo: gap!.endedAt })
  const { tickets } = (await app.as('ana')('GET', '/tickets?status=open')).body
  const missed = async (id: number) =>
    ((await app.as('admin')('GET', `/tickets-log/${id}`)).body as TicketLogRow[]).filter(({ type }) => type === 'missed')
  expect(await missed(tickets[0].id)).toMatchObject([{ since: gap!.beganAt, createdAt: gap!.endedAt, user: null }])
  await app.as('ana')('PUT', `/tickets/${tickets[0].id}`, { status: 'closed', sendFarewellMessage: false })
  expect(await missed(await conversation())).toEqual([]) // that one was recorded
})

it('days follow the company’s time zone (A-TZ-01)', async () => {
  const row = { companyId: app.company.companies.casa, connectionId: loja }
  const sums = {
    sent: 5,
    taken: 5,
    delivered: 5,
    soon: 5,
    read: 0,
    uncertain: 0,
    overcome: 0,
    retried: 0,
    timed: 0,
    tookMs: 0,
    received: 0,
  }
  const day = (await traffic('?days=2')).days[0]!.day // yesterday in São Paulo begins at three in the morning UTC
  await app.db
    .insertInto('trafficSum')
    .values({ ...row, ...sums, slot: `${day}T03:00:00Z`, failed: '' })
    .execute()
  await app.db
    .insertInto('trafficSum')
    .values({ ...row, ...sums, slot: `${day}T02:45:00Z`, failed: '' })
    .execute()
  const sent = async () => (await traffic('?days=3')).days.map((one) => one.sent).slice(0, 2)
  expect(await sent()).toEqual([5, 5])
  await app.set('timeZone', 'Asia/Kolkata') // half an hour off the others
  expect((await traffic('?days=4')).days.find((one) => one.day === day)!.sent).toBe(10)
  await app.db.deleteFrom('trafficSum').where('slot', '<=', `${day}T03:00:00Z`).execute()
  await app.set('timeZone', 'America/Sao_Paulo')
})

it('the figures are visible to users who may set up connections, and to super users', async () => {
  const { deles } = app.company.connections
  expect((await app.as('ana')('GET', `/whatsapp/${loja}/traffic`)).status).toBe(403)
  expect((await app.as('admin')('GET', `/whatsapp/${deles}/traffic`)).status).toBe(404)
  await app.db.updateTable('user').set({ super: true }).where('id', '=', app.company.users.admin).execute()
  app.forget('admin')
  expect((await app.as('admin')('GET', `/whatsapp/${deles}/traffic`)).body.connection.id).toBe(deles)
  for (const days of ['0', '91', 'x', '1.5'])
    expect((await app.as('admin')('GET', `/whatsapp/${loja}/traffic?days=${days}`)).status).toBe(400)
})
