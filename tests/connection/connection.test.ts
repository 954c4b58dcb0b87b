import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteOrphanedEvents } from '#app/connection/remove.ts'
import { rewrapTokens } from '#app/crypto/connection-tokens.ts'
import { recordInbound } from '#app/inbound/inbound-journal.ts'
import { connectionFault, newToken, type Ruled } from '#domain/connection/rules.ts'
import { type Answer, type Ask, startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

let app: TestApp
let admin: Ask
beforeAll(async () => {
  app = await startTestApp()
  admin = app.as('admin')
})
afterAll(() => app?.stop())

let n = 0
async function made(more: object = {}, who = admin) {
  const { status, body } = await who('POST', '/whatsapp', { name: `Nova ${++n}`, channel: 'whatsapp', provider: 'sandbox', ...more })
  expect({ status, body }).toMatchObject({ status: 200 })
  return body
}
const refused = ({ status, body }: Answer) => [status, body.error, body.field ?? null, body.rule ?? null]
const defaults = async () => (await admin('GET', '/whatsapp')).body.filter(({ isDefault }: any) => isDefault).map(({ id }: any) => id)

it('a new default replaces the old one, and one is always left (A-CONN-01, R-CONN-13)', async () => {
  const { loja } = app.company.connections
  const second = await made({ isDefault: true })
  expect(await defaults()).toEqual([second.id])
  expect(refused(await admin('PUT', `/whatsapp/${second.id}`, { isDefault: false }))[1]).toBe('ERR_NO_OTHER_WHATSAPP')
  expect(refused(await admin('DELETE', `/whatsapp/${second.id}`))[1]).toBe('ERR_NO_OTHER_WHATSAPP')
  await Promise.all([loja, second.id, loja].map((id) => admin('PUT', `/whatsapp/${id}`, { isDefault: true })))
  expect(await defaults()).toHaveLength(1)
  await admin('PUT', `/whatsapp/${loja}`, { isDefault: true })
  expect((await admin('DELETE', `/whatsapp/${second.id}`)).status).toBe(204)
})

it('the first connection is the default, the last one can be deleted (A-CONN-01, R-CONN-14)', async () => {
  const root = app.as('root')
  const { contacts, queues, connections } = app.company
  const begin = async (more: object = {}) => {
    const asked = { contactId: contacts.deles, queueId: queues.deles, status: 'open', ...more }
    return refused(await root('POST', '/tickets', asked)).slice(0, 2)
  }
  expect(await begin({ whatsappId: connections.loja })).toEqual([404, 'ERR_NO_WAPP_FOUND'])
  expect((await root('DELETE', `/whatsapp/${connections.deles}`)).status).toBe(204)
  expect(await begin()).toEqual([404, 'ERR_NO_DEF_WAPP_FOUND'])
  const first = (await root('POST', '/whatsapp', { name: 'Sem número', channel: 'whatsapp' })).body
  expect(first.isDefault).toBe(true)
  expect(refused(await root('POST', `/whatsappsession/${first.id}`)).slice(0, 2)).toEqual([400, 'ERR_WAPP_NOT_INITIALIZED'])
})

it('missing fields get the defaults of the specification (R-CONN-12)', async () => {
  const { body } = await admin('POST', '/whatsapp', { name: ' Simples ', channel: 'whatsapp' })
  expect(body).toMatchObject({ name: 'Simples', provider: 'beta', status: 'DISCONNECTED', groupAsTicket: 'disabled' })
  expect(body).toMatchObject({
    maxUseBotQueues: 3,
    maxUseBotQueuesNPS: 3,
    timeSendQueue: '0',
    whenExpiresTicket: '1', // A-EXP-02: a customer who waits for us is not closed
    token: expect.stringMatching(/^[A-Za-z0-9]{30}$/),
  })
  expect(body.schedules).toHaveLength(7)
  expect(body.schedules[6]).toMatchObject({ weekdayEn: 'sunday', startTimeA: '08:00', endTimeB: '18:00' })
})

it('every field is returned as it was saved', async () => {
  const { vendas } = app.company.queues
  const whole = {
    ...{ name: 'Inteira', allowGroup: true, groupAsTicket: 'enabled', color: '#123456', queueIds: [vendas] },
    ...{ greetingMessage: 'Olá {nome}', complationMessage: 'Tchau', outOfHoursMessage: 'Fechado', ratingMessage: 'Nota de 0 a 10?' },
    ...{ collectiveVacationMessage: 'Férias', collectiveVacationStart: '2099-12-20', collectiveVacationEnd: '2100-01-05' },
    ...{ lgpdLink: 'https://exemplo.test/lgpd', lgpdMessage: 'Privacidade', maxUseBotQueues: 5, timeUseBotQueues: 2 },
    ...{ sendIdQueue: vendas, timeSendQueue: '15', expiresTicket: 60, whenExpiresTicket: '1', expiresInactiveMessage: 'Encerrado' },
    ...{ timeInactiveMessage: 30, inactiveMessage: 'Ainda está aí?', timeCreateNewTicket: 10, expiresTicketNPS: 20, maxUseBotQueuesNPS: 2 },
    schedules: [{ weekday: 'Sábado', weekdayEn: 'saturday', startTimeA: '09:00', endTimeA: '12:00', startTimeB: '', endTimeB: '' }],
  }
  const { id } = await made(whole)
  expect((await admin('GET', `/whatsapp/${id}?session=0`)).body).toMatchObject(whole)
})

it('inconsistent fields are refused (R-CONN-04 to 10, R-CONN-18, A-CONN-09, A-HOURS-01)', async () => {
  const { vendas, suporte } = app.company.queues
  const { id } = await made()
  const put = async (body: object) => refused(await admin('PUT', `/whatsapp/${id}`, body))
  const invalid = (field: string, rule: string) => [400, 'ERR_INVALID_INPUT', field, rule]
  expect(await put({ name: ' a ' })).toEqual(invalid('name', 'pattern'))
  expect(refused(await admin('POST', '/whatsapp', { channel: 'whatsapp' }))).toEqual(invalid('name', 'required'))
  expect(await put({ queueIds: [vendas, suporte], greetingMessage: '  ' })).toEqual([
    400,
    'ERR_WAPP_GREETING_REQUIRED',
    'greetingMessage',
    null,
  ])
  expect(await put({ ratingMessage: 'Nota?' })).toEqual(invalid('expiresTicketNPS', 'minimum'))
  expect(await put({ timeSendQueue: '5' })).toEqual(invalid('sendIdQueue', 'required'))
  expect(await put({ sendIdQueue: vendas, timeSendQueue: '' })).toEqual(invalid('timeSendQueue', 'required'))
  expect(await put({ collectiveVacationMessage: 'Férias', collectiveVacationStart: '2099-01-01' })).toEqual(
    invalid('collectiveVacationEnd', 'required'),
  )
  expect(await put({ collectiveVacationStart: '2099-02-30' })).toEqual(invalid('collectiveVacationStart', 'format'))
  const overlapping = [
    { weekday: 'x', weekdayEn: 'monday', startTimeA: '08:00', endTimeA: '12:00', startTimeB: '11:00', endTimeB: '18:00' },
  ]
  expect(await put({ schedules: overlapping })).toEqual(invalid('schedules/0/startTimeB', 'overlap'))
  const night = [{ weekday: 'x', weekdayEn: 'monday', startTimeA: '18:00', endTimeA: '02:00', startTimeB: '', endTimeB: '' }]
  expect((await admin('PUT', `/whatsapp/${id}`, { schedules: night })).status).toBe(200)
  for (const startTimeA of ['8:00', '24:00', '08:60', '0800', '08:00:00']) {
    const malformed = [{ weekday: 'x', weekdayEn: 'monday', startTimeA, endTimeA: '12:00', startTimeB: '', endTimeB: '' }]
    expect(await put({ schedules: malformed })).toEqual(invalid('schedules/0/startTimeA', 'pattern'))
  }
  expect((await admin('PUT', `/whatsapp/${id}`, { sendIdQueue: null, timeSendQueue: '' })).body.timeSendQueue).toBe('0')
  expect(await put({ greetingMessage: 'x'.repeat(5001) })).toEqual(invalid('greetingMessage', 'maxLength'))
  expect(await put({ promptId: 3 })).toEqual([404, 'ERR_NOT_FOUND', 'promptId', null])
  expect((await put({ whenExpiresTicket: '2' })).slice(0, 3)).toEqual([400, 'ERR_INVALID_INPUT', 'whenExpiresTicket'])
  expect(refused(await admin('POST', '/whatsapp', { name: 'Página', channel: 'facebook' }))).toEqual(invalid('channel', 'const')) // A-CONN-04
  for (const provider of ['zzz', 'constructor'])
    expect(refused(await admin('POST', '/whatsapp', { name: 'Nova', channel: 'whatsapp', provider }))).toEqual(invalid('provider', 'enum'))
  expect(await put({ channel: 'facebook' })).toEqual(invalid('channel', 'const'))
  await app.set('userRating', 'enabled')
  expect(await put({ name: 'Qualquer gravação' })).toEqual(invalid('ratingMessage', 'required')) // R-CONN-05, at every save
  expect(await put({ ratingMessage: 'Nota?', expiresTicketNPS: 30 })).toEqual([200, undefined, null, null])
  await app.set('userRating', 'disabled')
  expect(await put({ name: 'Ainda serve' })).toEqual([200, undefined, null, null])
})

describe('rules that depend on the date', () => {
  const is = (over: Partial<Ruled>): Ruled => ({
    ...{ queueIds: [], greetingMessage: null, ratingMessage: null, expiresTicketNPS: 0, sendIdQueue: null, timeSendQueue: '0' },
    ...{ expiresTicket: 0, timeInactiveMessage: 0, inactiveMessage: null },
    ...{ collectiveVacationMessage: null, collectiveVacationStart: null, collectiveVacationEnd: null },
    ...{ enableImportMessage: false, queueIdImportMessages: null, importOldMessages: null, importRecentMessages: null },
    ...over,
  })
  const around = { before: null, userRating: false, now: Date.parse('2026-03-05T15:00:00Z'), today: '2026-03-05' }
  const fault = (over: Partial<Ruled>, before: Ruled | null = null) => connectionFault(over, is(over), { ...around, before })
  const away = (start: string, end: string) => ({
    collectiveVacationMessage: 'F',
    collectiveVacationStart: start,
    collectiveVacationEnd: end,
  })

  it('a vacation starts at most ten days ago and ends after its start (R-CONN-07, A-VAC-01)', () => {
    expect(fault(away('2026-02-23', '2026-03-10'))).toBe(null)
    expect(fault(away('2026-02-22', '2026-03-10'))).toEqual({ field: 'collectiveVacationStart', rule: 'minimum' })
    expect(fault(away('2026-02-22', '2026-03-10'), is(away('2026-02-22', '2026-03-01')))).toBe(null)
    expect(fault(away('2026-03-10', '2026-03-09'))).toEqual({ field: 'collectiveVacationEnd', rule: 'minimum' })
    const silent = { ...away('2026-03-10', '2026-03-12'), collectiveVacationMessage: ' ' }
    expect(fault(silent)).toEqual({ field: 'collectiveVacationMessage', rule: 'required' })
  })
  it('an inactivity warning comes before the expiry (A-EXP-03)', () => {
    expect(fault({ timeInactiveMessage: 20, expiresTicket: 60, inactiveMessage: 'Ainda aí?' })).toBe(null)
    expect(fault({ timeInactiveMessage: 20, expiresTicket: 60, inactiveMessage: ' ' })).toEqual({
      field: 'inactiveMessage',
      rule: 'required',
    })
    expect(fault({ timeInactiveMessage: 20, expiresTicket: 0 })).toEqual({ field: 'expiresTicket', rule: 'required' })
    expect(fault({ timeInactiveMessage: 60, expiresTicket: 60 })).toEqual({ field: 'timeInactiveMessage', rule: 'maximum' })
  })
  it('an import goes back at most two years and needs a queue (R-CONN-08)', () => {
    const bring = (old: string, recent: string | null, queueIdImportMessages: number | null = 1) =>
      fault({ enableImportMessage: true, importOldMessages: old, importRecentMessages: recent, queueIdImportMessages })
    expect(bring('2024-03-06T00:00:00Z', '2026-03-01T00:00:00Z')).toBe(null)
    expect(bring('2024-03-06T00:00:00Z', null, null)).toEqual({ field: 'queueIdImportMessages', rule: 'required' })
    expect(bring('2024-03-01T00:00:00Z', null)).toEqual({ field: 'importOldMessages', rule: 'minimum' })
    expect(bring('2026-03-06T00:00:00Z', null)).toEqual({ field: 'importOldMessages', rule: 'maximum' })
    expect(bring('2025-03-06T00:00:00Z', '2025-03-05T00:00:00Z')).toEqual({ field: 'importRecentMessages', rule: 'minimum' })
  })
})

it('a token is encrypted, unique, and survives a new master key (A-CONN-08, R-CONN-11)', async () => {
  const { id, token, version } = await made()
  const rows = await app.db.selectFrom('connectionToken').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(rows.some(({ wrapped }) => wrapped.includes(token))).toBe(false)
  expect(await app.ctx.tokens.connectionOf(app.db, token)).toEqual({ id, companyId: app.company.companies.casa })
  const fresh = newToken()
  expect((await admin('PUT', `/whatsapp/${id}`, { token: fresh, version })).body).toMatchObject({ token: fresh, version: version + 1 })
  expect(refused(await admin('PUT', `/whatsapp/${id}`, { token: newToken(), version }))[1]).toBe('ERR_ROW_CHANGED') // of two the second is told
  expect(await app.ctx.tokens.connectionOf(app.db, token)).toBe(null)
  expect(refused(await app.as('root')('POST', '/whatsapp', { name: 'Outra', channel: 'whatsapp', token: fresh })).slice(2)).toEqual([
    'token',
    'unique',
  ])
  const [old, next] = [7, 8].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer]
  expect(await rewrapTokens(app.db, old, next)).toBeGreaterThan(0)
  await rewrapTokens(app.db, next, old)
  expect((await admin('GET', `/whatsapp/${id}`)).body.token).toBe(fresh)
  const { body } = await admin('GET', `/audit?list=connection&rowId=${id}`)
  expect(JSON.stringify(body)).not.toContain(fresh)
  expect(body.changes[0]).toMatchObject({ act: 'changed', after: { token: '•••' } })
})

