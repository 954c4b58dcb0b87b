import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { openScene, type Scene } from './scene.ts'

/* Rules that need settings, tags, permissions or reactions in addition to a decider. */
let app: TestApp
let scene: Scene
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
})
afterAll(() => app.stop())

const change = (who: Parameters<TestApp['as']>[0], id: number, body: object, headers?: Record<string, string>) =>
  app.as(who)('PUT', `/tickets/${id}`, body, headers)
const says = ({ status, body }: { status: number; body: any }) => [status, body?.error]
const texts = async (id: number) => {
  await app.settled()
  return (await app.as('admin')('GET', `/messages/${id}`)).body.messages.map((message: any) => message.body)
}

describe('closing a ticket', () => {
  it('requires a tag if the company requires one; a lane does not count (A-TICKET-09)', async () => {
    await app.set('requiredTag', 'enabled')
    const { id, contactId } = await scene.served()
    expect(says(await change('ana', id, { status: 'closed' }))).toEqual([400, 'ERR_TAG_REQUIRED'])
    await app.db.insertInto('contactTag').values({ companyId: scene.companies.casa, contactId, tagId: scene.tags.pista }).execute()
    expect(says(await change('ana', id, { status: 'closed' }))).toEqual([400, 'ERR_TAG_REQUIRED'])
    await scene.made('ana', 'POST', '/tags/sync', { contactId, tags: [{ id: scene.tags.vip }] })
    expect((await change('ana', id, { status: 'closed' })).body.status).toBe('closed')
    await app.set('requiredTag', 'disabled')
  })
  it('requires a permission while the ticket is waiting (A-TICKET-08)', async () => {
    const ignore = { status: 'closed', sendFarewellMessage: false, amountUsedBotQueues: 0 }
    const ticket = async (queueId: number) =>
      (await app.as('admin')('POST', '/tickets', { contactId: (await scene.contact()).id, queueId, status: 'pending' })).body.id
    expect(says(await change('ana', await ticket(scene.queues.vendas), ignore))).toEqual([403, 'ERR_NO_PERMISSION'])
    expect(says(await change('dulce', await ticket(scene.queues.vendas), ignore))).toEqual([403, 'ERR_NO_PERMISSION'])
    expect(says(await change('carla', await ticket(scene.queues.suporte), { status: 'closed' }))).toEqual([403, 'ERR_NO_PERMISSION'])
    expect((await change('carla', await ticket(scene.queues.suporte), ignore)).body.status).toBe('closed')
    expect((await change('dulce', await ticket(scene.queues.vendas), { status: 'closed' })).body.status).toBe('closed')
    expect((await change('admin', await ticket(scene.queues.vendas), ignore)).body.status).toBe('closed')
  })
  it('sends the connection’s and the user’s farewell once, unless it is suppressed (A-TICKET-07)', async () => {
    await app.db
      .updateTable('connection')
      .set({ complationMessage: 'Obrigado, {nome}!' })
      .where('id', '=', scene.connections.loja)
      .execute()
    await app.db.updateTable('user').set({ farewellMessage: 'Até logo. {atendente}' }).where('id', '=', scene.users.ana).execute()
    const said = await scene.served()
    await change('ana', said.id, { status: 'closed' })
    await app.settled()
    const waits = app.db.updateTable('deadline').where('aggregateId', '=', said.id).where('kind', 'like', 'farewell/%')
    await waits.set({ dueAt: new Date(Date.now() - 1000).toISOString() }).execute() // the undo window is over
    await sql`select pg_notify('clock_moved', '0')`.execute(app.db) // wakes the worker that looks for due deadlines
    await expect.poll(() => texts(said.id)).toHaveLength(2)
    expect(await texts(said.id)).toEqual([expect.stringMatching(/^Obrigado, Pessoa \d+!$/), 'Até logo. ana'])
    const typed = await scene.served()
    const send = async (body: object) => (await app.as('ana')('POST', `/messages/${typed.id}`, body)).body.messages[0].body
    expect(await send({ body: 'Sou {Atendente}, {nome}' })).toMatch(/^Sou ana, Pessoa \d+$/)
    expect(await send({ body: 'Fica com {atendente}', isPrivate: true })).toBe('Fica com {atendente}')
    const silent = await scene.served()
    await change('ana', silent.id, { status: 'closed', sendFarewellMessage: false })
    expect(await texts(silent.id)).toEqual([])
    await app.db.updateTable('connection').set({ complationMessage: null }).where('id', '=', scene.connections.loja).execute()
    await app.db.updateTable('user').set({ farewellMessage: null }).where('id', '=', scene.users.ana).execute()
  })
})

