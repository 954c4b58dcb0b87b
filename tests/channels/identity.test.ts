import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Channel, Identity, InboundEvent, Recipient } from '#app/channels/channel.ts'
import { runLeaseCoordinator } from '#app/channels/leases.ts'
import { customerTypes } from '#app/channels/typing.ts'
import { reactorProcessor } from '#app/event-store/reactor.ts'
import { runProcessor } from '#app/event-store/run-processor.ts'
import { groupsAre } from '#app/inbound/contact-names.ts'
import { recordInbound, wakeWorker } from '#app/inbound/inbound-journal.ts'
import { processInbound } from '#app/inbound/inbound-processor.ts'
import { runOutbox } from '#app/outbound/outbox-sender.ts'
import { target } from '#app/outbound/recipient.ts'
import { ticketReactor } from '#app/ticket/reactions.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* One person is one contact, by whichever of their ids a provider names them. */
let app: TestApp
const done = new AbortController()
const nothing = async () => undefined
const sentTo: Recipient[] = []
beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'projector'] })
  void runProcessor(reactorProcessor(ticketReactor, { ...app.ctx, enqueue: nothing }, app.db), app.ctx, done.signal)
  const channel: Channel = {
    supportsIdempotentSend: true,
    send: async (to) => {
      sentTo.push(to)
      return null
    },
    ...{ edit: nothing, react: nothing, remove: nothing, read: nothing },
  }
  void runLeaseCoordinator([processInbound, runOutbox], { ...app.ctx, channel: () => channel }, done.signal)
})
afterAll(async () => {
  done.abort()
  await app?.stop()
})

const phone = (id: string): Identity => ({ kind: 'phone', id })
const lid = (id: string): Identity => ({ kind: 'lid', id })
let said = 0
async function says(from: Identity[], body: string, name = '', group: { id: string; name: string } | null = null): Promise<void> {
  const connectionId = app.company.connections.balcao
  const externalId = `said-${++said}`
  const content = { kind: 'chat' as const, media: null, vCard: null, quotedExternalId: null, at: new Date().toISOString() }
  const heard: InboundEvent = { type: 'message', externalId, from, name, group, body, ...content }
  await recordInbound(app.db, [{ companyId: app.company.companies.casa, connectionId, externalId, conversation: from.at(-1)!.id, heard }])
  wakeWorker(app.db, connectionId)
  await app.settled()
}
/** Who said what, and in which ticket. */
const told = async (...bodies: string[]) =>
  app.db
    .selectFrom('message')
    .innerJoin('ticket', 'ticket.id', 'message.ticketId')
    .innerJoin('contact', 'contact.id', 'ticket.contactId')
    .select(['contact.id', 'contact.number', 'contact.name', 'message.ticketId', 'message.body'])
    .where('message.body', 'in', bodies)
    .orderBy('message.id')
    .execute()
const distinct = (list: unknown[]) => new Set(list).size

it('is one contact and one ticket by number, by number and id, and by the id alone, and is written to by all of them', async () => {
  await says([phone('5511944440001')], 'by number')
  await says([lid('88010001@lid'), phone('5511944440001')], 'by both')
  await says([lid('88010001')], 'by id')
  const rows = await told('by number', 'by both', 'by id')
  expect(rows).toHaveLength(3)
  expect([distinct(rows.map(({ id }) => id)), distinct(rows.map(({ ticketId }) => ticketId))]).toEqual([1, 1])

  const ticketId = rows[0]!.ticketId
  const { vendas } = app.company.queues
  expect((await app.as('bruno')('PUT', `/tickets/${ticketId}`, { status: 'open', queueId: vendas })).status).toBe(200)
  expect((await app.as('bruno')('POST', `/messages/${ticketId}`, { body: 'Olá' })).status).toBe(200)
  await app.settled()
  expect(sentTo.at(-1)).toMatchObject({ contactId: rows[0]!.id, number: '5511944440001', group: false })
  expect(sentTo.at(-1)!.ids).toEqual([phone('5511944440001'), lid('88010001')])
})

it('shares no key with a number of the same digits', async () => {
  await says([lid('5511944440002')], 'as an id')
  await says([phone('5511944440002')], 'as a number')
  const rows = await told('as an id', 'as a number')
  expect(rows.map(({ number }) => number)).toEqual(['5511944440002@lid', '5511944440002'])
})

