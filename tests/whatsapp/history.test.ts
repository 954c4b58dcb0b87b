import tls from 'node:tls'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Connection } from '#app/channels/channel.ts'
import { gather, importChat, type Said } from '#app/channels/importing.ts'
import { wrapSecret } from '#app/eventlog/seal.ts'
import { openClock } from '#app/work/clock.ts'
import { startHouse, type TestHouse } from '#tests/kit/server.ts'
import { type Double, whatsappDouble } from '#tests/kit/whatsapp/double.ts'
import { becomes, codeOf } from '#tests/kit/whatsapp/linked.ts'
import { encrypted } from '#tests/kit/whatsapp/media.ts'
import type { Contact, Phone } from '#tests/kit/whatsapp/world.ts'

const soon = <T>(look: () => T) => expect.poll(look, { timeout: 15_000 })
let double: Double
let house: TestHouse
let ahead = 0
beforeAll(async () => {
  double = await whatsappDouble()
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), double.certificate])
  house = await startHouse({ settings: { whatsappUrl: double.url }, clock: openClock(() => ahead) })
}, 60_000)
afterAll(async () => {
  await house?.stop()
  await double?.stop()
}, 30_000)

const day = 86_400_000
/** As a phone tells of it: the newest first. */
const told = (jid: string, id: string, text: string, daysAgo: number, ours = false) => ({
  message: {
    ...{ key: { remoteJid: jid, id, fromMe: ours }, message: { conversation: text } },
    messageTimestamp: Math.floor((Date.now() - daysAgo * day) / 1000),
  },
})
const importing = async () => {
  const row = house.db.selectFrom('connection').select(['statusImportMessages', 'importDone', 'importAll']).where('id', '=', line)
  return row.executeTakeFirstOrThrow()
}
const ticketsOf = async (name: string) => {
  const of = house.db.selectFrom('ticket').innerJoin('contact', 'contact.id', 'ticket.contactId').selectAll('ticket')
  return of.where('contact.name', '=', name).where('ticket.whatsappId', '=', line).orderBy('ticket.id').execute()
}
let line: number
let counter: Phone
it('imports what was said before the number was linked: with its own times, nothing unread, nobody told, beside what is said meanwhile (A-IMP-04)', async () => {
  const rita = double.addContact({ pn: '5511900000021', name: 'Rita' })
  const otto = double.addContact({ pn: '5511900000022', name: 'Otto' })
  counter = double.addPhone({ pn: '5511900000020', name: 'Caixa' })
  const chatOf = ({ jid, lidJid, name }: Contact, messages: ReturnType<typeof told>[]) => ({ id: jid, name, lidJid, messages })
  counter.history.conversations = [
    chatOf(rita, [
      told(rita.jid, 'H3', 'obrigada', 2),
      told(rita.jid, 'H2', 'às nove', 3, true),
      told(rita.jid, 'H1', 'que horas abrem?', 3.01),
      told(rita.jid, 'H0', 'há muito tempo', 90),
    ]),
    chatOf(otto, [told(otto.jid, 'H4', 'boa tarde', 5)]),
    { id: '120363000000000001@g.us', name: 'Vizinhos', messages: [told('120363000000000001@g.us', 'H5', 'grupo', 1)] },
  ]
  const { vendas } = house.company.queues
  const made = await house.as('admin')('POST', '/whatsapp', {
    ...{ name: 'Caixa', channel: 'whatsapp', enableImportMessage: true, queueIdImportMessages: vendas },
    importOldMessages: new Date(Date.now() - 30 * day).toISOString(),
  })
  expect(made).toMatchObject({ status: 200 })
  line = made.body.id
  await counter.scan(await codeOf(house, line))
  await becomes(house, line, 'CONNECTED')
  await soon(async () => Date.parse((await importing()).statusImportMessages ?? '')).toBeGreaterThan(Date.now() - 60_000)
  await otto.says(counter, 'alguém aí?')
  await soon(async () => (await ticketsOf('Otto')).map(({ status }) => status)).toEqual(['pending'])
  ahead += 35_000
  await soon(importing).toEqual({ statusImportMessages: 'renderButtonCloseTickets', importDone: 2, importAll: 2 })
  await house.settled()
  const [old] = await ticketsOf('Rita')
  expect(old).toMatchObject({ status: 'pending', queueId: vendas, unreadMessages: 0, lastMessage: '', isBot: false })
  const said = await house.db.selectFrom('message').selectAll().where('ticketId', '=', old!.id).orderBy('revision').execute()
  expect(said.map(({ body, fromMe }) => `${body}${fromMe ? ' (nós)' : ''}`)).toEqual(['que horas abrem?', 'às nove (nós)', 'obrigada'])
  expect(Math.round((Date.now() - Date.parse(said[2]!.createdAt)) / day)).toBe(2)
  expect((await ticketsOf('Otto')).map(({ status, unreadMessages }) => `${status} ${unreadMessages}`)).toEqual(['pending 1', 'closed 0'])
  expect(rita.received).toEqual([])
  expect(await house.db.selectFrom('importMessage').select('externalId').execute()).toEqual([])
}, 40_000)

it('imports nothing twice, also where a phone tells the same again, and goes on where an import was interrupted', async () => {
  const stored = async () => (await house.db.selectFrom('message').select('id').execute()).length
  const before = await stored()
  const [companion] = double.companions(counter)
  await counter.greet(companion!)
  await soon(async () => Date.parse((await importing()).statusImportMessages ?? '')).toBeGreaterThan(0)
  await house.db.updateTable('importChat').set({ begunAt: new Date().toISOString() }).where('begunAt', 'is', null).execute()
  await house.db.updateTable('connection').set({ statusImportMessages: 'Running' }).where('id', '=', line).execute()
  await house.as('admin')('POST', '/whatsapp-restart')
  await soon(importing).toMatchObject({ statusImportMessages: 'renderButtonCloseTickets' })
  await house.settled()
  expect(await stored()).toBe(before)
}, 40_000)