it('a session opens after a scan; once ended, nothing is processed or sent (R-CONN-02)', async () => {
  const { vendas } = app.company.queues
  const { id, status, qrcode } = await made({ queueIds: [vendas] })
  expect([status, qrcode]).toEqual(['qrcode', expect.stringMatching(/./)])
  const now = async () => (await admin('GET', `/whatsapp/${id}`)).body
  const connected = () => eventually(now, (row) => row.status === 'CONNECTED')
  await admin('POST', `/sandbox/${id}/scan`)
  await connected()
  expect(await now()).toMatchObject({ qrcode: '', number: expect.stringMatching(/^5511\d{9}$/) })

  expect((await admin('DELETE', `/whatsappsession/${id}`)).status).toBe(204)
  await app.phone.says('5511970000001', 'está aí?', { connection: id })
  await app.phone.says('5511970000002', 'marcador', { connection: app.company.connections.balcao })
  const tickets = () => app.db.selectFrom('ticket').select('lastMessage').where('whatsappId', '=', id).execute()
  const marked = () => app.db.selectFrom('ticket').select('id').where('lastMessage', '=', 'marcador').execute()
  await eventually(marked, (rows) => rows.length === 1)
  expect(await tickets()).toEqual([])
  expect((await admin('POST', `/whatsappsession/${id}`)).body.status).toBe('OPENING')
  await connected()
  await eventually(tickets, (rows) => rows.length === 1)
  const renewed = (await admin('PUT', `/whatsappsession/${id}`)).body
  expect(renewed).toMatchObject({ status: 'qrcode', qrcode: expect.stringMatching(/./) })
})

