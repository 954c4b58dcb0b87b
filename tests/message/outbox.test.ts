import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Channel, type Outgoing, TransientChannelError } from '#app/channels/channel.ts'
import { setConnectionState } from '#app/connection/state.ts'
import { externalIdFrom } from '#app/message/external-id.ts'
import { failAbandoned } from '#app/outbound/delivery-failures.ts'
import type { Deps } from '#app/outbound/outbox.ts'
import { runOutbox } from '#app/outbound/outbox-sender.ts'
import { leaseConnection, sends } from '#tests/support/lease-connection.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

let app: TestApp
let ticket: { id: number; contactId: number; whatsappId: number }
let conversation: { connectionId: number; contactId: number }
beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'projector'] })
  const { connections, contacts, queues } = app.company
  const opened = await app.as('bruno')('POST', '/tickets', {
    contactId: contacts.maria,
    whatsappId: connections.balcao,
    queueId: queues.vendas,
  })
  ticket = opened.body
  conversation = { connectionId: ticket.whatsappId, contactId: ticket.contactId }
})
afterAll(async () => {
  await app?.ctx.db.updateTable('outbox').set({ state: 'taken' }).execute()
  await app?.stop({ faultsExpected: true })
})

/** A message that waits to be sent, as the reaction leaves it in the outbox. */
async function waiting(body: string): Promise<number> {
  const { messages } = (await app.as('bruno')('POST', `/messages/${ticket.id}`, { body })).body
  const { id: messageId, revision, companyId } = messages[0]
  await app.ctx.db
    .insertInto('outbox')
    .values({ messageId, externalId: externalIdFrom(String(messageId)), companyId, ticketId: ticket.id, revision, ...conversation })
    .execute()
  return messageId
}
const stateOf = async (messageId: number) =>
  (await app.ctx.db.selectFrom('outbox').select('state').where('messageId', '=', messageId).executeTakeFirstOrThrow()).state

function outbox(send: (content: Outgoing, signal: AbortSignal) => Promise<void>, supportsIdempotentSend = true): Deps {
  const nothing = async () => undefined
  const channel: Channel = {
    supportsIdempotentSend,
    send: (_, __, content, signal) => send(content, signal).then(() => null),
    react: nothing,
    remove: nothing,
    edit: nothing,
    read: nothing,
  }
  return { ...app.ctx, channel: () => channel }
}

it('the text is sent as it was edited while the message waited', async () => {
  const messageId = await waiting('befor')
  expect((await app.as('bruno')('PUT', `/messages/${messageId}`, { body: 'before' })).status).toBe(200)
  const sent: string[] = []
  await sends(
    conversation.connectionId,
    outbox(async ({ body }) => void sent.push(body)),
  )
  expect(sent).toEqual(['before'])
})

it('a message of a crashed process is not sent again on a channel that would duplicate it', async () => {
  const messageId = await waiting('once')
  await app.ctx.db.updateTable('outbox').set({ attempts: 1 }).where('messageId', '=', messageId).execute()
  const sent: string[] = []
  await sends(
    conversation.connectionId,
    outbox(async ({ body }) => void sent.push(body), false),
  )
  expect(sent).toEqual([])
  expect(await stateOf(messageId)).toBe('uncertain')
})

it('a message that a crashed process sent in part fails as sent in part (ERR_SENT_IN_PART)', async () => {
  const messageId = await waiting('in two parts')
  const row = { attempts: 1, partsDue: 1, partIds: [], providerId: 'wamid.first' }
  await app.ctx.db.updateTable('outbox').set(row).where('messageId', '=', messageId).execute()
  const metadata = { companyId: app.company.companies.casa, by: { kind: 'system' as const } }
  await app.ctx.execute(ticket.id, { type: 'Accepted', messageId, providerId: 'wamid.first', ...metadata }, `accepted-${messageId}`)
  const sent: string[] = []
  await sends(
    conversation.connectionId,
    outbox(async ({ body }) => void sent.push(body), false),
  )
  const failed = () => app.db.selectFrom('message').select('failed').where('id', '=', messageId).executeTakeFirstOrThrow()
  await eventually(failed, (now) => now.failed === 'ERR_SENT_IN_PART')
  expect([sent, await stateOf(messageId)]).toEqual([[], 'failed'])
})

