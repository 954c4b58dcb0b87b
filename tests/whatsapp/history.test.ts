import { randomUUID } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { proto } from '@whiskeysockets/baileys'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { wrapSecret } from '#app/crypto/seal.ts'
import { type Imported, importChat, storeImported } from '#app/inbound/importing.ts'
import { openClock } from '#app/scheduler/clock.ts'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TestApp } from '#tests/support/server.ts'
import type { Double } from '#tests/support/whatsapp/double.ts'
import { becomes, codeOf, installationAtDouble } from '#tests/support/whatsapp/linked.ts'
import { encrypted } from '#tests/support/whatsapp/media.ts'
import type { Contact, Phone } from '#tests/support/whatsapp/world.ts'

const soon = <T>(look: () => T) => expect.poll(look)
let double: Double
let app: TestApp
let ahead = 0
beforeAll(async () => {
  ;({ house: app, double } = await installationAtDouble({ clock: openClock(() => ahead) }))
})
afterAll(async () => {
  await app?.stop()
  await double?.stop()
})

const day = 86_400_000
/** As a phone tells of it: the newest first. */
const received = (jid: string, id: string, text: string, daysAgo: number, ours = false) => ({
  message: {
    ...{ key: { remoteJid: jid, id, fromMe: ours }, message: { conversation: text } },
    messageTimestamp: Math.floor((Date.now() - daysAgo * day) / 1000),
  },
})
const daysSince = (at: string | null) => Math.round((Date.now() - Date.parse(at!)) / day)
/** As an agent reads it, with what is quoted. */
const threadOf = async (ticketId: number) => {
  const { messages } = (await app.as('admin')('GET', `/messages/${ticketId}`)).body as { messages: MessageRow[] }
  return messages.map(({ body, quotedMsg }) => (quotedMsg ? `${body}: ${quotedMsg.body}` : body))
}
const importing = async () => {
  const row = app.db.selectFrom('connection').select(['statusImportMessages', 'importDone', 'importAll']).where('id', '=', line)
  return row.executeTakeFirstOrThrow()
}
const waiting = () => app.db.selectFrom('importMessage').select('externalId').where('payload', 'is not', null).execute()
const ticketsOf = async (name: string) => {
  const of = app.db.selectFrom('ticket').innerJoin('contact', 'contact.id', 'ticket.contactId').selectAll('ticket')
  return of.where('contact.name', '=', name).where('ticket.whatsappId', '=', line).orderBy('ticket.id').execute()
}
let line: number
let counter: Phone
/** What was gathered comes into tickets. */
async function begins(): Promise<void> {
  const row = app.db.updateTable('connection').set({ statusImportMessages: new Date(0).toISOString() })
  await row.where('id', '=', line).execute()
  await app.as('admin')('POST', '/whatsapp-restart')
  await soon(async () => (await importing()).statusImportMessages).toBe('renderButtonCloseTickets')
  await app.settled()
}
/** The phone tells its history once more, and it is imported. */
async function tellsAgain(): Promise<void> {
  await counter.greet(double.companions(counter)[0]!)
  await soon(async () => Date.parse((await importing()).statusImportMessages ?? '')).toBeGreaterThan(0)
  ahead += 35_000
  await soon(async () => (await importing()).statusImportMessages).toBe('renderButtonCloseTickets')
  await app.settled()
}
it('history is imported with its own times, without unread messages or notices (A-IMP-04)', async () => {
  const rita = double.addContact({ pn: '5511900000021', name: 'Rita' })
  const otto = double.addContact({ pn: '5511900000022', name: 'Otto' })
  counter = double.addPhone({ pn: '5511900000020', name: 'Caixa' })
  const chatOf = ({ jid, lidJid, name }: Contact, messages: ReturnType<typeof received>[]) => ({ id: jid, name, lidJid, messages })
  counter.history.conversations = [
    chatOf(rita, [
      received(rita.jid, 'H3', 'obrigada', 2),
      received(rita.jid, 'H2', 'às nove', 3, true),
      received(rita.jid, 'H1', 'que horas abrem?', 3.01),
      received(rita.jid, 'H0', 'há muito tempo', 90),
    ]),
    chatOf(otto, [received(otto.jid, 'H4', 'boa tarde', 5)]),
    { id: '120363000000000001@g.us', name: 'Vizinhos', messages: [received('120363000000000001@g.us', 'H5', 'grupo', 1)] },
  ]
  counter.longAgo.conversations = [chatOf(rita, [received(rita.jid, 'H7', 'bem antes', 10)])] // which a browser would not be told
  const { vendas } = app.company.queues
  const made = await app.as('admin')('POST', '/whatsapp', {
    ...{ name: 'Caixa', channel: 'whatsapp', enableImportMessage: true, queueIdImportMessages: vendas },
    importOldMessages: new Date(Date.now() - 30 * day).toISOString(),
  })
  expect(made).toMatchObject({ status: 200 })
  line = made.body.id
  await counter.scan(await codeOf(app, line))
  await becomes(app, line, 'CONNECTED')
  await soon(waiting).toContainEqual({ externalId: 'H7' }) // in its last part
  await otto.says(counter, 'alguém aí?')
  await soon(async () => (await ticketsOf('Otto')).map(({ status }) => status)).toEqual(['pending'])
  ahead += 35_000
  await soon(importing).toEqual({ statusImportMessages: 'renderButtonCloseTickets', importDone: 2, importAll: 2 })
  await app.settled()
  const [old] = await ticketsOf('Rita')
  expect(old).toMatchObject({ status: 'pending', queueId: vendas, unreadMessages: 0, lastMessage: 'obrigada', isBot: false })
  expect([daysSince(old!.lastMessageAt), old!.waitingSince]).toEqual([2, null])
  const said = await app.db.selectFrom('message').selectAll().where('ticketId', '=', old!.id).orderBy('revision').execute()
  const lines = said.map(({ body, fromMe }) => `${body}${fromMe ? ' (nós)' : ''}`)
  expect(lines).toEqual(['bem antes', 'que horas abrem?', 'às nove (nós)', 'obrigada'])
  expect(said.map(({ createdAt }) => daysSince(createdAt))).toEqual([10, 3, 3, 2])
  expect((await ticketsOf('Otto')).map(({ status, unreadMessages }) => `${status} ${unreadMessages}`)).toEqual(['pending 1', 'closed 0'])
  const [live, before] = await ticketsOf('Otto')
  expect([before!.createdAt, before!.closedAt].map(daysSince)).toEqual([5, 5])
  await otto.send(counter, { extendedTextMessage: { text: 'essa', contextInfo: { stanzaId: 'H4', participant: otto.lidJid } } })
  await soon(() => threadOf(live!.id)).toEqual(['boa tarde', 'alguém aí?', 'essa: boa tarde'])
  expect(rita.received).toEqual([])
  expect(await waiting()).toEqual([])
})