it('deleting a connection in use needs a release, and closes tickets (A-CONN-06, A-QUEUE-01)', async () => {
  const { queues, users, contacts } = app.company
  const { id } = await made({ queueIds: [queues.vendas], complationMessage: 'Até logo' })
  await admin('POST', `/sandbox/${id}/scan`)
  await app.db.updateTable('user').set({ whatsappId: id }).where('id', '=', users.ana).execute()
  const asked = { contactId: contacts.joao, whatsappId: id, queueId: queues.vendas }
  const ticket = (await app.as('ana')('POST', '/tickets', asked)).body
  await admin('DELETE', `/whatsappsession/${id}`)
  expect((await app.as('ana')('POST', `/messages/${ticket.id}`, { body: 'Já vejo' })).status).toBe(200)
  const use = { error: 'ERR_WAPP_IN_USE', tickets: 1, users: 1, messages: 1 }
  const body = async () => (await admin('DELETE', `/whatsapp/${id}`)).body
  expect(await eventually(body, ({ messages }) => messages > 0)).toMatchObject(use)
  expect((await admin('GET', `/tickets/u/${ticket.uuid}`)).body).toMatchObject({ status: 'open', whatsapp: { id } })
  expect((await admin('DELETE', `/whatsapp/${id}?release=true`)).status).toBe(204)
  const [after] = (await admin('GET', `/tickets?showAll=true&status=closed&searchParam=${ticket.id}`)).body.tickets
  expect(after).toMatchObject({ id: ticket.id, status: 'closed', whatsapp: null })
  const ana = await app.db.selectFrom('user').select('whatsappId').where('id', '=', users.ana).executeTakeFirstOrThrow()
  expect(ana.whatsappId).toBe(null)
  const said = app.db.selectFrom('message').select('body').where('ticketId', '=', ticket.id).where('body', '=', 'Até logo')
  expect(await said.execute()).toEqual([])
  expect((await admin('GET', `/whatsapp/${id}`)).status).toBe(404)
  const left = () => app.db.selectFrom('outbox').select('state').where('connectionId', '=', id).where('kind', '=', 'send').execute()
  await eventually(left, (rows) => rows.length > 0 && rows.every(({ state }) => state === 'failed'))

  const again = app.as('ana')('PUT', `/tickets/${ticket.id}`, { status: 'open', userId: users.ana })
  expect(refused(await again).slice(0, 2)).toEqual([409, 'ERR_TICKET_CONNECTION_GONE']) // nothing it says could leave
  expect(refused(await admin('POST', `/tickets/${ticket.id}/undo`, {})).slice(0, 2)).toEqual([409, 'ERR_TICKET_CONNECTION_GONE'])
  expect((await app.as('ana')('POST', '/tickets', { ...asked, whatsappId: app.company.connections.loja })).status).toBe(200)
})

