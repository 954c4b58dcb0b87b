import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, type Scene } from '#tests/http/scene.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
let scene: Scene
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
})
afterAll(() => app.stop())

const forward = (who: Parameters<TestApp['as']>[0], body: object) => app.as(who)('POST', '/message/forward', body)
const statusAndError = ({ status, body }: { status: number; body: any }) => [status, body?.error]
const row = (id: number) => app.db.selectFrom('ticket').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const texts = async (id: number) => (await app.as('admin')('GET', `/messages/${id}`)).body.messages

describe('forwarding (A-MSG-08)', () => {
  it('adds only the message to a ticket that the caller cannot see, and reveals nothing of it', async () => {
    const target = await scene.made('admin', 'POST', '/tickets', {
      contactId: (await scene.contact()).id,
      queueId: scene.queues.suporte,
      userId: scene.users.admin,
    })
    expect((await app.as('ana')('GET', `/tickets/u/${target.uuid}`)).status).toBe(404)
    const before = await row(target.id)
    const { id: messageId } = await scene.message(await scene.served())
    const answer = await forward('ana', { messageId, contactId: target.contactId })
    expect([answer.status, answer.body]).toEqual([200, { sent: true }])
    const { status, userId, queueId, unreadMessages } = before
    expect(await row(target.id)).toMatchObject({ status, userId, queueId, unreadMessages, lastMessage: 'Bom dia' })
    expect(await texts(target.id)).toMatchObject([{ body: 'Bom dia', isForwarded: true, user: { name: 'ana' } }])
  })
  it('to a waiting contact leaves the ticket waiting and unread', async () => {
    const from = '5511978787878'
    await app.phone.says(from, 'alguém?')
    await app.settled()
    const [ticket] = (await app.as('admin')('GET', `/tickets?status=search&searchParam=${from}`)).body.tickets
    const source = await scene.made('ana', 'POST', '/tickets', {
      contactId: (await scene.contact()).id,
      queueId: scene.queues.vendas,
      whatsappId: scene.connections.balcao,
    })
    const { id: messageId } = await scene.message(source)
    expect((await forward('ana', { messageId, contactId: ticket.contactId })).body).toEqual({ sent: true })
    expect(await row(ticket.id)).toMatchObject({ status: 'pending', userId: null, unreadMessages: 1 })
    await app.settled()
    expect((await app.as('admin')('GET', `/sandbox/${scene.connections.balcao}/outbox?to=${from}`)).body).toMatchObject([
      { body: 'Bom dia' },
    ])
  })
  it('opens a ticket of the caller in the source’s queue if the contact has none', async () => {
    const { id: contactId } = await scene.contact()
    const source = await scene.served()
    const { id: messageId } = await scene.message(source)
    expect((await forward('ana', { messageId, contactId })).body).toEqual({ sent: true })
    const made = await app.db.selectFrom('ticket').selectAll().where('contactId', '=', contactId).executeTakeFirstOrThrow()
    expect(made).toMatchObject({ status: 'open', userId: scene.users.ana, queueId: scene.queues.vendas })
  })
  it('accepts any message that the conversation shows, also of an earlier ticket (A-VIS-02)', async () => {
    const contact = await scene.contact()
    const opened = { contactId: contact.id, queueId: scene.queues.vendas }
    const earlier = await scene.made('bruno', 'POST', '/tickets', { ...opened, userId: scene.users.bruno })
    const { id: messageId } = await scene.message(earlier, 'bruno', { body: 'O contrato é este' })
    await scene.made('bruno', 'PUT', `/tickets/${earlier.id}`, { status: 'closed' })
    const { id: contactId } = await scene.contact()
    expect(statusAndError(await forward('ana', { messageId, contactId }))[0]).toBe(404) // no conversation shows it to her yet
    const now = await scene.made('ana', 'POST', '/tickets', opened)
    expect((await app.as('ana')('GET', `/tickets/u/${earlier.uuid}`)).status).toBe(404)
    const thread = (await app.as('ana')('GET', `/messages/${now.id}`)).body.messages
    expect(thread.map(({ id }: { id: number }) => id)).toContain(messageId)
    expect((await forward('ana', { messageId, contactId })).body).toEqual({ sent: true })
    const made = await app.db.selectFrom('ticket').select('id').where('contactId', '=', contactId).executeTakeFirstOrThrow()
    expect(await texts(made.id)).toMatchObject([{ body: 'O contrato é este', isForwarded: true, user: { name: 'ana' } }])
    expect(statusAndError(await forward('carla', { messageId, contactId }))[0]).toBe(404)
    expect(statusAndError(await app.as('ana')('DELETE', `/messages/${messageId}`))[0]).toBe(404) // reading does not allow answering
  })
  it('requires a queue if the source has none, and leaves no claim behind', async () => {
    const { id: contactId } = await scene.contact()
    const from = '5511978787879'
    await app.phone.says(from, 'preciso disto', { connection: scene.connections.loja })
    await app.settled()
    const [ticket] = (await app.as('bruno')('GET', `/tickets?status=search&searchParam=${from}`)).body.tickets
    expect(ticket.queueId).toBeNull()
    const [{ id: messageId }] = await texts(ticket.id)
    expect(statusAndError(await forward('bruno', { messageId, contactId }))).toEqual([400, 'ERR_QUEUE_REQUIRED'])
    expect(await app.db.selectFrom('activeTicket').select('ticketId').where('contactId', '=', contactId).execute()).toEqual([])
    expect((await forward('bruno', { messageId, contactId, queueId: scene.queues.suporte })).body).toEqual({ sent: true })
    const made = await app.db.selectFrom('ticket').selectAll().where('contactId', '=', contactId).executeTakeFirstOrThrow()
    expect(made).toMatchObject({ userId: scene.users.bruno, queueId: scene.queues.suporte })
  })
  it('refuses a queue that the caller does not serve, and a queue of another company', async () => {
    const { id: contactId } = await scene.contact()
    const { id: messageId } = await scene.message(await scene.served())
    expect(statusAndError(await forward('ana', { messageId, contactId, queueId: scene.queues.suporte }))).toEqual([
      400,
      'ERR_NO_PERMISSION',
    ])
    expect(statusAndError(await forward('ana', { messageId, contactId, queueId: scene.queues.deles }))).toEqual([404, 'ERR_NO_QUEUE_FOUND'])
    expect(await app.db.selectFrom('ticket').select('id').where('contactId', '=', contactId).execute()).toEqual([])
  })
})