describe('accepting a ticket', () => {
  it('sends the configured greeting once, from the server (A-TICKET-03, R-TICKET-06)', async () => {
    await app.set('sendGreetingAccepted', 'enabled')
    await app.set('greetingAcceptedMessage', 'Olá {nome}, eu cuido disso.')
    const { id } = await scene.waiting()
    await change('ana', id, { status: 'open', userId: scene.users.ana })
    await change('ana', id, { status: 'open', userId: scene.users.ana })
    expect(await texts(id)).toEqual([expect.stringMatching(/^Olá Pessoa \d+, eu cuido disso\.$/)])
    expect(await texts((await scene.served()).id)).toEqual([])
    await app.set('sendGreetingAccepted', 'disabled')
  })
  it('assigns it to the first of two agents; the second gets the owner’s name (A-TICKET-04)', async () => {
    const { id } = await scene.waiting()
    const answers = await Promise.all(
      (['ana', 'bruno', 'admin'] as const).map((who) => change(who, id, { status: 'open', userId: scene.users[who] })),
    )
    const first = answers.find(({ status }) => status === 200)!.body
    const second = answers.filter(({ status }) => status !== 200)
    const { message: _, ...told } = { ...second[0]!.body }
    expect(second.map(says)).toEqual(Array(2).fill([409, 'ERR_OTHER_OPEN_TICKET']))
    expect(told).toEqual({ error: 'ERR_OTHER_OPEN_TICKET', user: { name: first.user.name }, queue: { name: first.queue.name } })
  })
  it('answers 404 if a colleague has served the ticket for a while (A-TICKET-04)', async () => {
    const { id } = await scene.waiting()
    await change('bruno', id, { status: 'open', userId: scene.users.bruno })
    expect(says(await change('ana', id, { status: 'open', userId: scene.users.ana }))).toEqual([409, 'ERR_OTHER_OPEN_TICKET'])
    const long = new Date(Date.now() - 3_600_000).toISOString()
    const lines = app.db.updateTable('ticketLog').where('ticketId', '=', id).where('type', '=', 'open')
    const [{ createdAt }] = (await app.db
      .selectFrom('ticketLog')
      .select('createdAt')
      .where('ticketId', '=', id)
      .where('type', '=', 'open')
      .execute()) as [{ createdAt: string }]
    await lines.set({ createdAt: long }).execute()
    expect(says(await change('ana', id, { status: 'open', userId: scene.users.ana }))).toEqual([404, 'ERR_NO_TICKET_FOUND'])
    await lines.set({ createdAt }).execute()
  })
  it('refuses a queue that the receiver does not serve; admins serve every queue (A-TRANSFER-05)', async () => {
    const { vendas, suporte } = scene.queues
    const contactId = async () => (await scene.contact()).id
    for (const status of ['open', 'pending'])
      expect(says(await app.as('ana')('POST', '/tickets', { contactId: await contactId(), queueId: suporte, status }))).toEqual([
        ...[400, 'ERR_NO_PERMISSION'],
      ])
    const given = { contactId: await contactId(), queueId: suporte, userId: scene.users.ana }
    expect(says(await app.as('admin')('POST', '/tickets', given))).toEqual([400, 'ERR_NO_PERMISSION'])
    const done = await scene.served()
    await change('ana', done.id, { status: 'closed' })
    expect(says(await change('ana', done.id, { status: 'open', queueId: suporte }))).toEqual([400, 'ERR_NO_PERMISSION'])
    expect((await change('ana', done.id, { status: 'open', queueId: vendas })).body.status).toBe('open')
    expect((await app.as('admin')('POST', '/tickets', { contactId: await contactId(), queueId: suporte })).status).toBe(200)
  })
})

