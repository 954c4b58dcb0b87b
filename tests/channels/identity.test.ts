import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Channel, Identity, InboundEvent, Recipient } from '#app/channels/channel.ts'
import { runLeaseCoordinator } from '#app/channels/leases.ts'
import { customerTypes } from '#app/channels/typing.ts'
import { serveWorkerRpc } from '#app/channels/worker-rpc.ts'
import { groupsAre } from '#app/inbound/contact-names.ts'
import { recordInbound } from '#app/inbound/inbound-journal.ts'
import { processInbound } from '#app/inbound/inbound-processor.ts'
import { runOutbox } from '#app/outbound/outbox-sender.ts'
import { target } from '#app/outbound/recipient.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* One person is one contact, whichever of their ids a provider reports. */
let app: TestApp
const done = new AbortController()
const nothing = async () => undefined
const sentTo: Recipient[] = []
beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'projector'] })
  void app.runTicketReactor(done.signal)
  const channel: Channel = {
    supportsIdempotentSend: true,
    send: async (to) => {
      sentTo.push(to)
      return null
    },
    ...{ edit: nothing, react: nothing, remove: nothing, read: nothing },
  }
  void runLeaseCoordinator([processInbound, runOutbox, serveWorkerRpc], { ...app.ctx, channel: () => channel }, done.signal)
})
afterAll(async () => {
  done.abort()
  await app?.stop()
})

const phone = (id: string): Identity => ({ kind: 'phone', id })
const lid = (id: string): Identity => ({ kind: 'lid', id })
let messageNumber = 0
async function receive(from: Identity[], body: string, name = '', group: { id: string; name: string } | null = null): Promise<void> {
  const connectionId = app.company.connections.balcao
  const externalId = `messageNumber-${++messageNumber}`
  const content = { kind: 'chat' as const, media: null, vCard: null, quotedExternalId: null, at: new Date().toISOString() }
  const payload: InboundEvent = { type: 'message', externalId, from, name, group, body, ...content }
  await recordInbound(app.db, [
    { companyId: app.company.companies.casa, connectionId, externalId, conversation: from.at(-1)!.id, payload: payload },
  ])
  app.ctx.wakeWorker(connectionId)
  await app.settled()
}
/** The messages with these texts, with their contact and ticket. */
const storedMessages = async (...bodies: string[]) =>
  app.db
    .selectFrom('message')
    .innerJoin('ticket', 'ticket.id', 'message.ticketId')
    .innerJoin('contact', 'contact.id', 'ticket.contactId')
    .select(['contact.id', 'contact.number', 'contact.name', 'message.ticketId', 'message.body'])
    .where('message.body', 'in', bodies)
    .orderBy('message.id')
    .execute()
const distinct = (list: unknown[]) => new Set(list).size

it('a contact is the same by number, by number and id, and by id alone', async () => {
  await receive([phone('5511944440001')], 'by number')
  await receive([lid('88010001@lid'), phone('5511944440001')], 'by both')
  await receive([lid('88010001')], 'by id')
  const rows = await storedMessages('by number', 'by both', 'by id')
  expect(rows).toHaveLength(3)
  expect([distinct(rows.map(({ id }) => id)), distinct(rows.map(({ ticketId }) => ticketId))]).toEqual([1, 1])

  const ticketId = rows[0]!.ticketId
  const { vendas } = app.company.queues
  expect((await app.as('bruno')('PUT', `/tickets/${ticketId}`, { status: 'open', queueId: vendas })).status).toBe(200)
  expect((await app.as('bruno')('POST', `/messages/${ticketId}`, { body: 'Olá' })).status).toBe(200)
  await app.settled()
  expect(sentTo.at(-1)).toMatchObject({ contactId: rows[0]!.id, number: '5511944440001', group: false })
  expect(sentTo.at(-1)!.ids).toEqual([phone('5511944440001'), lid('88010001')])
  const { whatsapp } = (await app.as('ana')('GET', `/contacts/${rows[0]!.id}`)).body
  expect(whatsapp).toEqual({ id: app.company.connections.balcao, name: 'Balcão' })
})