describe('a quoted file of an earlier ticket', () => {
  it('shows its text, and the file only to users who may read its own ticket (A-VIS-02)', async () => {
    const contact = await scene.contact()
    const earlier = await scene.made('admin', 'POST', '/tickets', { contactId: contact.id, queueId: scene.queues.suporte })
    const form = new FormData()
    form.append('body', 'o laudo')
    form.append('medias', new Blob(['%PDF-1.4 laudo'], { type: 'application/pdf' }), 'laudo.pdf')
    const [{ id }] = (await app.as('admin')('POST', `/messages/${earlier.id}`, form)).body.messages
    const quotedMsg = { id }
    await scene.message(earlier, 'admin', { body: 'segue acima', quotedMsg })
    expect((await texts(earlier.id)).at(-1).quotedMsg).toMatchObject({ id, body: 'o laudo', mediaUrl: expect.any(String) })
    await scene.made('admin', 'PUT', `/tickets/${earlier.id}`, { status: 'closed', sendFarewellMessage: false })

    const now = await scene.made('ana', 'POST', '/tickets', { contactId: contact.id, queueId: scene.queues.vendas })
    await scene.message(now, 'admin', { body: 'como dissemos', quotedMsg })
    const { messages } = (await app.as('ana')('GET', `/messages/${now.id}`)).body
    expect(messages).toMatchObject([{ quotedMsg: { id, body: 'o laudo', mediaType: 'application', mediaUrl: null } }])
  })
})

describe('a file that failed to send', () => {
  it('is sent again with its quote, not as a forward, and only by users who may answer', async () => {
    const ticket = await scene.served()
    const quoted = await scene.message(ticket)
    const { id } = await scene.failed(ticket, { body: 'segue', quotedMsg: { id: quoted.id } })
    expect(statusAndError(await app.as('bruno')('POST', `/messages/${id}/again`))[0]).toBeGreaterThanOrEqual(403)
    const { status, body } = await app.as('ana')('POST', `/messages/${id}/again`)
    expect([status, body.body, body.isForwarded, body.quotedMsg?.id]).toEqual([200, 'segue', false, quoted.id])
    const { events } = (await app.as('admin')('GET', `/ticket-history/${ticket.uuid}`)).body
    expect(events.findLast(({ type }: { type: string }) => type === 'MessageSent')).toMatchObject({
      type: 'MessageSent',
      data: { again: id, quotedId: quoted.id },
    })
  })
})