it('deleting a connection removes its waiting inbound events, also those that arrive later', async () => {
  const { id } = await made()
  const said = { kind: 'chat' as const, body: 'ninguém ouviu', media: null, vCard: null, quotedExternalId: null, at: '' }
  const heard = (externalId: string) => ({
    ...{ companyId: app.company.companies.casa, connectionId: id, externalId, conversation: '5511970000077' },
    payload: { type: 'message' as const, externalId, from: [], name: 'Bia', group: null, ...said },
  })
  const kept = () => app.db.selectFrom('inboundEvent').select('externalId').where('connectionId', '=', id).orderBy('id').execute()
  await recordInbound(app.db, ['waits', 'set aside', 'done'].map(heard))
  const mark = (externalId: string) =>
    app.db.updateTable('inboundEvent').where('connectionId', '=', id).where('externalId', '=', externalId)
  const doneAt = new Date().toISOString()
  await mark('set aside').set({ doneAt, refused: 'ERR_TOO_LARGE' }).execute()
  await mark('done').set({ doneAt, payload: null, conversation: '' }).execute()
  expect((await admin('DELETE', `/whatsapp/${id}`)).status).toBe(204)
  expect(await kept()).toEqual([{ externalId: 'done' }])
  await recordInbound(app.db, [heard('late')])
  await deleteOrphanedEvents(app.ctx)
  expect(await kept()).toEqual([{ externalId: 'done' }])
})

