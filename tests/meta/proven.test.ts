import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { monitorConnections } from '#app/connection/outage.ts'
import { roundMs } from '#app/meta/session.ts'
import { openClock } from '#app/scheduler/clock.ts'
import { type Mailbox, openMailbox } from '#tests/support/mailbox.ts'
import { eventually } from '#tests/support/wait.ts'
import { own, startWithMeta, verifyToken, type WithMeta } from './house.ts'

/* Connections to Meta are verified regularly, and a failure is shown with its reason before messages fail. */
let at: WithMeta
let box: Mailbox
let aheadMs = 0
const lines: string[] = []
beforeAll(async () => {
  at = await startWithMeta({ clock: openClock(() => aheadMs), log: (line) => void lines.push(line) })
  box = await openMailbox()
  const values = { mailHost: '127.0.0.1', mailPort: String(box.port), mailSecurity: 'none', mailFrom: 'guiche@exemplo.test' }
  const rows = Object.entries(values).map(([key, value]) => ({ key, value }))
  await at.house.db.insertInto('platformSetting').values(rows).execute()
  at.meta.page.account('2001', 'Loja na página')
  at.meta.instagram.account('3001', 'loja.insta', '2001')
  await at.meta.tells(at.house.url, verifyToken)
  await login()
})
afterAll(async () => {
  await at?.stop()
  await box?.close()
})

const login = () => at.admin('POST', '/facebook', { facebookUserToken: at.meta.world.grant('user', []), addInstagram: true })
/** Moves the clock and wakes the lease holder early. */
async function minutesLater(id: number): Promise<void> {
  aheadMs += roundMs
  await at.house.db.updateTable('connection').set({ updatedAt: at.house.ctx.clock.iso() }).where('id', '=', id).execute()
}
/** A contact who wrote to the page, in a ticket that is served. */
async function served(name: string) {
  const person = at.meta.page.person(name)
  at.meta.page.text('2001', person, 'oi')
  const { id } = await at.shows(name, (all) => all.length === 1)
  await at.admin('PUT', `/tickets/${id}`, { status: 'open', queueId: at.house.company.queues.vendas })
  await at.house.settled()
  return { id, person }
}
const rowOf = async (id: number) => (await at.admin('GET', '/whatsapp')).body.find((one: any) => one.id === id)
const becomes = (id: number, status: string, reason: string | null) =>
  eventually(
    () => rowOf(id),
    (row) => row.status === status && row.reason === reason,
  )

