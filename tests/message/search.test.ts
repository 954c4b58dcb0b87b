import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { around } from '#projections/message/search.ts'
import { openScene, type Scene, type Ticket } from '#tests/http/scene.ts'

import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
let scene: Scene
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
})
afterAll(() => app.stop())

const find = async (who: Parameters<TestApp['as']>[0], text: string, more = '') =>
  (await app.as(who)('GET', `/tickets?status=search&searchOnMessages=true&searchParam=${encodeURIComponent(text)}${more}`)).body
const ids = ({ tickets }: { tickets: Ticket[] }) => tickets.map(({ id }) => id)
const say = (ticket: Ticket, body: string) => scene.message(ticket, 'ana', { body })

describe('a conversation read from a message', () => {
  it('lists the messages before it, or it and those after it; one cursor at a time', async () => {
    const ticket = await scene.served()
    const [first, second, third] = [await say(ticket, 'um'), await say(ticket, 'dois'), await say(ticket, 'três')]
    const read = (query: string) => app.as('ana')('GET', `/messages/${ticket.id}?${query}`)
    const bodies = ({ body }: { body: { messages: { body: string }[] } }) => body.messages.map((one) => one.body)
    expect(bodies(await read(`beforeId=${third.id}`))).toEqual(['um', 'dois'])
    expect(bodies(await read(`sinceId=${second.id}`))).toEqual(['dois', 'três'])
    expect(await read(`sinceId=${second.id}&beforeId=${first.id}`)).toMatchObject({ status: 400, body: { error: 'ERR_INVALID_INPUT' } })
    expect(await read(`sinceId=${second.id}&pageNumber=1`)).toMatchObject({ status: 400, body: { error: 'ERR_INVALID_INPUT' } })
    const other = await say(await scene.served(), 'de outro')
    for (const cursor of ['beforeId', 'sinceId'])
      expect(await read(`${cursor}=${other.id}`)).toMatchObject({ status: 404, body: { error: 'ERR_FETCH_WAPP_MSG' } })
  })
})

describe('a search in message texts', () => {
  it('returns the newest match with its excerpt, ignoring accents', async () => {
    const ticket = await scene.served()
    await say(ticket, 'a Instalação de ontem')
    const { id: messageId } = await say(ticket, 'outra INSTALAÇÃO')
    await say(ticket, 'nada')
    const { hits } = await find('ana', 'instalacao')
    expect(hits).toEqual([{ ticketId: ticket.id, messageId, before: 'outra ', hit: 'INSTALAÇÃO', after: '' }])
  })
  it('shows the name of a file that has the match', () => {
    const name = 'Pedido 4711.pdf'
    expect(around({ masked: false }, 'Segue o comprovante', 'pedido', name)).toEqual({ before: '📎 ', hit: 'Pedido', after: ' 4711.pdf' })
    expect(around({ masked: false }, 'Seu pedido chegou', 'pedido', name)).toMatchObject({ before: 'Seu ', hit: 'pedido' })
  })
  it('has no hit if only the name matched or texts were not searched', async () => {
    const ticket = await scene.served()
    await say(ticket, 'zebra')
    expect(await find('ana', 'Pessoa')).toMatchObject({ hits: [] })
    expect((await app.as('ana')('GET', '/tickets?status=search&searchParam=zebra')).body).toMatchObject({ tickets: [], hits: [] })
  })
  it('finds a filtered ticket behind many newer matches', async () => {
    const far = await scene.made('admin', 'POST', '/tickets', {
      contactId: (await scene.contact()).id,
      queueId: scene.queues.suporte,
      userId: scene.users.admin,
    })
    await scene.message(far, 'admin', { body: 'girassol' })
    const near = await scene.served()
    for (let i = 0; i < 45; i++) await say(near, `girassol ${i}`)
    expect(ids(await find('admin', 'girassol', `&pageSize=1&queueIds=[${scene.queues.suporte}]`))).toEqual([far.id])
    expect(ids(await find('admin', 'girassol', '&pageSize=1&pageNumber=2'))).toEqual([far.id])
    expect(ids(await find('admin', 'girassol', `&pageSize=1&statusFilter=["closed"]`))).toEqual([])
  })
  it('pages in a stable order if the word is very frequent', async () => {
    const tickets = [await scene.served(), await scene.served(), await scene.served()]
    for (const ticket of tickets) await say(ticket, 'margarida')
    await sql`
      insert into message select (m.jsonb_populate_record).* from (
        select jsonb_populate_record(null::message, to_jsonb(one) || jsonb_build_object('id', 1000000 + n, 'revision', 1000 + n))
        from message one, generate_series(1, 2100) n where one.ticket_id = ${tickets[2]!.id}) m`.execute(app.db)
    const newest = tickets.map(({ id }) => id).reverse()
    for (const page of [1, 2, 3]) expect(ids(await find('ana', 'margarida', `&pageSize=1&pageNumber=${page}`))).toEqual([newest[page - 1]])
    expect(ids(await find('ana', 'margarida', '&pageSize=2'))).toEqual(newest.slice(0, 2))
    expect(ids(await find('ana', 'margarida', '&date=2001-01-01'))).toEqual([])
    expect(ids(await find('carla', 'margarida'))).toEqual([]) // she may not see them
    expect(ids(await find('ana', 'Margárida')).length).toBe(3)
    await sql`delete from message where id >= 1000000`.execute(app.db) // rows without an event must not outlive this test
  })
  it('does not find a removed message', async () => {
    const ticket = await scene.served()
    const { id } = await say(ticket, 'orquídea')
    expect(ids(await find('ana', 'orquidea'))).toEqual([ticket.id])
    await app.as('ana')('DELETE', `/messages/${id}`)
    expect(ids(await find('ana', 'orquidea'))).toEqual([])
  })
  it('finds a ticket by its number with and without #, and only the ticket with #', async () => {
    const { id } = await scene.served()
    expect(ids(await find('ana', `#${id}`))).toEqual([id])
    expect(ids(await find('ana', String(id)))).toContain(id)
    expect(ids(await find('ana', '#55119'))).toEqual([])
  })
})