it('history is imported once, and an interrupted import continues', async () => {
  const stored = async () => (await app.db.selectFrom('message').select('id').execute()).length
  const before = await stored()
  const [companion] = double.companions(counter)
  const [old] = await ticketsOf('Rita')
  const later = Array.from({ length: 6 }, (_, n) => ({ ...old!, id: 9000 + n, uuid: randomUUID(), createdAt: new Date().toISOString() }))
  const row = (one: (typeof later)[number]) => ({ ...one, failedIds: '[]', transfer: null, status: 'closed' as const })
  await app.db
    .insertInto('ticket')
    .values(later.map(row) as never)
    .execute() // more than are looked through for a message
  counter.longAgo.conversations = []
  await counter.greet(companion!)
  await soon(async () => Date.parse((await importing()).statusImportMessages ?? '')).toBeGreaterThan(0)
  await app.db.updateTable('importChat').set({ begunAt: new Date().toISOString() }).where('begunAt', 'is', null).execute()
  await app.db.updateTable('connection').set({ statusImportMessages: 'Running' }).where('id', '=', line).execute()
  await app.as('admin')('POST', '/whatsapp-restart')
  await soon(importing).toMatchObject({ statusImportMessages: 'renderButtonCloseTickets' })
  await app.settled()
  await app.db.deleteFrom('ticket').where('id', '>=', 9000).execute()
  expect(await stored()).toBe(before)
})