it('a pause before a message counts from the one before it and delays no other contact', async () => {
  const [, file, other] = [await waiting('words'), await waiting('a file'), await waiting('to another')]
  const { db, company } = { ...app, ...app.ctx }
  const change = (messageId: number, to: object) => db.updateTable('outbox').set(to).where('messageId', '=', messageId).execute()
  await change(file, { gapMs: 60_000 })
  await change(other, { contactId: company.contacts.joao, state: 'taken' })
  const sent: string[] = []
  const deps = outbox(async ({ body }) => {
    sent.push(body)
    if (body === 'words') await change(other, { state: 'waiting' })
  })
  const over = new AbortController()
  const ended = runOutbox(await leaseConnection(conversation.connectionId, db), deps, over.signal)
  await eventually(
    async () => sent,
    ({ length }) => length === 2,
  )
  over.abort()
  await ended
  expect(sent).toEqual(['words', 'to another'])
  await change(file, { state: 'taken' })
})

it('a slow send is aborted before it starts again, and is not uncertain if nothing was sent', async () => {
  const messageId = await waiting('a large file')
  const seen: string[] = []
  const deps = outbox(async (_, signal) => {
    seen.push('begun')
    if (seen.length === 1) {
      await once(signal, 'abort')
      seen.push('given up')
      throw new TransientChannelError('ERR_CHANNEL_AWAY', 0)
    }
  }, false)
  await eventually(
    () => sends(conversation.connectionId, { ...deps, sendMs: () => 20 }).then(() => stateOf(messageId)), // the row waits for a moment
    (state) => state === 'taken',
  )
  expect([seen, await stateOf(messageId)]).toEqual([['begun', 'given up', 'begun'], 'taken'])
})

it('a rate-limited message is retried for over an hour, however short the pauses are', async () => {
  const messageId = await waiting('too fast')
  const deps = outbox(async () => {
    throw new TransientChannelError('ERR_CHANNEL_LIMITED', 5000)
  })
  const row = () => app.db.selectFrom('outbox').select(['n', 'state', 'dueAt']).where('messageId', '=', messageId).executeTakeFirstOrThrow()
  let rests = 0
  for (let now = await row(); now.state === 'waiting'; now = await row()) {
    rests += Math.max(0, Date.parse(now.dueAt) - Date.now())
    await app.ctx.db
      .updateTable('outbox')
      .set({ dueAt: new Date(0).toISOString() })
      .where('n', '=', now.n)
      .execute()
    await sends(conversation.connectionId, deps)
  }
  expect(rests).toBeGreaterThan(3_600_000)
})

it('repeated internal errors fail a message or leave it uncertain, and delay no other one', async () => {
  const { db } = app.ctx
  const [kept, begun, behind] = [await waiting('kept'), await waiting('begun'), await waiting('behind')]
  await db.updateTable('outbox').set({ faults: 19 }).where('messageId', 'in', [kept, begun]).execute()
  await db.updateTable('outbox').set({ attempts: 1 }).where('messageId', '=', begun).execute()
  const sent: string[] = []
  const deps = outbox(async ({ body }) => void sent.push(body))
  const load: Deps['load'] = (companyId, id, named, ...rest) => {
    const asked = named?.messages?.[0]
    if (asked === kept || asked === begun) throw new Error('the quote of undefined')
    return deps.load(companyId, id, named, ...rest)
  }
  const connection = await leaseConnection(conversation.connectionId, db)
  const over = new AbortController()
  const ended = runOutbox(connection, { ...deps, load }, over.signal)
  await eventually(
    async () => sent,
    ({ length }) => length === 1,
  )
  over.abort()
  await ended
  expect(sent).toEqual(['behind'])
  expect(await Promise.all([kept, begun, behind].map(stateOf))).toEqual(['failed', 'uncertain', 'taken'])
  await app.settled()
  const shown = await db.selectFrom('message').select(['failed', 'uncertain']).where('id', 'in', [kept, begun]).orderBy('id').execute()
  expect(shown).toEqual([
    { failed: 'ERR_SENDING_WAPP_MSG', uncertain: false },
    { failed: null, uncertain: true },
  ])
})

