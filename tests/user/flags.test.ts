import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Flag, flags } from '#domain/access.ts'
import { published } from '#domain/user/rules.ts'
import { startHouse, type TestHouse } from '#tests/kit/server.ts'

/* Every permission of document 1, section 6, by the one call that says no without it. An admin may all of it. */
let house: TestHouse
let made = 0
beforeAll(async () => {
  house = await startHouse()
}, 30_000)
afterAll(() => house?.stop(), 30_000)

type Asked = [method: string, path: string, body?: object]
const contact = async () =>
  (await house.as('admin')('POST', '/contacts', { name: 'Cliente', number: `551195${String(5_000_000 + ++made)}` })).body.id as number
async function ticket(more: object = {}, who: 'admin' | 'bruno' = 'admin') {
  const body = { contactId: await contact(), queueId: house.company.queues.vendas, status: 'pending', ...more }
  return (await house.as(who)('POST', '/tickets', body)).body as { id: number; uuid: string }
}
async function written(more: object): Promise<{ uuid: string }> {
  const number = `551194${String(5_000_000 + ++made)}`
  await house.phone.says(number, 'Olá', { connection: house.company.connections.loja, ...more })
  await house.settled()
  const name = 'group' in more ? 'Grupo' : number
  const { body } = await house.as('admin')('GET', `/tickets?status=search&searchParam=${name}&showAll=true`)
  return body.tickets[0]
}

const asks: Record<Flag, (() => Promise<Asked>) | null> = {
  allTicket: async () => ['GET', `/tickets/u/${(await written({})).uuid}`], // in no queue, for its connection has two
  allowGroup: async () => [
    'GET',
    `/tickets/u/${(await written({ group: { id: '120363000000000777@g.us', name: 'Grupo' }, connection: house.company.connections.balcao })).uuid}`,
  ],
  allHistoric: null, // says no to nothing: it adds earlier tickets of other queues (tests/message)
  allUserChat: async () => ['GET', `/tickets/u/${(await ticket({ status: 'open' }, 'bruno')).uuid}`],
  userClosePendingTicket: async () => [
    'PUT',
    `/tickets/${(await ticket()).id}`,
    { status: 'closed', sendFarewellMessage: false, amountUsedBotQueues: 0 },
  ],
  showDashboard: async () => ['PUT', `/tickets/${(await ticket()).id}`, { status: 'closed' }],
  allowRealTime: null, // the panel it opens is not there yet
  allowConnections: async () => ['POST', '/whatsapp', {}],
  allowAudit: async () => ['GET', '/audit'],
}
const grant = (name: Flag, is: boolean) =>
  house.as('admin')('PUT', `/users/${house.company.users.ana}`, { [name]: published(is ? { [name]: true } : {})[name] })
const refused = async ([method, path, body]: Asked, who: 'ana' | 'admin') =>
  [403, 404].includes((await house.as(who)(method, path, body)).status)

describe.each(flags.filter((name) => asks[name] !== null))('%s', (name) => {
  it('is asked for by the server, at once when it is given and taken, and never of an admin', async () => {
    const asked = await asks[name]!()
    expect(await refused(asked, 'ana')).toBe(true)
    expect((await grant(name, true)).status).toBe(200)
    expect(await refused(asked, 'ana')).toBe(false)
    await grant(name, false)
    expect(await refused(await asks[name]!(), 'ana')).toBe(true)
    expect(await refused(await asks[name]!(), 'admin')).toBe(false)
  })
})
