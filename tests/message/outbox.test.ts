import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Channel, Outgoing } from '#app/channels/channel.ts'
import { externalIdFrom } from '#app/message/external-id.ts'
import { type Deps, deliver } from '#app/message/outbox.ts'
import { eventually } from '#tests/kit/processes.ts'
import { startHouse, type TestHouse } from '#tests/kit/server.ts'

let house: TestHouse
let ticket: { id: number; contactId: number; whatsappId: number }
let conversation: { connectionId: number; contactId: number }
beforeAll(async () => {
  house = await startHouse({ roles: ['web', 'projector'] })
  const { connections, contacts, queues } = house.company
  const opened = await house.as('bruno')('POST', '/tickets', {
    contactId: contacts.maria,
    whatsappId: connections.balcao,
    queueId: queues.vendas,
  })
  ticket = opened.body
  conversation = { connectionId: ticket.whatsappId, contactId: ticket.contactId }
})
afterAll(async () => {
  await house?.house.db.updateTable('outbox').set({ state: 'taken' }).execute()
  await house?.stop({ faultsExpected: true })
})

/** A message that waits to leave, as the reaction to it leaves it. */
async function waiting(body: string): Promise<number> {
  const { messages } = (await house.as('bruno')('POST', `/messages/${ticket.id}`, { body })).body
  const { id: messageId, revision, companyId } = messages[0]
  await house.house.db
    .insertInto('outbox')
    .values({ messageId, externalId: externalIdFrom(String(messageId)), companyId, ticketId: ticket.id, revision, ...conversation })
    .execute()
  return messageId
}
const stateOf = async (messageId: number) =>
  (await house.house.db.selectFrom('outbox').select('state').where('messageId', '=', messageId).executeTakeFirstOrThrow()).state

function outbox(send: (content: Outgoing) => Promise<void>, sameIdIsSafe = true): Deps {
  const nothing = async () => undefined
  const channel: Channel = {
    sameIdIsSafe,
    send: (_, __, content) => send(content).then(() => null),
    react: nothing,
    remove: nothing,
    edit: nothing,
    read: nothing,
  }
  return { ...house.house, later: nothing, channel: () => channel }
}

it('sends the words as they were edited while the message waited', async () => {
  const messageId = await waiting('befor')
  expect((await house.as('bruno')('PUT', `/messages/${messageId}`, { body: 'before' })).status).toBe(200)
  const sent: string[] = []
  await deliver.run(
    conversation,
    outbox(async ({ body }) => void sent.push(body)),
  )
  expect(sent).toEqual(['before'])
})

it('never sends again what a crashed process may have sent, where the channel would double it', async () => {
  const messageId = await waiting('once')
  await house.house.db.updateTable('outbox').set({ attempts: 1 }).where('messageId', '=', messageId).execute()
  const sent: string[] = []
  await deliver.run(
    conversation,
    outbox(async ({ body }) => void sent.push(body), false),
  )
  expect(sent).toEqual([])
  expect(await stateOf(messageId)).toBe('uncertain')
})

it('lets one holder of a conversation send, also when its lock was lost to another', async () => {
  const messageId = await waiting('alone')
  const sent: string[] = []
  const deps = outbox(async ({ body }) => void sent.push(body))
  const overtaken: Deps = {
    ...deps,
    async ask(...command) {
      const said = await deps.ask(...command)
      if (command[1].type === 'Dispatch')
        await house.house.db.updateTable('outbox').set({ attempts: 1 }).where('messageId', '=', messageId).execute()
      return said
    },
  }
  await deliver.run(conversation, overtaken)
  expect(sent).toEqual([])
  await deliver.run(conversation, deps)
  expect(sent).toEqual(['alone'])
})

it('keeps a slow conversation from taking the places of all others', async () => {
  await waiting('slow')
  let answer = () => {}
  let asked = false
  const slow = outbox(() => {
    asked = true
    return new Promise((resolve) => {
      answer = resolve
    })
  })
  const first = deliver.run(conversation, slow)
  await eventually(async () => asked, Boolean)
  const rest = Array.from({ length: 10 }, () => deliver.run(conversation, slow).then(() => 'over'))
  const over = async (one: Promise<unknown>) => (await Promise.race([one, new Promise((resolve) => setTimeout(resolve, 100))])) === 'over'
  expect((await Promise.all(rest.map(over))).filter(Boolean)).toHaveLength(9)
  answer()
  await Promise.all([first, ...rest])
})
