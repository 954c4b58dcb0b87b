import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { type Frame, openLine, Refused, type TestSocket } from '#tests/support/socket.ts'
import { openScene, type Scene } from './scene.ts'

let app: TestApp
let scene: Scene
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
})
afterAll(() => app.stop())

/** Everything that these sockets sent is processed, and every frame for them has arrived. */
const fences = (...lines: TestSocket[]) => Promise.all(lines.map((line) => line.fence()))

describe('the live socket', () => {
  it('is refused without a token, with a wrong token, or without its protocol', async () => {
    const token = await app.tokenOf('ana')
    for (const offered of [[], ['guiche.v1'], ['guiche.v1', 'bearer.x'], ['guiche.v1', `bearer.${token}x`], [`bearer.${token}`]])
      await expect(openLine(app.url, null, offered)).rejects.toEqual(new Refused(401))
  })
  it('keeps fifty tabs of one session live, also when all of them join at once', async () => {
    const token = await app.tokenOf('bruno')
    const tabs = await Promise.all(Array.from({ length: 50 }, () => openLine(app.url, token)))
    for (const tab of tabs)
      for (const join of ['joinTickets', 'joinNotification', 'joinTickets', 'joinNotification', 'joinTickets', 'beat']) tab.emit(join)
    await fences(...tabs)
    await scene.made('admin', 'POST', '/tags', { name: 'Para cinquenta abas', color: '#111111' })
    for (const tab of tabs)
      await tab.heard(({ channel, tag, record }) => channel.endsWith('-tag') && (tag ?? record)?.name === 'Para cinquenta abas')
    for (const tab of tabs) tab.close()
  })
  it('answers a page’s heartbeat', async () => {
    const line = await openLine(app.url, await app.tokenOf('ana'))
    line.emit('beat')
    await line.fence()
    expect(line.countBeats()).toBeGreaterThan(0)
    line.close()
  })
  it.each(['garbage', '{"emit":"drop tables"}', '{"emit":7}', '[]', 'null', '{"data":1}', ''])('closes on %j', async (text) => {
    const line = await openLine(app.url, await app.tokenOf('ana'))
    line.say(text)
    expect(await line.closed).toBe(1008)
  })
  it('closes on binary and oversized frames', async () => {
    const bytes = await openLine(app.url, await app.tokenOf('ana'))
    bytes.say(Buffer.from([0, 1, 2]))
    expect(await bytes.closed).toBe(1008)
    const much = await openLine(app.url, await app.tokenOf('ana'))
    much.socket.on('error', () => undefined)
    much.say(`{"emit":"joinTickets","data":"${'x'.repeat(20_000)}"}`)
    expect([1006, 1009]).toContain(await much.closed)
  })
  it('sends no ticket frames before the ticket lists are joined', async () => {
    const [line, joined] = await Promise.all([app.socket('bruno'), app.socket('ana')])
    joined.emit('joinTickets')
    await joined.fence()
    const { id } = await scene.waiting()
    await joined.heard((frame) => frame.id === id)
    await line.fence()
    expect(line.of('ticket')).toEqual([])
  })
  it('does not join the chat of an invisible ticket', async () => {
    const { id } = await scene.served()
    const [carla, root, bruno] = await Promise.all([app.socket('carla'), app.socket('root'), app.socket('bruno')])
    for (const line of [carla, root, bruno]) line.emit('joinChatBox', { ticketId: id })
    for (const odd of [null, 'x', -1, 2 ** 31, { ticketId: {} }, [id], { ticketId: '1e3' }]) carla.emit('joinChatBox', odd)
    await fences(carla, root, bruno)
    await scene.message({ id, uuid: '', contactId: 0 })
    expect((await bruno.heard(({ channel }) => channel.endsWith('-appMessage'))).message.body).toBe('Bom dia')
    await fences(carla, root)
    expect([carla.of('appMessage'), root.of('appMessage'), carla.socket.readyState]).toEqual([[], [], WebSocket.OPEN])
  })
  it('sends nothing of another company (R-TENANT-03)', async () => {
    const [root, admin] = await Promise.all([app.socket('root'), app.socket('admin')])
    for (const line of [root, admin]) {
      line.emit('joinTickets')
      line.emit('joinNotification')
    }
    await fences(root, admin)
    await scene.served()
    await scene.made('admin', 'POST', '/tags', { name: 'Só nossa', color: '#111111' })
    await app.phone.says('5511933334444', 'segredo')
    await admin.heard(({ channel, tag, record }) => channel.endsWith('-tag') && (tag ?? record)?.name === 'Só nossa')
    for (const topic of ['-ticket', '-appMessage'])
      await admin.heard((frame) => frame.channel.endsWith(topic) && JSON.stringify(frame).includes('segredo'))
    await root.fence()
    const ours = (frame: Frame) => !frame.channel.startsWith(`company-${scene.companies.vizinha}-`)
    expect(root.frames.filter(ours)).toEqual([])
    expect(JSON.stringify(root.frames)).not.toMatch(/segredo|Só nossa/)
  })
  it('marks messages as read when their owner sees them, not by joining the chat (A-TICKET-06)', async () => {
    const from = '5511966660001'
    await app.phone.says(from, 'oi?')
    await app.settled()
    const unread = () =>
      app.db
        .selectFrom('ticket')
        .innerJoin('contact', 'contact.id', 'ticket.contactId')
        .select(['ticket.id', 'ticket.unreadMessages'])
        .where('contact.number', '=', from)
        .executeTakeFirstOrThrow()
    const { id } = await unread()
    const read = () => expect.poll(async () => (await unread()).unreadMessages).toBe(0)
    await scene.made('ana', 'PUT', `/tickets/${id}`, { status: 'open', queueId: scene.queues.vendas })
    await app.phone.says(from, 'olá?')
    await app.settled()
    expect((await unread()).unreadMessages).toBeGreaterThan(0)
    const [carla, ana] = await Promise.all([app.socket('carla'), app.socket('ana')])
    for (const line of [carla, ana]) line.emit('joinChatBox', { ticketId: id })
    await app.phone.says(from, 'tudo bem?')
    const { message } = await ana.heard((frame) => frame.channel.endsWith('-appMessage') && frame.message?.body === 'tudo bem?')
    expect((await unread()).unreadMessages).toBe(3)
    const seen = (who: 'ana' | 'bruno', messageId: number) => app.as(who)('POST', `/tickets/${id}/seen`, { messageId })
    expect((await seen('bruno', message.id)).body).toEqual({ unreadMessages: 3 })
    expect((await seen('ana', message.id)).body).toEqual({ unreadMessages: 0 })
    expect((await seen('ana', message.id)).body).toEqual({ unreadMessages: 0 })
    await read()
  })
  it('sends a note and its deletion to sockets with the ticket open', async () => {
    const ticket = await scene.served()
    const [ana, carla] = await Promise.all([app.socket('ana'), app.socket('carla')])
    for (const line of [ana, carla]) line.emit('joinChatBox', { ticketId: ticket.id })
    await fences(ana, carla)
    const { id } = await scene.note(ticket)
    const { ticketNote } = await ana.heard(({ channel }) => channel.endsWith('-ticketNote'))
    expect(ticketNote).toMatchObject({
      id,
      note: 'Pediu boleto',
      ticketId: ticket.id,
      contactId: ticket.contactId,
      user: { id: scene.users.ana },
    })
    await app.as('ana')('DELETE', `/ticket-notes/${id}`)
    await ana.heard(({ channel, action }) => channel.endsWith('-ticketNote') && action === 'delete')
    await carla.fence()
    expect(carla.of('ticketNote')).toEqual([])
  })
  it('sends the contact and the ticket of a renamed tag', async () => {
    const ticket = await scene.served()
    const tag = await scene.tag()
    await app.as('ana')('POST', '/tags/sync', { contactId: ticket.contactId, tags: [{ id: tag.id }] })
    const ana = await app.socket('ana')
    ana.emit('joinTickets')
    await ana.fence()
    const renamed = await app.as('ana')('PUT', `/tags/${tag.id}`, { name: 'Prioridade', color: '#654321', kanban: 0 })
    expect(renamed.status).toBe(200)
    const shows = ({ tags = [] }: { tags?: { name: string; color: string }[] } = {}) =>
      tags.some(({ name, color }) => name === 'Prioridade' && color === '#654321')
    await ana.heard(({ channel, ticket: row }) => channel.endsWith('-ticket') && row?.id === ticket.id && shows(row))
    await ana.heard(({ channel, contact }) => channel.endsWith('-contact') && contact?.id === ticket.contactId && shows(contact))
  })
  it('sends no rows to an unpaid company, and closes its open sockets (A-AUTH-06)', async () => {
    const due = (dueDate: string | null) =>
      app.db.updateTable('company').set({ dueDate }).where('id', '=', scene.companies.vizinha).execute()
    const reply = () => scene.made('rita', 'POST', '/quick-messages', { shortcode: `x${Date.now()}`, message: 'Olá' })
    const before = await app.socket('rita')
    await due('2020-01-01')
    expect(await before.closed).toBe(1001)
    const expired = await app.socket('rita')
    await app.db.updateTable('tag').set({ name: 'Outra' }).where('companyId', '=', scene.companies.vizinha).execute()
    await due(null)
    expect(await expired.closed).toBe(1001)
    expect(expired.of('tag')).toEqual([])
    const again = await app.socket('rita')
    await reply()
    await again.heard(({ channel }) => channel.endsWith('-quickmessage'))
  })
  it('removes a ticket for users who may no longer see it, and adds it for the others', async () => {
    const [ana, carla] = await Promise.all([app.socket('ana'), app.socket('carla')])
    for (const line of [ana, carla]) line.emit('joinTickets')
    await fences(ana, carla)
    const { id } = await scene.served()
    await ana.heard((frame) => frame.id === id)
    await app.as('admin')('PUT', `/tickets/${id}`, { isTransfered: true, queueId: scene.queues.suporte, userId: scene.users.carla })
    expect(await ana.heard((frame) => frame.id === id && frame.action === 'delete')).toMatchObject({ ticketId: id })
    expect(await carla.heard((frame) => frame.id === id && frame.action === 'update')).toMatchObject({
      ticket: { userId: scene.users.carla },
    })
    expect(carla.frames.filter((frame) => frame.ticket?.id === id && frame.ticket.userId === scene.users.ana)).toEqual([])
  })
})