it('later parts of a history are sorted into tickets by time', async () => {
  const [rita] = double.world.contacts
  const at = (id: string, text: string, daysAgo: number) => received(rita!.jid, id, text, daysAgo)
  counter.history.conversations = [
    { id: rita!.jid, messages: [at('R3', 'de ontem', 1), at('R2', 'obrigada mesmo', 1.5), at('R1', 'meses atrás', 20)] },
  ]
  await tellsAgain()
  const all = (await ticketsOf('Rita')).toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
  expect(all.map(({ status, createdAt, closedAt }) => [status, daysSince(createdAt), closedAt && daysSince(closedAt)])).toEqual([
    ['closed', 20, 20],
    ['pending', 10, null],
    ['closed', 2, 1],
  ])
  const first = ['meses atrás', 'bem antes', 'que horas abrem?', 'às nove', 'obrigada']
  expect(await threadOf(all[1]!.id)).toEqual(first)
  expect(await threadOf(all[2]!.id)).toEqual([...first, 'obrigada mesmo', 'de ontem'])
})

it('history of an erased contact is not imported', async () => {
  const [eva, gil] = ['5511900000041', '5511900000042'].map((pn, n) => double.addContact({ pn, name: ['Eva', 'Gil'][n]! }))
  await eva!.says(counter, 'oi')
  await soon(async () => (await ticketsOf('Eva')).length).toBe(1)
  await app.db.updateTable('connection').set({ allowGroup: true, importOldMessagesGroups: true }).where('id', '=', line).execute()
  const bairro = { id: '120363000000000008', name: 'Bairro' }
  await gathered(word(eva!.pn, 'E1', 'segredo da Eva'))
  await gathered(word(gil!.pn, 'E3', 'do Gil no grupo', bairro), word(eva!.pn, 'E2', 'da Eva no grupo', bairro))
  const { id, companyId, contactId } = (await ticketsOf('Eva'))[0]!
  expect((await app.as('admin')('DELETE', `/tickets/${id}`)).status).toBe(204)
  await app.ctx.contactKeys.destroy({ companyId, contactId })
  expect(await waiting()).toEqual([{ externalId: 'E3' }])
  counter.history.conversations = [
    { id: eva!.jid, lidJid: eva!.lidJid, messages: [received(eva!.jid, 'E4', 'de novo', 6)] },
    { id: gil!.jid, name: 'Gil', lidJid: gil!.lidJid, messages: [received(gil!.jid, 'E5', 'e eu?', 6)] },
  ]
  await tellsAgain()
  expect([await ticketsOf('Gil'), await ticketsOf('Eva')].map(({ length }) => length)).toEqual([1, 0])
  const [group] = await ticketsOf('Bairro')
  expect(await threadOf(group!.id)).toEqual(['do Gil no grupo'])
  const { rows } = await sql<{ all: string }>`
    select string_agg(m::text, ' ') || (select string_agg(c::text, ' ') from import_chat c) as all from import_message m`.execute(app.db)
  expect(rows[0]!.all).not.toMatch(/Eva|de novo|5511900000041/)
  expect(await app.db.selectFrom('waMessage').select('id').where('id', '=', 'E4').execute()).toEqual([])
})

it('history of a person with two contacts goes to the contact that is served', async () => {
  const iris = double.addContact({ pn: '5511900000051', name: 'Íris' })
  await iris.says(counter, 'oi')
  await soon(async () => (await ticketsOf('Íris')).length).toBe(1)
  const { id, contactId: served, companyId } = (await ticketsOf('Íris'))[0]!
  expect((await app.as('admin')('PUT', `/tickets/${id}`, { status: 'open', queueId: app.company.queues.vendas })).status).toBe(200)
  const { rows } = await sql<{ id: number }>`
    insert into contact (company_id, channel, number, number_key, name, is_group, extra_info)
    values (${companyId}, 'whatsapp', 'outro', 'outro', 'Íris antiga', false, '[]') returning id`.execute(app.db)
  const contactId = rows[0]!.id
  await app.db.updateTable('contactIdentity').set({ contactId }).where('contactId', '=', served).execute()
  await app.db.insertInto('contactDuplicate').values({ companyId, contactId, duplicateId: served }).execute()
  await gathered(word(iris.pn, 'I1', 'de antes'))
  counter.history.conversations = []
  await begins()
  expect((await ticketsOf('Íris')).length).toBe(2)
  expect(await threadOf(id)).toEqual(['de antes', 'oi'])
})

