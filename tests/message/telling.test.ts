import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Channel, PermanentChannelError } from '#app/channels/channel.ts'
import { ticketReactor } from '#app/ticket/reactions.ts'
import { sends } from '#tests/support/lease-connection.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

/* Edits, reactions, removals and read receipts at the channel. The reactions are real, but nobody holds the connection until `pass`. */
let app: TestApp
let ticket: { id: number; contactId: number; whatsappId: number }
let calls: string[] = []
let fails: (what: string) => void = () => {}
let done = new AbortController()
let ended: Promise<void>
const react = () => {
  done = new AbortController()
  ended = app.runTicketReactor(done.signal)
}

beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'projector'] })
  react()
  const { connections, contacts, queues } = app.company
  const asked = { contactId: contacts.maria, whatsappId: connections.balcao, queueId: queues.vendas }
  ticket = (await app.as('bruno')('POST', '/tickets', asked)).body
})
afterAll(async () => {
  done.abort()
  await app?.stop()
})
beforeEach(() => {
  calls = []
  fails = () => {}
})

const bruno = (method: string, at: string, body?: object) => app.as('bruno')(method, at, body)
const say = async (body: string): Promise<number> => (await bruno('POST', `/messages/${ticket.id}`, { body })).body.messages[0].id
const edit = (id: number, body: string) => bruno('PUT', `/messages/${id}`, { body })

const channel: Channel = {
  supportsIdempotentSend: true,
  send: async (_, __, { body }) => {
    record(`send ${body}`)
    return null
  },
  edit: async (_, __, body) => record(`edit ${body}`),
  react: async (_, __, emoji) => record(`react ${emoji}`),
  remove: async () => record('remove'),
  read: async (_, ids) => record(`read ${ids.join()}`),
}
function record(what: string): void {
  fails(what)
  calls.push(what)
}

/** Waits until the reactor has handled every event. */
async function reactedTo(): Promise<void> {
  const head = await app.ctx.readHeadPosition()
  const at = () => app.db.selectFrom('checkpoint').select('position').where('name', '=', ticketReactor.name).executeTakeFirst()
  await eventually(at, (row) => row !== undefined && BigInt(row.position) >= head!)
}
const waiting = () => app.db.selectFrom('outbox').select(['kind', 'messageId']).where('state', '=', 'waiting').orderBy('n').execute()
/** Processes the waiting rows as if they were due. */
async function pass(): Promise<string[]> {
  await reactedTo()
  await app.db
    .updateTable('outbox')
    .set({ dueAt: new Date(Date.now() - 60_000).toISOString() })
    .where('state', '=', 'waiting')
    .execute()
  await sends(ticket.whatsappId, { ...app.ctx, channel: () => channel })
  return calls
}

it('changes are sent by the next lease holder in the order they were made', async () => {
  const id = await say('bom dai')
  expect(await pass()).toEqual(['send bom dai'])
  await edit(id, 'bom dia')
  await bruno('POST', `/messages/${id}/reactions`, { type: '❤️' })
  await say('tudo bem?')
  expect(await pass()).toEqual(['send bom dai', 'edit bom dia', 'react ❤️', 'send tudo bem?'])
  await bruno('POST', `/messages/${id}/reactions`, { type: '❤️' })
  await bruno('DELETE', `/messages/${id}`)
  expect((await pass()).slice(4)).toEqual(['remove'])
  expect(await waiting()).toEqual([])
})

it('a change is retried while its answer is lost, without blocking later messages for ever', async () => {
  const id = await say('mai')
  await pass()
  fails = (what) => {
    if (what.startsWith('edit')) throw new Error('the answer was lost')
  }
  await edit(id, 'mais')
  await say('atrás')
  for (let i = 0; i < 5; i++) expect(await pass()).toEqual(['send mai'])
  for (let i = 0; i < 5; i++) expect(await pass()).toEqual(['send mai', 'send atrás'])
  fails = () => {}
  expect(await pass()).toEqual(['send mai', 'send atrás', 'edit mais'])
  expect(await waiting()).toEqual([])
})

it('a late edit sends the newest text', async () => {
  const id = await say('u')
  await pass()
  fails = (what) => {
    if (what === 'edit un') throw new Error('the answer was lost')
  }
  await edit(id, 'un')
  await pass()
  await edit(id, 'um')
  expect((await pass()).at(-1)).toBe('edit um')
  expect(calls).not.toContain('edit un')
})

it('a change that the channel refuses is dropped', async () => {
  const id = await say('velha')
  await pass()
  fails = (what) => {
    if (what.startsWith('edit')) throw new PermanentChannelError('TOO_OLD')
  }
  await edit(id, 'nova')
  await say('adiante')
  expect(await pass()).toEqual(['send velha', 'send adiante'])
  expect(await waiting()).toEqual([])
})