describe('a search in one conversation', () => {
  const inThread = async (who: Parameters<TestApp['as']>[0], { id }: Ticket, text: string, more = '') =>
    (await app.as(who)('GET', `/messages/${id}/search?searchParam=${encodeURIComponent(text)}${more}`)).body

  it('lists each match newest first, with its page', async () => {
    const ticket = await scene.served()
    const { id: old } = await say(ticket, 'O boleto é este')
    for (let i = 0; i < 40; i++) await say(ticket, `linha ${i}`)
    const { id: young } = await say(ticket, 'BOLÉTO pago')
    const { messages, count, hasMore } = await inThread('ana', ticket, 'boleto')
    expect(messages).toMatchObject([
      { messageId: young, pageNumber: 1, hit: 'BOLÉTO', after: ' pago', ticketId: ticket.id },
      { messageId: old, pageNumber: 2, before: 'O ', hit: 'boleto', after: ' é este', fromMe: true },
    ])
    expect({ count, hasMore }).toEqual({ count: 2, hasMore: false })
    for (const { messageId, pageNumber } of messages) {
      const page = await app.as('ana')('GET', `/messages/${ticket.id}?pageNumber=${pageNumber}`)
      expect(page.body.messages.map(({ id }: { id: number }) => id)).toContain(messageId)
    }
  })
  it('searches the contact’s earlier tickets as far as the thread shows them (A-VIS-02)', async () => {
    const first = await scene.made('admin', 'POST', '/tickets', {
      contactId: (await scene.contact()).id,
      queueId: scene.queues.suporte,
      userId: scene.users.admin,
    })
    await scene.message(first, 'admin', { body: 'tulipa' })
    await app.as('admin')('PUT', `/tickets/${first.id}`, { status: 'closed' })
    await app.settled()
    const second = await scene.made('ana', 'POST', '/tickets', { contactId: first.contactId, queueId: scene.queues.vendas })
    expect((await inThread('admin', second, 'tulipa')).messages).toMatchObject([{ ticketId: first.id }])
    const shown = (await app.as('ana')('GET', `/messages/${second.id}`)).body.messages.length
    expect((await inThread('ana', second, 'tulipa')).count).toBe(shown)
  })
  it('takes every character literally', async () => {
    const ticket = await scene.served()
    await say(ticket, '100% de desconto_já')
    expect((await inThread('ana', ticket, '0%')).count).toBe(1)
    expect((await inThread('ana', ticket, '1%d')).count).toBe(0)
    expect((await inThread('ana', ticket, 'o_j')).count).toBe(1)
    expect((await inThread('ana', ticket, '_')).count).toBe(1)
  })
})