it('restarting all connections skips those that an admin ended (A-CONN-05)', async () => {
  const state = async (id: number, to: object) => app.db.updateTable('connection').set(to).where('id', '=', id).execute()
  const rows = { unlinked: await made(), ended: await made(), official: await made(), page: await made() }
  const number = '5511900000055'
  await state(rows.unlinked.id, { number, qrcode: '', status: 'DISCONNECTED', reason: 'LOGGED_OUT' })
  await state(rows.ended.id, { number, qrcode: '', status: 'DISCONNECTED', reason: null })
  await state(rows.official.id, { number, qrcode: '', status: 'CONNECTED', channel: 'whatsappapi' })
  await state(rows.page.id, { number, qrcode: '', status: 'DISCONNECTED', reason: 'TOKEN_EXPIRED', channel: 'facebook' })
  expect((await admin('POST', '/whatsapp-restart')).status).toBe(200)
  const status = async ({ id }: { id: number }) => (await admin('GET', `/whatsapp/${id}`)).body.status
  for (const row of [rows.unlinked, rows.official])
    await eventually(
      () => status(row),
      (now) => now === 'CONNECTED',
    )
  expect([await status(rows.ended), await status(rows.page)]).toEqual(['DISCONNECTED', 'DISCONNECTED'])
})

