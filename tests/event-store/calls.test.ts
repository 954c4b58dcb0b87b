import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EventStoreDouble, eventStoreDouble } from '#tests/support/eventstore.ts'
import { type Answer, startTestApp, type TestApp } from '#tests/support/server.ts'

/* The cost of an action in calls to the event store; each call is a network round trip. */
let double: EventStoreDouble
let app: TestApp
let ticket: { id: number; uuid: string }
let messageId: number
beforeAll(async () => {
  double = await eventStoreDouble()
  app = await startTestApp({ config: { eventstoreUrl: double.url } })
  await app.phone.says('5511944440001', 'bom dia')
  await app.settled()
  ticket = (await app.as('admin')('GET', '/tickets?status=search&searchParam=0001')).body.tickets[0]
})
afterAll(async () => {
  await app?.stop()
  await double?.kill()
})

/** Calls to the event store until nothing is left to do, as [appends, reads of a stream, reads of the head]. */
async function asked(act: () => Promise<unknown>): Promise<number[]> {
  await app.settled()
  const { append, read, head } = double.calls
  await act()
  const heads = double.calls.head - head // `settled` reads the head too
  await app.settled()
  return [double.calls.append - append, double.calls.read - read, heads]
}

const ana = (method: string, path: string, body?: unknown) => app.as('ana')(method, path, body)
const admin = (method: string, path: string, body?: unknown) => app.as('admin')(method, path, body)
const change = (who: typeof ana, body: object) => who('PUT', `/tickets/${ticket.id}`, body)

it('an agent’s action on a cached ticket needs one append and no read', async () => {
  const { queues, users } = app.company
  const acts: Record<string, () => Promise<Answer | string>> = {
    'an inbound message': () => app.phone.says('5511944440001', 'tudo bem?'),
    accept: () => change(ana, { status: 'open', queueId: queues.suporte }),
    'a note of the thread': () => ana('POST', `/messages/${ticket.id}`, { body: 'conferir o pedido', isPrivate: true }),
    'an answer to it': () => app.phone.says('5511944440001', 'alô?'),
    open: () => admin('GET', `/tickets/u/${ticket.uuid}`),
    transfer: () => change(ana, { isTransfered: true, queueId: queues.suporte, userId: users.bruno }),
    return: () => change((...ask) => app.as('bruno')(...ask), { status: 'pending' }),
    'accept again': () => change(admin, { status: 'open', queueId: queues.suporte }),
    close: () => change(admin, { status: 'closed' }),
  }
  const cost: Record<string, number[]> = {}
  for (const [name, act] of Object.entries(acts))
    cost[name] = await asked(async () => {
      const answer = await act()
      if (typeof answer === 'object') expect([name, answer.status]).toEqual([name, 200])
    })
  expect(cost).toEqual(Object.fromEntries(Object.keys(acts).map((name) => [name, [1, 0, 0]])))
})

it('sending a message needs one append, and three more with reads until it is delivered', async () => {
  await change(admin, { status: 'open', queueId: app.company.queues.suporte })
  const sent = await asked(async () => {
    const { body } = await admin('POST', `/messages/${ticket.id}`, { body: 'Segue o pedido' })
    messageId = body.messages[0].id
  })
  expect(sent).toEqual([4, 5, 0])
  expect(await asked(() => admin('GET', `/messages/${ticket.id}`))).toEqual([0, 0, 0])
  expect(await asked(() => admin('POST', `/messages/${messageId}/reactions`, { type: '👍' }))).toEqual([1, 2, 0])
})

it('any action on a cached ticket needs one append and no read, and an undo one read', async () => {
  const still = await eventStoreDouble()
  const quiet = await startTestApp({ config: { eventstoreUrl: still.url }, roles: ['web', 'projector'] })
  try {
    const { contacts, connections, queues } = quiet.company
    const made = async (path: string, body: object, method = 'POST') => {
      const { status, body: answer } = await quiet.as('ana')(method, path, body)
      expect([path, status]).toEqual([path, 200])
      return answer
    }
    const { id } = await made('/tickets', { contactId: contacts.maria, whatsappId: connections.balcao, queueId: queues.vendas })
    const said = (await made(`/messages/${id}`, { body: 'Bom dia' })).messages[0].id
    const note = await made('/ticket-notes', { ticketId: id, note: 'Pediu boleto' })
    const acts: Record<string, () => Promise<Answer>> = {
      send: () => quiet.as('ana')('POST', `/messages/${id}`, { body: 'Segue' }),
      react: () => quiet.as('ana')('POST', `/messages/${said}/reactions`, { type: '👍' }),
      edit: () => quiet.as('ana')('PUT', `/messages/${said}`, { body: 'Boa tarde' }),
      remove: () => quiet.as('ana')('DELETE', `/messages/${said}`),
      note: () => quiet.as('ana')('POST', '/ticket-notes', { ticketId: id, note: 'Pagou' }),
      'note removed': () => quiet.as('ana')('DELETE', `/ticket-notes/${note.id}`),
      close: () => quiet.as('ana')('PUT', `/tickets/${id}`, { status: 'closed' }),
      undo: () => quiet.as('ana')('POST', `/tickets/${id}/undo`, {}),
    }
    const cost: Record<string, number[]> = {}
    for (const [name, act] of Object.entries(acts)) {
      await quiet.settled()
      const { append, read, head } = still.calls
      const { status } = await act()
      expect([name, status < 300]).toEqual([name, true])
      cost[name] = [still.calls.append - append, still.calls.read - read, still.calls.head - head]
    }
    /* An undo reads the newest state, because another process may have acted since. */
    expect(cost).toEqual({ ...Object.fromEntries(Object.keys(acts).map((name) => [name, [1, 0, 0]])), undo: [1, 1, 0] })
  } finally {
    await quiet.stop()
    await still.kill()
  }
})