it('an id and a number with the same digits are different contacts', async () => {
  await receive([lid('5511944440002')], 'as an id')
  await receive([phone('5511944440002')], 'as a number')
  const rows = await storedMessages('as an id', 'as a number')
  expect(rows.map(({ number }) => number)).toEqual(['5511944440002@lid', '5511944440002'])
})

it('a contact gets its number when the provider reports it', async () => {
  await receive([lid('88010003')], 'without a number')
  await receive([lid('88010003'), phone('5511944440003')], 'with a number')
  const rows = await storedMessages('without a number', 'with a number')
  expect(rows.map(({ number, name }) => [number, name])).toEqual(Array(2).fill(['5511944440003', '5511944440003']))
})

it('a contact named by its number takes the first reported name and keeps it', async () => {
  await receive([phone('5511944440008')], 'nameless')
  await receive([phone('5511944440008')], 'named', 'Marina')
  await receive([phone('5511944440008')], 'renamed', 'Mari')
  expect((await storedMessages('named')).map(({ name }) => name)).toEqual(['Marina'])
})

it('a group takes its newest name, from the provider or from an agent', async () => {
  const at = { companyId: app.company.companies.casa, channel: 'whatsapp' as const }
  const number = '120363012345'
  const row = { ...at, number, numberKey: number, name: number, nameless: true, isGroup: true, whatsappId: null, extraInfo: '[]' }
  await app.db
    .insertInto('contact')
    .values({ ...row, lgpdAcceptedAt: null, urlPicture: null, deletedAt: null })
    .execute()
  const group = async () =>
    (await app.db.selectFrom('contact').select(['id', 'name']).where('number', '=', number).executeTakeFirstOrThrow())!
  const reportSubject = (subject: string, since: number) => groupsAre(at, [{ id: number, subject, since }], app)
  const now = Date.now() / 1000
  await reportSubject('Condomínio', now - 3600)
  expect((await group()).name).toBe('Condomínio')
  expect((await app.as('admin')('PUT', `/contacts/${(await group()).id}`, { name: 'Síndica' })).status).toBe(200)
  await reportSubject('Condomínio', now - 3600)
  expect((await group()).name).toBe('Síndica')
  await reportSubject('Condomínio Azul', now + 3600)
  expect((await group()).name).toBe('Condomínio Azul')
})

it('two contacts that turn out to be one continue as the older, with a duplicate row', async () => {
  await receive([lid('88010004')], 'first')
  await receive([phone('5511944440004')], 'second')
  await receive([lid('88010004'), phone('5511944440004')], 'together')
  await receive([phone('5511944440004')], 'and on')
  const [first, second, together, on] = await storedMessages('first', 'second', 'together', 'and on')
  expect(second!.id).not.toBe(first!.id)
  expect([together!.id, on!.id]).toEqual([first!.id, first!.id])
  const rows = await app.db.selectFrom('contactDuplicate').select(['contactId', 'duplicateId']).execute()
  expect(rows).toEqual([{ contactId: first!.id, duplicateId: second!.id }])
  const same = async (id: number) => (await app.as('ana')('GET', `/contacts/${id}/duplicates`)).body.map((row: { id: number }) => row.id)
  expect([await same(first!.id), await same(second!.id)]).toEqual([[second!.id], [first!.id]])
})