describe('a connected page is verified regularly', () => {
  let ids: { page: number; instagram: number }
  beforeAll(async () => {
    const of = async (accountId: string) =>
      (await at.house.ctx.meta.byAccount(at.house.db, accountId === '3001' ? 'instagram' : 'page', accountId))!
    ids = { page: (await of('2001')).connectionId, instagram: (await of('3001')).connectionId }
    for (const id of Object.values(ids)) await becomes(id, 'CONNECTED', null)
  })
  const roundTripAt = async (id: number) =>
    (await at.house.db.selectFrom('connectionLease').select('roundTripAt').where('connectionId', '=', id).executeTakeFirstOrThrow())
      .roundTripAt

  it('a missing subscription disconnects it, and starting again subscribes it', async () => {
    at.meta.world.subscribed.delete('2001')
    await minutesLater(ids.page)
    await becomes(ids.page, 'DISCONNECTED', 'UNSUBSCRIBED')
    await at.admin('POST', `/whatsappsession/${ids.page}`)
    await becomes(ids.page, 'CONNECTED', null)
    expect(at.meta.world.subscribed.get('2001')).toContain('messages')
  })
  it('a contact without a name gets one later', async () => {
    const nilo = at.meta.page.person('Nilo Tardio')
    at.meta.world.faults.push({ on: nilo.id, method: 'GET', code: 2 })
    at.meta.page.text('2001', nilo, 'oi')
    await at.shows(`Cliente ${nilo.id.slice(-4)}`, (all) => all.length === 1)
    aheadMs += 2 * 60_000
    at.meta.page.text('2001', nilo, 'alô?')
    await at.shows('Nilo Tardio', (all) => all.length === 2)
  })
  it('a message with an outdated token is retried with the new one', async () => {
    const { id: ticketId, person } = await served('Luiz Renovado')
    const { faults } = at.meta.world
    faults.push({ on: '2001/messages', method: 'POST', code: 190, delayMs: 1000 })
    await at.admin('POST', `/messages/${ticketId}`, { body: 'sai com a nova' })
    await eventually(
      async () => faults.length,
      (n) => n === 0,
    )
    await login()
    await eventually(
      async () => at.meta.world.reached(person.id).map(({ body }) => body),
      (all) => all.includes('sai com a nova'),
    )
  })
  it('new webhook fields are subscribed', async () => {
    at.meta.world.subscribed.set('2001', ['messages', 'standby'])
    await minutesLater(ids.page)
    await eventually(
      async () => at.meta.world.subscribed.get('2001'),
      (fields) => fields!.includes('messaging_referrals'),
    )
    expect(await rowOf(ids.page)).toMatchObject({ status: 'CONNECTED' })
  })
  it('a missing webhook of the app disconnects it until it is set', async () => {
    const hook = at.meta.hooks.hooks.get('instagram')!
    at.meta.hooks.hooks.delete('instagram')
    await minutesLater(ids.instagram)
    await becomes(ids.instagram, 'DISCONNECTED', 'NO_WEBHOOK')
    expect(await rowOf(ids.page)).toMatchObject({ status: 'CONNECTED' })
    await at.meta.hooks.subscribe(hook)
    await becomes(ids.instagram, 'CONNECTED', null)
  })
  it('a withdrawn app disconnects it, also without a message', async () => {
    const account = await at.house.ctx.meta.of(at.house.db, ids.page)
    at.meta.world.tokens.get(account!.token)!.dead = 458
    await minutesLater(ids.page)
    await becomes(ids.page, 'DISCONNECTED', 'TOKEN_EXPIRED')
    await login()
    await becomes(ids.page, 'CONNECTED', null)
  })
  it('is silent if Meta does not answer, with one log entry at start and end', async () => {
    const before = await roundTripAt(ids.page)
    await minutesLater(ids.page)
    const first = await eventually(
      () => roundTripAt(ids.page),
      (told) => told !== null && told !== before,
    )
    at.meta.world.faults.push({ on: '2001/subscribed_apps', method: 'GET', lost: 'all', times: 1000 })
    const asked = () => at.meta.world.calls.filter(({ path }) => path === '2001/subscribed_apps').length
    const asks = asked()
    await minutesLater(ids.page)
    await eventually(
      async () => asked(),
      (n) => n > asks,
    )
    expect(await rowOf(ids.page)).toMatchObject({ status: 'CONNECTED', silentSince: null })
    expect(await roundTripAt(ids.page)).toBe(first)
    const longAgo = new Date(Date.parse(first!) - 13 * 60_000).toISOString()
    await at.house.db.updateTable('connectionLease').set({ roundTripAt: longAgo }).where('connectionId', '=', ids.page).execute()
    await monitorConnections(at.house.ctx)
    expect(await rowOf(ids.page)).toMatchObject({ status: 'CONNECTED', silentSince: expect.any(String) })
    at.meta.world.faults.length = 0
    await eventually(
      async () => Date.parse((await roundTripAt(ids.page))!),
      (told) => told > Date.parse(longAgo),
    )
    await monitorConnections(at.house.ctx)
    expect(await rowOf(ids.page)).toMatchObject({ silentSince: null })
    const told = lines
      .map((line) => JSON.parse(line))
      .filter(({ connectionId, msg }) => connectionId === ids.page && /is (down|back)$/.test(msg))
    expect(told.slice(-2).map(({ msg, reason }) => [msg, reason])).toEqual([
      ['Connection is down', 'SILENT'],
      ['Connection is back', undefined],
    ])
  })
})