describe('transferring a ticket', () => {
  it('refuses a receiver who does not serve the queue, and keeps no note (A-TRANSFER-05)', async () => {
    const { id } = await scene.served()
    const body = { isTransfered: true, queueId: scene.queues.suporte, userId: scene.users.dulce, msgTransfer: 'cuidado com ele' }
    expect(says(await change('ana', id, body))).toEqual([400, 'ERR_NO_PERMISSION'])
    expect(await texts(id)).toEqual([])
  })
  it('shows the transfer note to the colleague only (A-TRANSFER-01)', async () => {
    const { id } = await scene.served()
    await change('ana', id, {
      isTransfered: true,
      queueId: scene.queues.suporte,
      userId: scene.users.bruno,
      msgTransfer: 'é cliente antigo',
    })
    await app.settled()
    expect(await texts(id)).toEqual([])
    expect(await app.db.selectFrom('outbox').select('messageId').where('ticketId', '=', id).execute()).toEqual([])
    const [row] = (await app.as('bruno')('GET', '/tickets?status=open')).body.tickets
    expect(row).toMatchObject({
      id,
      transfer: { user: { id: scene.users.ana }, note: 'é cliente antigo' },
      msgTransfer: 'é cliente antigo',
    })
    const opened = await app.as('bruno')('GET', `/tickets/u/${row.uuid}`)
    expect(opened.body.transfer).toBeNull()
    expect((await app.as('bruno')('GET', `/tickets-log/${id}`)).body).toMatchObject([
      { type: 'create' },
      { type: 'open' },
      { type: 'transfered', user: { id: scene.users.ana }, fromUser: { id: scene.users.ana }, queue: { id: scene.queues.vendas } },
      {
        type: 'receivedTransfer',
        user: { id: scene.users.bruno },
        queue: { id: scene.queues.suporte },
        note: 'é cliente antigo',
        fromUser: { id: scene.users.ana },
      },
      { type: 'access', way: 'peek', user: { name: 'admin' } },
      { type: 'access', way: null, user: { id: scene.users.bruno } },
    ])
  })
  it('continues in a new ticket once if the company closes on transfer (A-TRANSFER-02)', async () => {
    await app.set('closeTicketOnTransfer', 'true')
    const { id, contactId } = await scene.served()
    const body = { isTransfered: true, queueId: scene.queues.suporte, userId: scene.users.carla, msgTransfer: 'volta amanhã' }
    const answer = await change('ana', id, body)
    expect(answer.body).toMatchObject({ contactId, isTransfered: true, userId: scene.users.carla, status: 'open' })
    expect(answer.body.id).not.toBe(id)
    expect(answer.body.transfer).toMatchObject({ user: { id: scene.users.ana }, note: 'volta amanhã' })
    await app.settled()
    for (const one of [id, answer.body.id]) {
      const log = (await app.as('admin')('GET', `/tickets-log/${one}`)).body
      expect(log.filter(({ type }: { type: string }) => /transfer/i.test(type))).toMatchObject([
        { type: 'transfered', user: { id: scene.users.ana }, queue: { id: scene.queues.vendas } },
        { type: 'receivedTransfer', user: { id: scene.users.carla }, queue: { id: scene.queues.suporte }, note: 'volta amanhã' },
      ])
    }
    const all = await app.db.selectFrom('ticket').select(['id', 'status']).where('contactId', '=', contactId).orderBy('id').execute()
    expect(all.map(({ status }) => status)).toEqual(['closed', 'open'])
    await app.set('closeTicketOnTransfer', 'false')
  })
})

describe('a call repeated after a lost response', () => {
  const again = async (method: string, path: string, body?: object) => {
    const headers = { 'x-command-id': crypto.randomUUID() }
    return [await app.as('ana')(method, path, body, headers), await app.as('ana')(method, path, body, headers)]
  }
  it('sends one message', async () => {
    const { id } = await scene.served()
    const [one, two] = await again('POST', `/messages/${id}`, { body: 'uma vez' })
    expect(two!.body.messages[0].id).toBe(one!.body.messages[0].id)
    expect(await texts(id)).toEqual(['uma vez'])
  })
  it('adds one reaction and keeps it', async () => {
    const message = await scene.message(await scene.served())
    const [, two] = await again('POST', `/messages/${message.id}/reactions`, { type: '👍' })
    expect(two!.body.reactions).toEqual([{ mediaType: 'reactionMessage', emoji: '👍', from: 'us', name: null }])
  })
  it('adds one note', async () => {
    const { id } = await scene.served()
    await again('POST', '/ticket-notes', { ticketId: id, note: 'uma vez' })
    expect((await app.as('ana')('GET', `/ticket-notes/list?ticketId=${id}`)).body).toHaveLength(1)
  })
  it('edits, transfers and closes once', async () => {
    const ticket = await scene.served()
    const message = await scene.message(ticket)
    await again('PUT', `/messages/${message.id}`, { body: 'Boa tarde' })
    await again('PUT', `/tickets/${ticket.id}`, { isTransfered: true, queueId: scene.queues.vendas, userId: scene.users.dulce })
    await change('dulce', ticket.id, { status: 'closed' })
    await app.settled()
    const { body } = await app.as('admin')('GET', `/ticket-history/${ticket.uuid}`)
    const told = body.events.map(({ type }: { type: string }) => type)
    for (const once of ['MessageEdited', 'TicketTransferred', 'TicketClosed'])
      expect([once, told.filter((type: string) => type === once).length]).toEqual([once, 1])
  })
})