it('only one holder of a connection sends, also after its lease was lost', async () => {
  await waiting('alone')
  const sent: string[] = []
  const deps = outbox(async ({ body }) => void sent.push(body))
  const other = Promise.withResolvers<void>()
  let begun = 0
  const overtaken: Deps = {
    ...deps,
    async execute(...command) {
      const said = await deps.execute(...command)
      if (command[1].type === 'Dispatch' && ++begun === 1) {
        await sends(conversation.connectionId, deps)
        other.resolve()
      }
      return said
    },
  }
  const late = sends(conversation.connectionId, overtaken)
  await other.promise
  expect(sent).toEqual(['alone'])
  await late
  expect(sent).toEqual(['alone'])
})

it('the provider’s id is kept if the process dies between the event and the row', async () => {
  const messageId = await waiting('taken twice over')
  const deps = outbox(async () => undefined)
  const metadata = { companyId: app.company.companies.casa, by: { kind: 'system' as const } }
  await deps.execute(ticket.id, { type: 'Accepted', messageId, providerId: 'wamid.1', ...metadata }, `accepted-${messageId}`)
  await app.ctx.db.updateTable('outbox').set({ attempts: 1 }).where('messageId', '=', messageId).execute()
  await sends(conversation.connectionId, deps)
  const row = app.ctx.db.selectFrom('outbox').select(['state', 'providerId']).where('messageId', '=', messageId)
  expect(await row.executeTakeFirst()).toEqual({ state: 'taken', providerId: 'wamid.1' })
})

it('a message for the connection’s former number is not sent (ERR_NUMBER_CHANGED)', async () => {
  const { db } = app.ctx
  const connectWithNumber = (number: string) =>
    setConnectionState(app.ctx, { id: conversation.connectionId }, { status: 'CONNECTED', number })
  await db.updateTable('connection').set({ number: null }).where('id', '=', conversation.connectionId).execute()
  const first = await waiting('before it had any')
  await connectWithNumber('5511900000011')
  await sends(
    conversation.connectionId,
    outbox(async () => undefined),
  )
  expect(await stateOf(first)).toBe('taken')
  const [old, tried] = [await waiting('by the old number'), await waiting('perhaps by the old number')]
  await db.updateTable('outbox').set({ attempts: 1 }).where('messageId', '=', tried).execute()
  const { n: _, ...asked } = await db.selectFrom('outbox').selectAll().where('messageId', '=', old).executeTakeFirstOrThrow()
  await db
    .insertInto('outbox')
    .values({ ...asked, kind: 'remove', partIds: null, cause: null, revision: asked.revision + 1000 })
    .execute()
  await connectWithNumber('5511900000022')
  const since = await waiting('by the new number')
  await connectWithNumber('5511900000022') // the same number changes nothing
  const sent: string[] = []
  const removed: string[] = []
  const deps = outbox(async ({ body }) => void sent.push(body))
  const channel: Channel = { ...deps.channel('sandbox')!, remove: async (_, id) => void removed.push(id) }
  await sends(conversation.connectionId, { ...deps, channel: () => channel })
  expect([sent, removed]).toEqual([['by the new number'], []])
  expect(await Promise.all([old, tried, since].map(stateOf))).toEqual(['failed', 'uncertain', 'taken'])
  await app.settled()
  const shown = await db.selectFrom('message').select(['failed', 'uncertain']).where('id', 'in', [old, tried]).orderBy('id').execute()
  expect(shown).toEqual([
    { failed: 'ERR_NUMBER_CHANGED', uncertain: false },
    { failed: null, uncertain: true },
  ])
})

it('messages of a deleted connection fail or become uncertain, also after an unreadable one', async () => {
  const [odd, messageId, begun] = [await waiting('presa'), await waiting('órfã'), await waiting('talvez saiu')]
  const outbox = app.ctx.db.updateTable('outbox')
  await outbox.set({ connectionId: 999_999 }).where('messageId', 'in', [odd, messageId, begun]).execute()
  await outbox.set({ attempts: 1 }).where('messageId', '=', begun).execute()
  const execute: Deps['execute'] = (id, command, ...rest) => {
    if ('messageId' in command && command.messageId === odd) throw new Error('its history cannot be read')
    return app.ctx.execute(id, command, ...rest)
  }
  await failAbandoned({ ...app.ctx, execute })
  expect(await Promise.all([odd, messageId, begun].map(stateOf))).toEqual(['waiting', 'failed', 'uncertain'])
  const failed = () => app.db.selectFrom('message').select('failed').where('id', '=', messageId).executeTakeFirstOrThrow()
  await eventually(failed, (row) => row.failed === 'ERR_WAPP_NOT_INITIALIZED')
})