it('two contacts that are one stay with the contact whose ticket an agent serves', async () => {
  const { vendas } = app.company.queues
  await receive([phone('5511944440007')], 'the older')
  await receive([lid('88010007')], 'the younger')
  const [, younger] = await storedMessages('the older', 'the younger')
  const open = await app.as('bruno')('PUT', `/tickets/${younger!.ticketId}`, { status: 'open', queueId: vendas })
  expect(open.status).toBe(200)
  await receive([lid('88010007'), phone('5511944440007')], 'to who serves')
  const [message] = await storedMessages('to who serves')
  expect([message!.id, message!.ticketId]).toEqual([younger!.id, younger!.ticketId])
  expect((await app.as('bruno')('POST', `/messages/${younger!.ticketId}`, { body: 'Olá de novo' })).status).toBe(200)
  await app.settled()
  expect(sentTo.at(-1)).toMatchObject({ contactId: younger!.id, ids: [phone('5511944440007'), lid('88010007')] })

  const bruno = await app.socket('bruno')
  bruno.emit('joinChatBox', { ticketId: younger!.ticketId })
  await bruno.fence()
  const by = { id: app.company.connections.balcao, companyId: app.company.companies.casa, channel: 'whatsapp' as const }
  await customerTypes(app.ctx, by, [lid('88010007'), phone('5511944440007')])
  const { typing } = await bruno.heard(({ channel }) => channel.endsWith('-typing'))
  expect(typing).toMatchObject({ id: younger!.ticketId })
})

it('a contact is found by the number an agent gave it, not by the old number', async () => {
  await receive([phone('5511944440005')], 'before')
  const [{ id } = { id: 0 }] = await storedMessages('before')
  expect((await app.as('admin')('PUT', `/contacts/${id}`, { number: '5511944440006' })).status).toBe(200)
  await receive([phone('5511944440006')], 'the new one')
  await receive([phone('551144440005')], 'the old one') // the other spelling avoids the cached result
  const [after, other] = await storedMessages('the new one', 'the old one')
  expect(after!.id).toBe(id)
  expect(other!.id).not.toBe(id)
})

it('a contact is found by its number even if its identity row is missing', async () => {
  const entered = async (number: string) =>
    (await app.as('admin')('POST', '/contacts', { name: `Cliente ${number}`, number })).body.id as number
  const [person, group] = [await entered('5511944440011'), await entered('120363055550011')]
  await app.db.deleteFrom('contactIdentity').where('contactId', '=', person).execute() // as if the identity row had been lost
  await receive([phone('5511944440011')], 'a person')
  await receive([phone('5511944440012')], 'in a group', '', { id: '120363055550011', name: 'Obra' })
  expect((await storedMessages('a person', 'in a group')).map(({ id }) => id)).toEqual([person, group])
})