it('the plan limits new connections, and existing ones stay (A-PLAN-01)', async () => {
  const { length: connections } = (await app.as('root')('GET', '/whatsapp')).body
  await app.db.updateTable('plan').set({ connections }).execute()
  const answer = await app.as('root')('POST', '/whatsapp', { name: 'Demais', channel: 'whatsapp' })
  const max = `Número máximo de conexões atingido: ${connections}`
  expect([answer.status, answer.body.error, answer.body.message]).toEqual([400, 'ERR_PLAN_CONNECTIONS', max])
  await app.db
    .updateTable('plan')
    .set({ connections: null, flags: JSON.stringify({ useFacebook: false }) })
    .execute()
  app.ctx.viewerCache.forget()
  expect(refused(await admin('POST', '/whatsapp', { name: 'Página', channel: 'facebook' })).slice(0, 2)).toEqual([403, 'ERR_NO_PLAN'])
})

it('a super user’s change of another company’s connection is in its audit (A-CONN-02)', async () => {
  await app.db.updateTable('user').set({ super: true }).where('id', '=', app.company.users.admin).execute()
  app.ctx.viewerCache.forget()
  const [theirs] = (await app.as('root')('GET', '/whatsapp')).body
  expect((await admin('PUT', `/whatsapp/${theirs.id}`, { name: 'Mudada' })).body).toMatchObject({ name: 'Mudada' })
  const { body } = await app.as('root')('GET', `/audit?list=connection&rowId=${theirs.id}`)
  expect(body.changes[0]).toMatchObject({ act: 'changed', after: { name: 'Mudada' } })
})