describe('the ticket list', () => {
  it('keeps waiting tickets in the order of their arrival despite newer messages (A-TICKET-15)', async () => {
    const phones = ['5511977770001', '5511977770002']
    for (const phone of [...phones, phones[0]!]) {
      await app.phone.says(phone, 'Alguém aí?')
      await app.settled()
    }
    const list = async (query = '') =>
      (await app.as('admin')('GET', `/tickets?status=pending&pageSize=100${query}`)).body.tickets.filter(
        ({ contact }: { contact: { number: string } }) => phones.includes(contact.number),
      )
    const numbers = async (query?: string) => (await list(query)).map(({ contact }: { contact: { number: string } }) => contact.number)
    expect(await numbers()).toEqual(phones)
    expect(await numbers('&sortTickets=DESC')).toEqual(phones.toReversed())
    const [{ id }] = await list()
    await change('admin', id, { status: 'open', userId: scene.users.admin, queueId: scene.queues.vendas })
    await change('admin', id, { status: 'pending', userId: null })
    expect(await numbers()).toEqual(phones.toReversed())
  })
  it('counts the tickets of the chosen queues beyond the first page', async () => {
    const { vendas, suporte } = scene.queues
    for (const queueId of [vendas, vendas, suporte, suporte, suporte])
      await scene.made('admin', 'POST', '/tickets', { contactId: (await scene.contact()).id, queueId, status: 'pending' })
    const asked = async (chosen: number[], size: number) =>
      (await app.as('admin')('GET', `/tickets?status=pending&showAll=true&pageSize=${size}&queueIds=[${chosen}]`)).body
    for (const chosen of [[vendas], [suporte], [vendas, suporte]]) {
      const all = await asked(chosen, 100)
      expect(all).toMatchObject({ hasMore: false, count: all.tickets.length })
      expect(all.count).toBeGreaterThan(1)
      expect(await asked(chosen, 1)).toMatchObject({ hasMore: true, count: all.count })
    }
  })
})

it('an amount is kept to the cent, needs a visible ticket, and comes alone (A-TICKET-19)', async () => {
  const { id } = await scene.served()
  expect((await change('ana', id, { amount: 1234.567 })).body).toMatchObject({ amount: 1234.57, status: 'open' })
  const row = (await change('ana', id, { amount: 99.9 })).body
  const { status, userId, queueId, isTransfered, useIntegration } = row
  const given = { status, userId, queueId, isTransfered, useIntegration }
  expect((await change('ana', id, { ...given, amount: 80 })).body).toMatchObject({ amount: 80 }) // the row from the response, with one change
  expect((await change('ana', id, given)).body).toMatchObject({ amount: 80 })
  expect(says(await change('ana', id, { status: 'closed', amount: 5 }))).toEqual([400, 'ERR_INVALID_INPUT'])
  for (const amount of [-1, 1_000_000_000, 'x']) expect(says(await change('ana', id, { amount }))).toEqual([400, 'ERR_INVALID_INPUT'])
  expect((await change('ana', id, { amount: null })).body).toMatchObject({ amount: null })
  await app.settled()
  const lines = (await app.as('ana')('GET', `/tickets-log/${id}`)).body.filter(({ type }: any) => type === 'amount')
  expect(lines.map(({ amount }: any) => amount)).toEqual([1234.57, 99.9, 80, null])
})