describe('a number of the Cloud API', () => {
  const phone = () => at.meta.whatsapp
  let id = 0
  const change = (accessToken: string) => at.admin('PUT', `/whatsapp/${id}`, { cloud: { accessToken } })

  it('shows what is left to do until Meta has called its webhook', async () => {
    const accessToken = phone().account(own.businessId, own.phoneNumberId, 'Loja', '+55 11 4000-1000', own.appSecret)
    const cloud = { ...own, accessToken }
    const made = await at.admin('POST', '/whatsapp', { name: 'Oficial', channel: 'whatsappapi', provider: 'cloud', queueIds: [], cloud })
    id = made.body.id
    expect(await rowOf(id)).toMatchObject({ status: 'CONNECTED', todo: 'webhook', tokenExpiresAt: null })
    const url = `${at.house.url}/api/webhooks/whatsappapi/${made.body.account.hook}`
    const hook = { object: 'whatsapp_business_account', url, secret: own.appSecret }
    expect(await at.meta.hooks.subscribe({ ...hook, verifyToken: 'another word' })).toBe(false)
    expect(await rowOf(id)).toMatchObject({ todo: 'webhook' })
    expect(await at.meta.hooks.subscribe({ ...hook, verifyToken: own.verifyToken })).toBe(true)
    expect(await rowOf(id)).toMatchObject({ status: 'CONNECTED', todo: null })
    await change(phone().grant(own.businessId, own.appSecret))
    expect(await rowOf(id)).toMatchObject({ todo: null })
    const another = { accessToken: phone().grant(own.businessId, 'secret-of-another'), appSecret: 'secret-of-another' }
    await at.admin('PUT', `/whatsapp/${id}`, { cloud: another })
    expect(await rowOf(id)).toMatchObject({ todo: 'webhook' }) // another connection's webhook does not count
    await at.admin('PUT', `/whatsapp/${id}`, { cloud: { accessToken, appSecret: own.appSecret } })
    expect(await at.meta.hooks.subscribe({ ...hook, verifyToken: own.verifyToken })).toBe(true)
  })
  it('shows when its token ends, and notifies admins', async () => {
    const soon = phone().grant(own.businessId, own.appSecret, 5 * 24 * at.hour)
    expect((await change(soon)).body.account.tokenExpiresAt).toMatch(/^20/)
    const { tokenExpiresAt } = await rowOf(id)
    expect(Math.abs(Date.parse(tokenExpiresAt) - Date.now() - 5 * 24 * at.hour)).toBeLessThan(60_000)
    const before = box.mails.length
    await monitorConnections(at.house.ctx)
    await at.house.settled()
    await expect.poll(() => box.mails.length).toBe(before + 1)
    await change(phone().grant(own.businessId, own.appSecret))
    expect(await rowOf(id)).toMatchObject({ tokenExpiresAt: null })
  })
  it('learns the expiry of a token that was entered before', async () => {
    await change(phone().grant(own.businessId, own.appSecret, 30 * 24 * at.hour))
    await at.house.db.updateTable('metaAccount').set({ tokenExpiresAt: null }).where('id', '=', String(id)).execute()
    aheadMs += 25 * at.hour
    await minutesLater(id)
    await eventually(
      () => rowOf(id),
      (row) => row.tokenExpiresAt !== null,
    )
  })
  it('is disconnected if it is not registered, and sends waiting messages afterwards', async () => {
    const rita = phone().person('Rita Registro', '5511987001122')
    phone().text(own.phoneNumberId, rita, 'oi')
    const { id: ticketId } = await at.shows('Rita Registro', (all) => all.length === 1)
    await at.admin('PUT', `/tickets/${ticketId}`, { status: 'open', queueId: at.house.company.queues.vendas })
    await at.house.settled()
    phone().registered(own.phoneNumberId, false)
    await at.admin('POST', `/messages/${ticketId}`, { body: 'já volto' })
    await becomes(id, 'DISCONNECTED', 'NOT_REGISTERED')
    phone().registered(own.phoneNumberId, true)
    await becomes(id, 'CONNECTED', null)
    await eventually(
      async () => at.meta.world.reached(rita.id).map(({ body }) => body),
      (all) => all.includes('já volto'),
    )
  })
  it('is not connected if it is not registered when it is created', async () => {
    const accessToken = phone().account('9002', '1002', 'Filial', '+55 11 4000-2000', own.appSecret)
    phone().registered('1002', false)
    const cloud = { ...own, phoneNumberId: '1002', businessId: '9002', accessToken }
    const made = await at.admin('POST', '/whatsapp', { name: 'Filial', channel: 'whatsappapi', provider: 'cloud', queueIds: [], cloud })
    expect(made.body).toMatchObject({ status: 'DISCONNECTED', reason: 'NOT_REGISTERED' })
  })
  it('is registered with its PIN, which is not stored, and a wrong PIN is reported', async () => {
    const accessToken = phone().account('9003', '1003', 'Depósito', '+55 11 4000-3000', own.appSecret)
    phone().registered('1003', false, '135790')
    const cloud = { ...own, phoneNumberId: '1003', businessId: '9003', accessToken }
    const { body: made } = await at.admin('POST', '/whatsapp', {
      name: 'Depósito',
      channel: 'whatsappapi',
      provider: 'cloud',
      queueIds: [],
      cloud,
    })
    const register = (pin: string, of = made.id, who = at.admin) => who('POST', `/whatsappsession/${of}/register`, { pin })
    for (const pin of ['12345', '1234567', 'abcdef', '']) expect((await register(pin)).body.error).toBe('ERR_INVALID_INPUT')
    const wrong = await register('246802')
    expect([wrong.status, wrong.body.error, wrong.body.field]).toEqual([400, 'ERR_CHANNEL_PIN', 'pin'])
    phone().registered('1003', false, '999999')
    const often = await register('135790')
    expect([often.status, often.body.error]).toEqual([429, 'ERR_CHANNEL_PIN_LATER'])
    phone().registered('1003', false, '135790')
    const given = await register('135790')
    expect([given.status, given.body.status]).toEqual([200, 'OPENING'])
    await becomes(made.id, 'CONNECTED', null)
    expect((await register('135790', at.house.company.connections.balcao)).body.error).toBe('ERR_WAPP_NOT_INITIALIZED')
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from audit where before::text like '%135790%' or after::text like '%135790%'`.execute(at.house.db)
    expect(rows[0]!.n).toBe(0)
    await at.admin('DELETE', `/whatsapp/${made.id}`)
  })
})