it('imported waiting tickets can be closed without a message to customers (A-IMP-05)', async () => {
  const { status, body } = await app.as('admin')('POST', `/closedimported/${line}`)
  expect({ status, body }).toMatchObject({ status: 202, body: { kind: 'closeTickets', total: 2 } })
  await soon(async () => (await ticketsOf('Rita')).every(({ status }) => status === 'closed')).toBe(true)
  expect((await ticketsOf('Otto'))[0]!.status).toBe('pending')
  expect((await importing()).statusImportMessages).toBeNull()
  expect((await app.as('admin')('POST', '/tickets/closeAll/undo', { batch: body.batch })).body).toEqual({ count: 2 })
  expect((await importing()).statusImportMessages).toBe('renderButtonCloseTickets') // R-CONN-16
  await app.as('admin')('POST', `/closedimported/${line}`)
  await soon(async () => (await ticketsOf('Rita')).every(({ status }) => status === 'closed')).toBe(true)
})

/** As it is gathered of what a phone told, all of one moment: phones count in seconds. */
const word = (number: string, externalId: string, body: string, group: { id: string; name: string } | null = null): Imported => ({
  ...{ type: 'message', externalId, from: [{ kind: 'phone', id: number }], name: `Cliente ${number.slice(-2)}`, group, kind: 'chat', body },
  ...{ media: null, vCard: null, quotedExternalId: null, at: new Date(Math.floor(Date.now() / day - 4) * day).toISOString() },
})
/** The newest first. */
const gathered = (...said: Imported[]) => storeImported(app.db, { id: line, companyId: app.company.companies.casa }, said)
const open = () => app.db.selectFrom('importChat').selectAll().where('connectionId', '=', line).where('doneAt', 'is', null)

it('an import skips broken entries, waits for files, and treats groups as live ones', async () => {
  await app.db.updateTable('connection').set({ allowGroup: true, groupAsTicket: 'enabled' }).where('id', '=', line).execute()
  const [gone] = await ticketsOf('Rita')
  expect((await app.as('admin')('DELETE', `/tickets/${gone!.id}`)).status).toBe(204)
  await gathered(word('5511900000021', 'G1', 'apagada'))
  const chat = app.db.updateTable('importChat').set({ ticketId: gone!.id, uuid: gone!.uuid })
  await chat.where('conversation', '=', '5511900000021').execute()
  await gathered(
    word('5511900000031', 'L3', 'depois'),
    { ...word('5511900000031', 'L2', 'nunca'), kind: 'x'.repeat(2 ** 21) as never },
    word('5511900000031', 'L1', 'antes'),
  )
  await gathered(word('5511900000032', 'V1', 'pessoal', { id: '120363000000000009', name: 'Obra' }))
  const vera = double.addContact({ pn: '5511900000033', name: 'Vera' })
  const image = sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } }).png()
  const file = (await encrypted(double.world, 'image', await image.toBuffer())) as { directPath: string }
  const imageMessage = { ...file, mimetype: 'image/png', caption: 'a placa' }
  const [old, lost] = [
    { ...imageMessage, directPath: '/v/gone.enc' },
    { ...imageMessage, directPath: '/v/lost.enc', caption: 'sem ela' },
  ]
  double.world.media.set(old.directPath, double.world.media.get(imageMessage.directPath)!) // the phone has it still
  double.world.goneFiles.add(old.directPath).add(lost.directPath)
  const seen = (id: string, imageMessage: object, daysAgo: number) => {
    const { message } = received(vera.jid, id, '', daysAgo)
    return { message: { ...message, message: { imageMessage } } }
  }
  const messages = [seen('H10', lost, 1), seen('H9', old, 2), seen('H6', imageMessage, 3)]
  counter.history.conversations = [{ id: vera.jid, name: 'Vera', lidJid: vera.lidJid, messages }]
  double.world.filesAway = 1
  await tellsAgain()
  expect(await importing()).toMatchObject({ importDone: 4, importAll: 4 })
  expect(await open().execute()).toEqual([])
  const said = async (name: string) => {
    const { id } = (await ticketsOf(name))[0]!
    return app.db.selectFrom('message').selectAll().where('ticketId', '=', id).orderBy('revision').execute()
  }
  expect((await said('Cliente 31')).map(({ body }) => body)).toEqual(['antes', 'depois'])
  expect(await said('Vera')).toMatchObject([
    { body: 'a placa', mediaType: 'image', media: { mime: 'image/png' } },
    { body: 'a placa', mediaType: 'image', media: { mime: 'image/png' } },
    { body: 'sem ela', mediaType: 'image', media: null },
  ])
  expect(await ticketsOf('Obra')).toMatchObject([{ status: 'pending', isGroup: false }])
  await soon(() => app.db.selectFrom('uploadReservation').select('id').execute()).toEqual([]) // facts name the files
})

