import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Channel } from '#app/channels/channel.ts'
import { runLeaseCoordinator } from '#app/channels/leases.ts'
import { recordInbound } from '#app/inbound/inbound-journal.ts'
import { processInbound } from '#app/inbound/inbound-processor.ts'
import { runOutbox } from '#app/outbound/outbox-sender.ts'
import { streamName } from '#domain/stream.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

/* What a provider reports about messages: ids, times, authors in a group. The test runs the worker's parts by hand, without jobs. */
let app: TestApp
const done = new AbortController()
const nothing = async () => undefined
beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'projector'] })
  void app.runTicketReactor(done.signal)
  const channel: Channel = {
    supportsIdempotentSend: true,
    send: async () => 'wamid.theirs',
    edit: nothing,
    react: nothing,
    remove: nothing,
    read: nothing,
  }
  void runLeaseCoordinator([processInbound, runOutbox], { ...app.ctx, channel: () => channel }, done.signal)
})
afterAll(async () => {
  done.abort()
  await app?.stop()
})

const inGroup = { group: { id: '5511900000001-160', name: 'Turma' } }
const ticketIdOf = (number: string) =>
  eventually(
    () =>
      app.db
        .selectFrom('ticket')
        .innerJoin('contact', 'contact.id', 'ticket.contactId')
        .select('ticket.id')
        .where('contact.number', '=', number)
        .executeTakeFirst(),
    (row) => row !== undefined,
  )
const messagesOf = (ticketId: number) => app.db.selectFrom('message').selectAll().where('ticketId', '=', ticketId).orderBy('id').execute()

it('a receipt finds its message by the provider’s id', async () => {
  const { connections, contacts, queues, companies } = app.company
  const asked = { contactId: contacts.maria, whatsappId: connections.balcao, queueId: queues.vendas }
  const ticket = (await app.as('bruno')('POST', '/tickets', asked)).body
  const messageId: number = (await app.as('bruno')('POST', `/messages/${ticket.id}`, { body: 'Oi' })).body.messages[0].id
  await eventually(
    () => app.db.selectFrom('outbox').select('state').where('messageId', '=', messageId).executeTakeFirst(),
    (row) => row?.state === 'taken',
  )

  const at = new Date(Date.now() - 60_000).toISOString()
  const receipt = { type: 'receipt' as const, externalIds: ['wamid.theirs'], mark: 'read' as const, at }
  const entry = {
    companyId: companies.casa,
    connectionId: ticket.whatsappId,
    externalId: 'mark-1',
    conversation: 'maria',
    payload: receipt,
  }
  await recordInbound(app.db, [entry])
  app.ctx.wakeWorker(ticket.whatsappId)
  await eventually(
    async () => (await messagesOf(ticket.id))[0]!.ack,
    (ack) => ack === 3,
  )

  const { events } = await app.ctx.eventStore.read(streamName(ticketStream, companies.casa, ticket.id))
  const meta = (type: string) => events.find((event) => event.type === type)!.meta as Record<string, unknown>
  expect(meta('MessagesRead')).toMatchObject({ v: 1, occurredAt: at })
  // every later event has the agent's send as its correlation and the event before it as its cause
  const { id, meta: sent } = events.find(({ type }) => type === 'MessageSent')!
  expect(sent.$correlationId).toBe(sent.commandId)
  for (const type of ['MessageDispatched', 'MessageAccepted'])
    expect(meta(type)).toMatchObject({ $correlationId: sent.$correlationId, $causationId: id })
})

it('a message shows the provider’s time and is ordered by arrival', async () => {
  const from = '5511977770001'
  const at = new Date(Date.now() - 40 * 60_000).toISOString()
  await app.phone.says(from, 'primeira')
  await app.phone.says(from, 'escrita antes', { at })
  const { id } = (await ticketIdOf(from))!
  const messages = await eventually(
    () => messagesOf(id),
    (rows) => rows.length === 2,
  )
  expect(messages.map(({ body }) => body)).toEqual(['primeira', 'escrita antes'])
  expect(messages[1]!.createdAt).toBe(at)
})

it('a group participant cannot change another’s message, and the author is encrypted', async () => {
  const [ana, ze] = ['5511955550002', '5511955550003']
  const first = await app.phone.says(ana, 'de Ana', { ...inGroup, name: 'Ana' })
  await app.phone.says(ze, 'troquei', { ...inGroup, name: 'Zé', edits: first })
  await app.phone.says(ze, '', { ...inGroup, name: 'Zé', deletes: first })
  await app.phone.says(ana, 'corrigido por Ana', { ...inGroup, name: 'Ana', edits: first })
  const { id } = (await ticketIdOf(inGroup.group.id))!
  const [row] = await eventually(
    () => messagesOf(id),
    ([one]) => one?.isEdited === true,
  )
  expect(row).toMatchObject({ body: 'corrigido por Ana', senderName: 'Ana', deletedBy: null })

  const { events } = await app.ctx.eventStore.read(streamName(ticketStream, app.company.companies.casa, id))
  const received = events.find(({ type }) => type === 'MessageReceived')!
  expect(JSON.stringify(received.data)).not.toMatch(/5511955550002|Ana/)
  expect(received.data.author).toMatch(/^[\w-]{22}$/)
})