it('a change waits while the connection is offline', async () => {
  const id = await say('antes')
  await pass()
  const status = (to: 'CONNECTED' | 'DISCONNECTED') =>
    app.db.updateTable('connection').set({ status: to }).where('id', '=', ticket.whatsappId).execute()
  await status('DISCONNECTED')
  await edit(id, 'depois')
  expect(await pass()).toEqual(['send antes'])
  await status('CONNECTED')
  expect(await pass()).toEqual(['send antes', 'edit depois'])
})

it('no change is sent for a message that was never sent or was sent with its newest text', async () => {
  fails = (what) => {
    if (what.startsWith('send recusada')) throw new PermanentChannelError('BLOCKED')
  }
  const refused = await say('recusada')
  await pass()
  await edit(refused, 'recusada, mas outra')
  await bruno('POST', `/messages/${refused}/reactions`, { type: '👍' })
  await bruno('DELETE', `/messages/${refused}`)
  const taken = await say('tirada antes')
  await bruno('DELETE', `/messages/${taken}`)
  const { id: hidden } = (await bruno('POST', `/messages/${ticket.id}`, { body: 'só nós', isPrivate: true })).body.messages[0]
  await edit(hidden, 'só nós dois')
  const late = await say('ante')
  await edit(late, 'antes de sair')
  expect(await pass()).toEqual(['send antes de sair'])
  expect(await waiting()).toEqual([])
})

it('a change is sent for a message whose delivery is uncertain', async () => {
  fails = (what) => {
    if (what.startsWith('send')) throw new Error('the answer was lost')
  }
  const id = await say('quem sabe')
  for (let i = 0; i < 6; i++) await pass()
  fails = () => {}
  await bruno('DELETE', `/messages/${id}`)
  expect(await pass()).toEqual(['remove'])
})

it('one read receipt covers what was read, up to the newest message', async () => {
  const { nextMessageId, execute } = app.ctx
  const by = { kind: 'contact' as const, id: ticket.contactId }
  const metadata = () => ({ companyId: app.company.companies.casa, by, at: new Date().toISOString() })
  const opening = { ...ticket, ticketId: ticket.id, connectionId: ticket.whatsappId, uuid: '', channel: 'whatsapp' as const }
  const receive = async (externalId: string) => {
    const messageId = await nextMessageId()
    const content = { messageId, kind: 'chat' as const, body: externalId, media: null, vCard: null }
    const rest = { quotedExternalId: null, participant: null, opening: { ...opening, group: false, queueId: null, predecessorId: null } }
    await execute(ticket.id, { type: 'Receive', externalId, ...content, ...rest, ...metadata() }, externalId)
    return messageId
  }
  const seenOf = (messageId: number) => app.as('bruno')('POST', `/tickets/${ticket.id}/seen`, { messageId })
  await seenOf(await receive('a'))
  await seenOf(await receive('b'))
  await reactedTo()
  const last = await receive('c')
  expect(await pass()).toEqual(['read a,b'])

  await app.ctx.waitForProjection(await app.ctx.readHeadPosition())
  calls = []
  await bruno('POST', `/messages/${ticket.id}`, { body: 'só nós', isPrivate: true })
  await say('já vejo') // the owner answers, so the messages were read (A-TICKET-06)
  await say('um momento')
  await seenOf(last)
  await reactedTo()
  expect(await pass()).toEqual(['send já vejo', 'read a,b,c', 'send um momento'])
  expect(await waiting()).toEqual([])
  const receipts = app.db.selectFrom('outbox').select('state').where('kind', '=', 'read').where('ticketId', '=', ticket.id)
  expect(await receipts.execute()).toEqual([{ state: 'taken' }])
})

it('a successor’s messages are sent after those of its predecessor (A-TRANSFER-02)', async () => {
  await app.set('closeTicketOnTransfer', 'enabled')
  await reactedTo()
  done.abort()
  await ended
  const sentIds: number[] = []
  for (const body of ['um', 'dois', 'três', 'quatro', 'cinco', 'seis']) sentIds.push(await say(body))
  const { queues, users } = app.company
  const to = { isTransfered: true, queueId: queues.suporte, userId: users.bruno }
  const { body: next } = await bruno('PUT', `/tickets/${ticket.id}`, to)
  expect(next.id).not.toBe(ticket.id)
  ticket = next
  sentIds.push(await say('já noutro'))
  react()
  await reactedTo()
  expect((await waiting()).map(({ messageId }) => messageId)).toEqual(sentIds)
  expect((await pass()).filter((what) => what.startsWith('send')).at(-1)).toBe('send já noutro')
})