it('unreadable parts are skipped, and nothing is imported after the lease is lost', async () => {
  const companyId = app.company.companies.casa
  const key = await app.ctx.whatsappAccountKeys.of(app.db, { id: line, companyId })
  const part = (data: Buffer, failures = 0) => ({ connectionId: line, companyId, data: wrapSecret(key, data, 'history'), failures })
  const notified = (initialHistBootstrapInlinePayload: Buffer) =>
    Buffer.from(proto.Message.HistorySyncNotification.encode({ initialHistBootstrapInlinePayload }).finish())
  const conversations = [{ id: '5511900000035@s.whatsapp.net', messages: [received('5511900000035@s.whatsapp.net', 'K1', 'inteira', 3)] }]
  const good = notified(deflateSync(proto.HistorySync.encode({ syncType: 2, conversations }).finish()))
  const nonsense = [Buffer.from('no history'), Buffer.alloc(0), notified(Buffer.from('not packed'))]
  const parts = [...nonsense.map((one) => part(one)), part(good, 4), part(good)]
  await sql`create function unkept() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$`.execute(app.db)
  await sql`create trigger unkept before insert on import_message for each row execute function unkept()`.execute(app.db)
  const rows = await app.db.insertInto('waHistory').values(parts).returning('id').execute()
  await app.as('admin')('POST', '/whatsapp-restart')
  const left = () => app.db.selectFrom('waHistory').select(['id', 'failures']).execute()
  await soon(left).toEqual([{ id: rows.at(-1)!.id, failures: 1 }])
  await sql`drop function unkept cascade`.execute(app.db)
  await soon(left).toEqual([])
  await gathered(word('5511900000034', 'W1', 'de outro telefone'))
  await app.db.updateTable('importChat').set({ begunAt: new Date().toISOString() }).where('begunAt', 'is', null).execute()
  const { id } = await open().executeTakeFirstOrThrow()
  const now = await app.db.selectFrom('connection').selectAll().where('id', '=', line).executeTakeFirstOrThrow()
  const lost = importChat(
    { connection: now as never, isLeaseValid: () => false },
    id,
    async (one) => one,
    app.ctx,
    new AbortController().signal,
  )
  await expect(lost).rejects.toThrow('lease has expired')
  expect((await app.as('admin')('DELETE', `/whatsappsession/${line}`)).status).toBe(204)
  await soon(() => open().execute()).toEqual([])
  expect(await app.db.selectFrom('waHistory').select('id').execute()).toEqual([])
  expect(await waiting()).toEqual([])
  expect((await importing()).statusImportMessages).toBe('renderButtonCloseTickets') // of what was imported before
})
