import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import type { Frame } from '#tests/support/socket.ts'
import { openScene, type Scene } from './scene.ts'

let app: TestApp
let scene: Scene
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
})
afterAll(() => app.stop())

describe('a socket that joined the ticket lists', () => {
  it('gets new messages of visible tickets, and no changes of messages', async () => {
    const [ana, carla] = await Promise.all([app.socket('ana'), app.socket('carla')])
    for (const line of [ana, carla]) line.emit('joinTickets', { status: 'open' })
    const opened = await scene.served()
    const watching = await app.socket('bruno')
    watching.emit('joinChatBox', { ticketId: opened.id })
    await Promise.all([ana, carla, watching].map((line) => line.fence()))
    const { id } = await scene.message(opened)
    const { message } = await ana.heard(({ channel, message: row }) => channel.endsWith('-appMessage') && row?.id === id)
    expect(message.ticket).toMatchObject({ queueId: scene.queues.vendas, queue: { id: scene.queues.vendas, name: expect.any(String) } })
    await scene.made('ana', 'POST', `/messages/${id}/reactions`, { type: '👍' }) // a change that is always sent after the message
    await watching.heard((frame) => frame.id === id && frame.message?.reactions.length > 0)
    await Promise.all([ana.fence(), carla.fence()])
    const of = (frames: Frame[]) => frames.filter((frame) => frame.id === id)
    expect([of(ana.of('appMessage')).length, of(carla.of('appMessage'))]).toEqual([1, []])
  })
  it('gets only tickets of the status that it joined, and those that leave it (A-RT-01)', async () => {
    const [waiting, open, all] = await Promise.all([app.socket('ana'), app.socket('ana'), app.socket('ana')])
    waiting.emit('joinTickets', { status: 'pending' })
    open.emit('joinTickets', { status: 'open' })
    all.emit('joinTickets', { status: 'all' })
    await Promise.all([waiting, open, all].map((line) => line.fence()))
    const from = '5511933335554'
    await app.phone.says(from, 'oi')
    const { ticket } = await waiting.heard((frame) => frame.ticket?.contact.number === from)
    await scene.made('ana', 'PUT', `/tickets/${ticket.id}`, { status: 'open', queueId: scene.queues.vendas })
    await waiting.heard((frame) => frame.ticket?.id === ticket.id && frame.ticket.status === 'open')
    await scene.message(ticket)
    await all.heard(({ message }) => message?.ticketId === ticket.id && message.fromMe)
    await Promise.all([waiting, open, all].map((line) => line.fence()))
    const of = (frames: Frame[]) => frames.flatMap((frame) => (frame.ticket?.id === ticket.id ? [frame.ticket.status] : []))
    expect([new Set(of(waiting.frames)), new Set(of(open.frames))]).toEqual([new Set(['pending', 'open']), new Set(['open'])])
    expect(waiting.frames.filter(({ message }) => message?.ticketId === ticket.id && message.fromMe)).toEqual([])
    expect(of(all.frames)).toEqual(expect.arrayContaining(['pending', 'open']))
  })
  it('gets the read state of messages in the open chat as on its first page (A-TICKET-06)', async () => {
    const from = '5511933335553'
    await app.phone.says(from, 'um')
    await app.phone.says(from, 'dois')
    await app.settled()
    const rows = await app.db
      .selectFrom('message')
      .innerJoin('ticket', 'ticket.id', 'message.ticketId')
      .innerJoin('contact', 'contact.id', 'ticket.contactId')
      .select(['message.id', 'ticketId'])
      .where('contact.number', '=', from)
      .orderBy('message.revision')
      .execute()
    const [one, two] = rows.map(({ id }) => id)
    const ticketId = rows[0]!.ticketId
    await scene.made('ana', 'PUT', `/tickets/${ticketId}`, { status: 'open', queueId: scene.queues.vendas })
    const read = async () => {
      const { body } = await app.as('ana')('GET', `/messages/${ticketId}`)
      return body.messages.filter((row: any) => !row.fromMe).map((row: any) => [row.id, row.read])
    }
    expect(await read()).toEqual([
      [one, false],
      [two, false],
    ])
    const ana = await app.socket('ana')
    ana.emit('joinChatBox', { ticketId })
    await ana.fence()
    await scene.made('ana', 'POST', `/tickets/${ticketId}/seen`, { messageId: one })
    await ana.heard(({ channel, message }) => channel.endsWith('-appMessage') && message?.id === one && message.read)
    expect(await read()).toEqual([
      [one, true],
      [two, false],
    ])
    await scene.message({ id: ticketId, uuid: '', contactId: 0 })
    await ana.heard(({ channel, message }) => channel.endsWith('-appMessage') && message?.id === two && message.read)
    expect((await read()).map(([, is]: [number, boolean]) => is)).toEqual([true, true])
  })
  it('gets a reaction as an update of its message in the open chat (A-MSG-06)', async () => {
    const opened = await scene.served()
    const ana = await app.socket('ana')
    ana.emit('joinChatBox', { ticketId: opened.id })
    await ana.fence()
    const { id } = await scene.message(opened)
    await ana.heard(({ action, message }) => action === 'create' && message?.id === id)
    const reactions = [{ mediaType: 'reactionMessage', emoji: '👍', from: 'us', name: null }]
    await scene.made('ana', 'POST', `/messages/${id}/reactions`, { type: '👍' })
    const { action } = await ana.heard(({ message }) => message?.id === id && message.reactions.length > 0)
    const { body } = await app.as('ana')('GET', `/messages/${opened.id}`)
    expect([action, body.messages.map((row: any) => row.reactions)]).toEqual(['update', [reactions]])
  })
  it('gets only the ticket of its chat, and an access entry is written for a non-owner', async () => {
    const [opened, other] = [await scene.served(), await scene.served()]
    const bruno = await app.socket('bruno')
    bruno.emit('joinChatBox', { ticketId: opened.id })
    const came = async () => (await app.as('admin')('GET', `/tickets-log/${opened.id}`)).body.filter((line: any) => line.type === 'access')
    await expect.poll(came).toMatchObject([{ user: { name: 'bruno' } }])
    for (const { id } of [other, opened]) await scene.made('ana', 'PUT', `/tickets/${id}`, { status: 'pending' })
    const { ticket } = await bruno.heard(({ channel, ticket: row }) => channel.endsWith('-ticket') && row?.status === 'pending')
    expect([ticket.id, bruno.of('ticket').filter((frame) => frame.id === other.id)]).toEqual([opened.id, []])
  })
  it('gets quick replies on their published channel', async () => {
    const ana = await app.socket('ana')
    const { id } = await scene.reply()
    const frame = await ana.heard(({ channel }) => channel === `company-${scene.companies.casa}-quickmessage`)
    expect(frame).toMatchObject({ action: 'create', id, record: { id, shortcode: expect.any(String) } })
    await scene.made('ana', 'PUT', `/quick-messages/${id}`, { shortcode: 'outra', message: 'Até logo' })
    await ana.heard(({ channel, action }) => channel.endsWith('-quickmessage') && action === 'update')
    await app.as('ana')('DELETE', `/quick-messages/${id}`)
    await ana.heard(({ channel, action }) => channel.endsWith('-quickmessage') && action === 'delete')
  })
  it('gets a separate frame after the row when a ticket is read (A-RT-05)', async () => {
    const from = '5511933335552'
    await app.phone.says(from, 'oi')
    await app.settled()
    const { id } = await app.db
      .selectFrom('ticket')
      .innerJoin('contact', 'contact.id', 'ticket.contactId')
      .select('ticket.id')
      .where('contact.number', '=', from)
      .executeTakeFirstOrThrow()
    await scene.made('ana', 'PUT', `/tickets/${id}`, { status: 'open', queueId: scene.queues.vendas })
    const [ana, root] = await Promise.all([app.socket('ana'), app.socket('root')])
    for (const line of [ana, root]) line.emit('joinTickets')
    await Promise.all([ana.fence(), root.fence()])
    await app.phone.says(from, 'ainda?')
    await ana.heard(({ ticket }) => ticket?.id === id && ticket.unreadMessages > 0 && ticket.lastMessage === 'ainda?')
    const mine = () => ana.of('ticket').filter((frame) => (frame.ticketId ?? frame.id) === id)
    expect(mine().filter(({ action }) => action === 'updateUnread')).toEqual([])
    await scene.message({ id, uuid: '', contactId: 0 })
    await ana.heard(({ action, ticketId }) => action === 'updateUnread' && ticketId === id)
    const at = mine().findIndex(({ action }) => action === 'updateUnread')
    expect(mine()[at - 1]).toMatchObject({ ticket: { id, unreadMessages: 0 } })
    await root.fence()
    expect(root.of('ticket')).toEqual([])
  })
})
