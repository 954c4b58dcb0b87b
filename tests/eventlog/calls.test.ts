import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EventStoreDouble, eventStoreDouble } from '#tests/kit/eventstore.ts'
import { type Answer, startHouse, type TestHouse } from '#tests/kit/server.ts'

/* What an act costs the log of production: each call to it is a way to another machine and back. */
let double: EventStoreDouble
let house: TestHouse
let ticket: { id: number; uuid: string }
let messageId: number
beforeAll(async () => {
  double = await eventStoreDouble()
  house = await startHouse({ settings: { eventstoreUrl: double.url } })
  await house.phone.says('5511944440001', 'bom dia')
  await house.settled()
  ticket = (await house.as('admin')('GET', '/tickets?status=search&searchParam=0001')).body.tickets[0]
}, 60_000)
afterAll(async () => {
  await house?.stop()
  await double?.kill()
}, 30_000)

/** Calls to the log until nothing of this is left to do, as [appends, reads of a stream, questions for the head]. */
async function asked(act: () => Promise<unknown>): Promise<number[]> {
  await house.settled()
  const { append, read, head } = double.calls
  await act()
  const heads = double.calls.head - head // settling asks for the head too
  await house.settled()
  return [double.calls.append - append, double.calls.read - read, heads]
}

const ana = (method: string, path: string, body?: unknown) => house.as('ana')(method, path, body)
const admin = (method: string, path: string, body?: unknown) => house.as('admin')(method, path, body)
const change = (who: typeof ana, body: object) => who('PUT', `/tickets/${ticket.id}`, body)

it('is one append and no read for an agent’s act on a ticket that is known, and for a message that nothing reacts to', async () => {
  const { queues, users } = house.company
  const acts: Record<string, () => Promise<Answer | string>> = {
    'an inbound message': () => house.phone.says('5511944440001', 'tudo bem?'),
    accept: () => change(ana, { status: 'open', queueId: queues.suporte }),
    'a note of the thread': () => ana('POST', `/messages/${ticket.id}`, { body: 'conferir o pedido', isPrivate: true }),
    'an answer to it': () => house.phone.says('5511944440001', 'alô?'),
    open: () => admin('GET', `/tickets/u/${ticket.uuid}`),
    transfer: () => change(ana, { isTransfered: true, queueId: queues.suporte, userId: users.bruno }),
    return: () => change((...ask) => house.as('bruno')(...ask), { status: 'pending' }),
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
}, 60_000)

it('is one append for what an agent sends, and three for its way to the customer, each proven before it, as is that theirs was read', async () => {
  await change(admin, { status: 'open', queueId: house.company.queues.suporte })
  const sent = await asked(async () => {
    const { body } = await admin('POST', `/messages/${ticket.id}`, { body: 'Segue o pedido' })
    messageId = body.messages[0].id
  })
  expect(sent).toEqual([4, 5, 0])
  expect(await asked(() => admin('GET', `/messages/${ticket.id}`))).toEqual([0, 0, 0])
  expect(await asked(() => admin('POST', `/messages/${messageId}/reactions`, { type: '👍' }))).toEqual([1, 2, 0])
})