describe('a user who must not see numbers (A-LGPD-04, R-LGPD-01)', () => {
  const number = '5511955556666'
  beforeAll(async () => {
    await app.set('enableLGPD', 'enabled')
    await app.set('lgpdHideNumber', 'enabled')
    app.forget('ana')
  })
  it('gets masked numbers in every answer and frame, while an admin sees them whole', async () => {
    const [ana, admin] = await Promise.all([app.socket('ana'), app.socket('admin')])
    for (const line of [ana, admin]) {
      line.emit('joinTickets')
      line.emit('joinNotification')
    }
    await fences(ana, admin)
    await app.phone.says(number, 'meu número é segredo')
    const { ticket } = await admin.heard((frame) => frame.channel.endsWith('-ticket') && frame.ticket?.contact.number === number)
    const client = app.as('ana')
    ana.emit('joinChatBox', { ticketId: ticket.id })
    await app.settled()
    const opened = await client('PUT', `/tickets/${ticket.id}`, { status: 'open', userId: scene.users.ana })
    const answers = [
      opened,
      await client('GET', `/tickets/u/${ticket.uuid}`),
      await client('GET', '/tickets?status=open&showAll=true'),
      await client('GET', `/messages/${ticket.id}`),
      await client('POST', `/messages/${ticket.id}`, { body: 'Olá' }),
      await client('GET', `/contacts/${ticket.contactId}`),
      await client('GET', '/contacts?searchParam=Cliente'),
      await client('GET', `/contacts?searchParam=${number}`),
      await client('POST', '/tags/sync', { contactId: ticket.contactId, tags: [{ id: scene.tags.vip }] }),
      await client('PUT', `/contacts/${ticket.contactId}`, { name: 'Renomeado' }),
      await client('GET', `/tickets-log/${ticket.id}`),
      await client('PUT', `/tickets/${ticket.id}`, { status: 'closed' }),
      await client('POST', '/tickets', { contactId: ticket.contactId, queueId: scene.queues.vendas, whatsappId: scene.connections.balcao }),
      await client('POST', '/tickets', { contactId: ticket.contactId, queueId: scene.queues.vendas, whatsappId: scene.connections.balcao }),
    ]
    const last = answers.at(-2)!.body.id
    for (const line of [ana, admin]) await line.heard((frame) => frame.channel.endsWith('-ticket') && frame.id === last)
    await ana.fence()
    expect(answers.map(({ status }) => status)).toEqual([...Array(answers.length - 1).fill(200), 409])
    for (const { body } of answers) expect(JSON.stringify(body)).not.toContain(number.slice(4, -2))
    expect(ana.frames.filter(({ channel }) => /-(ticket|contact)$/.test(channel)).length).toBeGreaterThan(3)
    expect(JSON.stringify(ana.frames)).not.toContain(number.slice(4, -2))
    expect(JSON.stringify(ana.frames)).toContain('5511*******66')
    expect(JSON.stringify(admin.frames)).toContain(number)
  })
  it('finds a contact by the whole number only', async () => {
    const found = async (searchParam: string) => (await app.as('ana')('GET', `/contacts?searchParam=${searchParam}`)).body.count
    expect(await found(number)).toBe(1)
    expect(await found(number.slice(0, 9))).toBe(0)
    expect(await found('5556666')).toBe(0)
  })
  it('finds no contact by part of a number that is its name, and gets that name masked', async () => {
    const nameless = '5511955558877'
    await app.as('admin')('POST', `/sandbox/${scene.connections.balcao}/inbound`, {
      id: crypto.randomUUID(),
      from: nameless,
      name: '+55 11 95555-8877',
      body: 'oi',
    })
    await app.settled()
    const found = async (path: string) => (await app.as('ana')('GET', path)).body
    const [ticket] = (await found(`/tickets?status=search&searchParam=${nameless}`)).tickets
    expect(ticket.contact).toMatchObject({ name: '5511*******77', number: '5511*******77' })
    for (const part of ['9555588', '5511955558', '55588'])
      expect([
        (await found(`/contacts?searchParam=${part}`)).count,
        (await found(`/tickets?status=search&searchParam=${part}`)).tickets,
      ]).toEqual([0, []])
    expect((await found(`/messages/${ticket.id}`)).messages).toMatchObject([{ contact: { name: '5511*******77' } }])
    const contact = await found(`/contacts/${ticket.contactId}`)
    expect(contact.name).toBe('5511*******77')
    const { id, name, number, email } = contact
    const back = await app.as('ana')('PUT', `/contacts/${id}`, { name, number, email: 'novo@exemplo.test' }) // the row as it was returned
    expect([back.status, back.body.name, email]).toEqual([200, '5511*******77', ''])
    const kept = await app.db.selectFrom('contact').select(['name', 'number', 'email']).where('id', '=', id).executeTakeFirstOrThrow()
    expect(kept).toEqual({ name: '+55 11 95555-8877', number: nameless, email: 'novo@exemplo.test' })
    await app.as('ana')('PUT', `/contacts/${id}`, { name: 'Rosa', number: '5511900000000' })
    const renamed = await app.db.selectFrom('contact').select(['name', 'number']).where('id', '=', id).executeTakeFirstOrThrow()
    expect(renamed).toEqual({ name: 'Rosa', number: nameless })
  })
  it('keeps {numero} in the text; it is filled in for the customer', async () => {
    const [{ id }] = (await app.as('ana')('GET', '/tickets?status=search&searchParam=5511955558877')).body.tickets
    await app.as('ana')('PUT', `/tickets/${id}`, { status: 'open', userId: scene.users.ana, queueId: scene.queues.vendas })
    const sent = await app.as('ana')('POST', `/messages/${id}`, { body: 'Confirme {numero}, {nome}.' })
    expect(sent.body.messages).toMatchObject([{ body: 'Confirme {numero}, Rosa.' }])
    await app.settled()
    const out = async () => (await app.as('admin')('GET', `/sandbox/${scene.connections.balcao}/phone/5511955558877`)).body.at(-1)
    expect((await out()).body).toBe('Confirme 5511955558877, Rosa.')
    await app.as('ana')('PUT', `/messages/${sent.body.messages[0].id}`, { body: 'É {{numero}}?' })
    await app.settled()
    expect(await out()).toMatchObject({ body: 'É 5511955558877?', edited: true })
    expect(JSON.stringify((await app.as('ana')('GET', `/messages/${id}`)).body)).not.toContain('955558877')
  })
  it('changes other contact fields without changing the number', async () => {
    const row = await app.db.selectFrom('contact').select(['id', 'name', 'number']).where('number', '=', number).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ name: 'Renomeado', number })
  })
  it('sees groups unmasked, because a group id is no phone number', async () => {
    await app.phone.says('5511900007777', 'oi grupo', { group: { id: '120363000000000001@g.us', name: 'Família' } })
    await app.settled()
    const { body } = await app.as('admin')('GET', '/contacts?isGroup=true')
    expect(body.contacts).toMatchObject([{ name: 'Família', isGroup: true }])
  })
})