it('closes what it imported and still waits where somebody says so, and says nothing to customers (A-IMP-05)', async () => {
  const { status, body } = await house.as('admin')('POST', `/closedimported/${line}`)
  expect({ status, body }).toMatchObject({ status: 202, body: { kind: 'closeTickets', total: 1 } })
  await soon(async () => (await ticketsOf('Rita')).map((ticket) => ticket.status)).toEqual(['closed'])
  expect((await ticketsOf('Otto'))[0]!.status).toBe('pending')
  expect((await importing()).statusImportMessages).toBeNull()
}, 40_000)

/** As it is gathered of what a phone told. */
const word = (number: string, externalId: string, body: string, group: { id: string; name: string } | null = null): Said => ({
  ...{ type: 'message', externalId, from: [{ kind: 'phone', id: number }], name: `Cliente ${number.slice(-2)}`, group, kind: 'chat', body },
  ...{ media: null, vCard: null, quotedExternalId: null, at: new Date(Date.now() - 4 * day).toISOString() },
})
const gathered = (...said: Said[]) => gather(house.db, { id: line, companyId: house.company.companies.casa }, said)
const open = () => house.db.selectFrom('importChat').selectAll().where('connectionId', '=', line).where('doneAt', 'is', null)

it('goes past what can never be imported, waits for a file whose host is away, and takes groups as they are taken live', async () => {
  await house.db.updateTable('connection').set({ allowGroup: true, groupAsTicket: 'enabled' }).where('id', '=', line).execute()
  const [gone] = await ticketsOf('Rita')
  expect((await house.as('admin')('DELETE', `/tickets/${gone!.id}`)).status).toBe(204)
  await gathered(word('5511900000021', 'G1', 'apagada'))
  await house.db
    .updateTable('importChat')
    .set({ ticketId: gone!.id, uuid: gone!.uuid })
    .where('conversation', '=', '5511900000021')
    .execute()
  await gathered(
    word('5511900000031', 'L1', 'antes'),
    word('5511900000031', 'L2', 'x'.repeat(2 ** 21)),
    word('5511900000031', 'L3', 'depois'),
  )
  await gathered(word('5511900000032', 'V1', 'pessoal', { id: '120363000000000009', name: 'Obra' }))
  const vera = double.addContact({ pn: '5511900000033', name: 'Vera' })
  const image = sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } }).png()
  const imageMessage = { ...(await encrypted(double.world, 'image', await image.toBuffer())), mimetype: 'image/png', caption: 'a placa' }
  const seen = told(vera.jid, 'H6', '', 3)
  counter.history.conversations = [
    { id: vera.jid, name: 'Vera', lidJid: vera.lidJid, messages: [{ message: { ...seen.message, message: { imageMessage } } }] },
  ]
  double.world.filesAway = 1
  await counter.greet(double.companions(counter)[0]!)
  await soon(async () => Date.parse((await importing()).statusImportMessages ?? '')).toBeGreaterThan(0)
  ahead += 35_000
  await soon(importing).toEqual({ statusImportMessages: 'renderButtonCloseTickets', importDone: 4, importAll: 4 })
  await house.settled()
  expect(await open().execute()).toEqual([])
  const said = async (name: string) => {
    const { id } = (await ticketsOf(name))[0]!
    return house.db.selectFrom('message').selectAll().where('ticketId', '=', id).orderBy('revision').execute()
  }
  expect((await said('Cliente 31')).map(({ body }) => body)).toEqual(['antes', 'depois'])
  expect(await said('Vera')).toMatchObject([{ body: 'a placa', mediaType: 'image', media: { mime: 'image/png' } }])
  expect(await ticketsOf('Obra')).toMatchObject([{ status: 'pending', isGroup: false }])
}, 40_000)

it('sets aside what cannot be read by its own failures, appends nothing where another may hold the connection, and forgets with its account', async () => {
  const key = await house.house.accountKeys.of(house.db, { id: line, companyId: house.company.companies.casa })
  const data = wrapSecret(key, Buffer.from('no history'), 'history')
  const broken = [4, 0].map((failures) => ({ connectionId: line, companyId: house.company.companies.casa, data, failures }))
  const [, second] = await house.db.insertInto('waHistory').values(broken).returning('id').execute()
  await house.as('admin')('POST', '/whatsapp-restart')
  await soon(() => house.db.selectFrom('waHistory').select(['id', 'failures']).execute()).toEqual([{ id: second!.id, failures: 1 }])
  await gathered(word('5511900000034', 'W1', 'de outro telefone'))
  await house.db.updateTable('importChat').set({ begunAt: new Date().toISOString() }).where('begunAt', 'is', null).execute()
  const { id } = await open().executeTakeFirstOrThrow()
  const now = (await house.db
    .selectFrom('connection')
    .selectAll()
    .where('id', '=', line)
    .executeTakeFirstOrThrow()) as unknown as Connection
  const lost = importChat({ now, sure: () => false }, id, async (one) => one, house.house, new AbortController().signal)
  await expect(lost).rejects.toThrow('another process')
  expect((await house.as('admin')('DELETE', `/whatsappsession/${line}`)).status).toBe(204)
  await soon(() => open().execute()).toEqual([])
  expect(await house.db.selectFrom('waHistory').select('id').execute()).toEqual([])
  expect(await house.db.selectFrom('importMessage').select('externalId').execute()).toEqual([])
  expect((await importing()).statusImportMessages).toBe('renderButtonCloseTickets') // of what was imported before
}, 40_000)