it('a contact is only written to on its own network', async () => {
  const { companies, connections, queues } = app.company
  const row = { companyId: companies.casa, channel: 'instagram', number: '1789', numberKey: '1789', name: 'Iris', isGroup: false }
  const { id: contactId } = await app.db
    .insertInto('contact')
    .values({ ...row, whatsappId: null, extraInfo: '[]', lgpdAcceptedAt: null, urlPicture: null, deletedAt: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  const open = (whatsappId?: number) =>
    app.as('bruno')('POST', '/tickets', { contactId, queueId: queues.vendas, ...(whatsappId && { whatsappId }) })
  for (const answer of [await open(connections.balcao), await open()])
    expect(answer).toMatchObject({ status: 400, body: { error: 'ERR_OTHER_CHANNEL' } })

  const [{ ticketId } = { ticketId: 0 }] = await storedMessages('by number')
  const { messages } = (await app.as('bruno')('GET', `/messages/${ticketId}`)).body
  const forwarded = await app.as('bruno')('POST', '/message/forward', { messageId: messages[0].id, contactId })
  expect(forwarded).toMatchObject({ status: 400, body: { error: 'ERR_OTHER_CHANNEL' } })

  const connection = await app.db.selectFrom('connection').selectAll().where('id', '=', connections.balcao).executeTakeFirstOrThrow()
  const { id: _, queueIds: __, ...own } = connection as typeof connection & { queueIds?: unknown }
  const { id: insta } = await app.db
    .insertInto('connection')
    .values({ ...own, schedules: JSON.stringify(own.schedules), channel: 'instagram', name: 'Insta', isDefault: false } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  const opened = await open()
  expect(opened).toMatchObject({ status: 200, body: { whatsappId: insta } })
  expect((await app.as('bruno')('GET', '/contacts?searchParam=Iris&channel=whatsapp')).body.contacts).toEqual([])
})

it('two different ids are two contacts, however similar their numbers are (A-PHONE-02)', async () => {
  const pairs = [
    ['5511934567890', '551134567890'], // a mobile number and a landline
    ['5511987650001', '551187650001'], // with and without the ninth digit
    ['5511987650002', '5511987650002'], // the same number, which belongs to another person now
    ['51987650003', '5551987650003'], // Peru and Porto Alegre
  ] as const
  for (const [n, [one, other]] of pairs.entries()) {
    const [first, second] = [lid(`8802000${n}`), lid(`8803000${n}`)]
    const stored = () => storedMessages(`first ${n}`, `second ${n}`, `first again ${n}`, `second again ${n}`)
    await receive([phone(one), first], `first ${n}`)
    await receive([phone(other), second], `second ${n}`)
    await receive([first, phone(one)], `first again ${n}`)
    await receive([second], `second again ${n}`)
    const rows = await stored()
    expect(rows.map(({ number }) => number)).toEqual([one, other, one, other])
    expect([rows[0]!.id === rows[2]!.id, rows[1]!.id === rows[3]!.id, rows[0]!.id === rows[1]!.id]).toEqual([true, true, false])
    expect(distinct(rows.map(({ ticketId }) => ticketId))).toBe(2)
    const { vendas } = app.company.queues
    for (const { ticketId, id } of rows.slice(0, 2)) {
      expect((await app.as('bruno')('PUT', `/tickets/${ticketId}`, { status: 'open', queueId: vendas })).status).toBe(200)
      expect((await app.as('bruno')('POST', `/messages/${ticketId}`, { body: 'Olá' })).status).toBe(200)
      await app.settled()
      expect(sentTo.at(-1)!.contactId).toBe(id)
      expect(sentTo.at(-1)!.ids).toContainEqual(id === rows[0]!.id ? first : second)
    }
  }
})

it('a number alone means its current owner', async () => {
  await receive([phone('5511987650002')], 'by the number alone')
  const [last, now] = await storedMessages('second 2', 'by the number alone')
  expect(now!.id).toBe(last!.id)
})

it('all ids and numbers are kept when a third person takes over a number', async () => {
  await receive([phone('5511987650002'), lid('88040002')], 'third owner')
  await receive([lid('88030002'), phone('5511987650002')], 'second owner again')
  const [first, second, third, again] = await storedMessages('first 2', 'second 2', 'third owner', 'second owner again')
  expect(distinct([first!.id, second!.id, third!.id])).toBe(3)
  expect(again!.id).toBe(second!.id)
})

it('a contact has a neutral name until one is reported, and no number with only an id (N6)', async () => {
  await receive([lid('97700000091155')], 'who am I')
  const [row] = await storedMessages('who am I')
  expect([row!.name, row!.number]).toEqual(['Cliente 1155', '97700000091155@lid'])
  await receive([lid('97700000091155')], 'with a name', 'Rosa')
  expect((await storedMessages('with a name'))[0]!.name).toBe('Rosa')
})

it('a number of another person is not used as a recipient', async () => {
  const rows = await storedMessages('second 2', 'third owner')
  const ids = async (contactId: number) =>
    (await target({ companyId: app.company.companies.casa, connectionId: app.company.connections.balcao, contactId }, app.db))!.to.ids
  expect(await ids(rows[0]!.id)).toEqual([phone('5511987650002'), lid('88030002')]) // the last person who had the number
  expect(await ids(rows[1]!.id)).toEqual([lid('88040002')])
})