it('gets its number when that is told, and is called by it until it has a name', async () => {
  await says([lid('88010003')], 'without a number')
  await says([lid('88010003'), phone('5511944440003')], 'with a number')
  const rows = await told('without a number', 'with a number')
  expect(rows.map(({ number, name }) => [number, name])).toEqual(Array(2).fill(['5511944440003', '5511944440003']))
})

it('takes the name that is told where it is called by its number, and never another instead', async () => {
  await says([phone('5511944440008')], 'nameless')
  await says([phone('5511944440008')], 'named', 'Marina')
  await says([phone('5511944440008')], 'renamed', 'Mari')
  expect((await told('named')).map(({ name }) => name)).toEqual(['Marina'])
})

it('is a group called by the name that it had last, from its people or from ours', async () => {
  const at = { companyId: app.company.companies.casa, channel: 'whatsapp' as const }
  const number = '120363012345'
  const row = { ...at, number, numberKey: number, name: number, nameless: true, isGroup: true, whatsappId: null, extraInfo: '[]' }
  await app.db
    .insertInto('contact')
    .values({ ...row, lgpdAcceptedAt: null, urlPicture: null, deletedAt: null })
    .execute()
  const called = async () =>
    (await app.db.selectFrom('contact').select(['id', 'name']).where('number', '=', number).executeTakeFirstOrThrow())!
  const told = (subject: string, since: number) => groupsAre(at, [{ id: number, subject, since }], app)
  const now = Date.now() / 1000
  await told('Condomínio', now - 3600)
  expect((await called()).name).toBe('Condomínio')
  expect((await app.as('admin')('PUT', `/contacts/${(await called()).id}`, { name: 'Síndica' })).status).toBe(200)
  await told('Condomínio', now - 3600)
  expect((await called()).name).toBe('Síndica')
  await told('Condomínio Azul', now + 3600)
  expect((await called()).name).toBe('Condomínio Azul')
})

it('goes on as the older contact where two turn out to be one, and leaves a row that says so', async () => {
  await says([lid('88010004')], 'first')
  await says([phone('5511944440004')], 'second')
  await says([lid('88010004'), phone('5511944440004')], 'together')
  await says([phone('5511944440004')], 'and on')
  const [first, second, together, on] = await told('first', 'second', 'together', 'and on')
  expect(second!.id).not.toBe(first!.id)
  expect([together!.id, on!.id]).toEqual([first!.id, first!.id])
  const rows = await app.db.selectFrom('contactDuplicate').select(['contactId', 'duplicateId']).execute()
  expect(rows).toEqual([{ contactId: first!.id, duplicateId: second!.id }])
  const same = async (id: number) => (await app.as('ana')('GET', `/contacts/${id}/duplicates`)).body.map((row: { id: number }) => row.id)
  expect([await same(first!.id), await same(second!.id)]).toEqual([[second!.id], [first!.id]])
})

it('goes on with the agent who serves it as either of the two, and is answered by what it is known by', async () => {
  const { vendas } = app.company.queues
  await says([phone('5511944440007')], 'the older')
  await says([lid('88010007')], 'the younger')
  const [, younger] = await told('the older', 'the younger')
  const open = await app.as('bruno')('PUT', `/tickets/${younger!.ticketId}`, { status: 'open', queueId: vendas })
  expect(open.status).toBe(200)
  await says([lid('88010007'), phone('5511944440007')], 'to who serves')
  const [heard] = await told('to who serves')
  expect([heard!.id, heard!.ticketId]).toEqual([younger!.id, younger!.ticketId])
  expect((await app.as('bruno')('POST', `/messages/${younger!.ticketId}`, { body: 'Olá de novo' })).status).toBe(200)
  await app.settled()
  expect(sentTo.at(-1)).toMatchObject({ contactId: younger!.id, ids: [phone('5511944440007'), lid('88010007')] })

  const bruno = await app.socket('bruno')
  bruno.emit('joinChatBox', { ticketId: younger!.ticketId })
  await bruno.fence()
  const by = { id: app.company.connections.balcao, companyId: app.company.companies.casa, channel: 'whatsapp' as const }
  await customerTypes(app.db, by, [lid('88010007'), phone('5511944440007')])
  const { typing } = await bruno.heard(({ channel }) => channel.endsWith('-typing'))
  expect(typing).toMatchObject({ id: younger!.ticketId })
})

it('is found by the number that an agent gave it, and no more by the one of before', async () => {
  await says([phone('5511944440005')], 'before')
  const [{ id } = { id: 0 }] = await told('before')
  expect((await app.as('admin')('PUT', `/contacts/${id}`, { number: '5511944440006' })).status).toBe(200)
  await says([phone('5511944440006')], 'the new one')
  await says([phone('551144440005')], 'the old one') // written otherwise, so that it is not the answer of a moment ago
  const [after, other] = await told('the new one', 'the old one')
  expect(after!.id).toBe(id)
  expect(other!.id).not.toBe(id)
})

it('is heard also where a contact has its number and is known by another id alone', async () => {
  const entered = async (number: string) =>
    (await app.as('admin')('POST', '/contacts', { name: `Cliente ${number}`, number })).body.id as number
  const [person, group] = [await entered('5511944440011'), await entered('120363055550011')]
  await app.db.deleteFrom('contactIdentity').where('contactId', '=', person).execute() // whom it was taken for is gone
  await says([phone('5511944440011')], 'a person')
  await says([phone('5511944440012')], 'in a group', '', { id: '120363055550011', name: 'Obra' })
  expect((await told('a person', 'in a group')).map(({ id }) => id)).toEqual([person, group])
})

it('is written to on its own network alone', async () => {
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

  const [{ ticketId } = { ticketId: 0 }] = await told('by number')
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

it('is two people by ids that differ, whatever their numbers look like (A-PHONE-02)', async () => {
  const pairs = [
    ['5511934567890', '551134567890'], // a mobile number and a landline
    ['5511987650001', '551187650001'], // with the ninth digit and without
    ['5511987650002', '5511987650002'], // the same number, which belongs to somebody else by now
    ['51987650003', '5551987650003'], // Peru and Porto Alegre
  ] as const
  for (const [n, [one, other]] of pairs.entries()) {
    const [first, second] = [lid(`8802000${n}`), lid(`8803000${n}`)]
    const told2 = () => told(`first ${n}`, `second ${n}`, `first again ${n}`, `second again ${n}`)
    await says([phone(one), first], `first ${n}`)
    await says([phone(other), second], `second ${n}`)
    await says([first, phone(one)], `first again ${n}`)
    await says([second], `second again ${n}`)
    const rows = await told2()
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

it('is whoever has the number now, where the number alone is told of two who had it', async () => {
  await says([phone('5511987650002')], 'by the number alone')
  const [last, now] = await told('second 2', 'by the number alone')
  expect(now!.id).toBe(last!.id)
})

it('keeps its ids and numbers through a third owner of a number', async () => {
  await says([phone('5511987650002'), lid('88040002')], 'third owner')
  await says([lid('88030002'), phone('5511987650002')], 'second owner again')
  const [first, second, third, again] = await told('first 2', 'second 2', 'third owner', 'second owner again')
  expect(distinct([first!.id, second!.id, third!.id])).toBe(3)
  expect(again!.id).toBe(second!.id)
})

it('has a neutral name while nobody tells one, and no number where only an id is known (N6)', async () => {
  await says([lid('97700000091155')], 'who am I')
  const [row] = await told('who am I')
  expect([row!.name, row!.number]).toEqual(['Cliente 1155', '97700000091155@lid'])
  await says([lid('97700000091155')], 'with a name', 'Rosa')
  expect((await told('with a name'))[0]!.name).toBe('Rosa')
})

it('is not written to by a number that belongs to another person by now', async () => {
  const rows = await told('second 2', 'third owner')
  const ids = async (contactId: number) =>
    (await target({ companyId: app.company.companies.casa, connectionId: app.company.connections.balcao, contactId }, app.db))!.to.ids
  expect(await ids(rows[0]!.id)).toEqual([phone('5511987650002'), lid('88030002')]) // who was told by it last
  expect(await ids(rows[1]!.id)).toEqual([lid('88040002')])
})
