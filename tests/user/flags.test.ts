import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Flag } from '#domain/access.ts'
import { flags } from '#domain/access.ts'
import { published } from '#domain/user/rules.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* Every permission of document 1, section 6, with one call that is refused without it. An admin may do everything. */
let app: TestApp
let made = 0
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

type Asked = [method: string, path: string, body?: object]
const contact = async () =>
  (await app.as('admin')('POST', '/contacts', { name: 'Cliente', number: `551195${String(5_000_000 + ++made)}` })).body.id as number
async function ticket(more: object = {}, who: 'admin' | 'bruno' = 'admin') {
  const body = { contactId: await contact(), queueId: app.company.queues.vendas, status: 'pending', ...more }
  return (await app.as(who)('POST', '/tickets', body)).body as { id: number; uuid: string }
}
async function written(more: object): Promise<{ uuid: string }> {
  const number = `551194${String(5_000_000 + ++made)}`
  await app.phone.says(number, 'Olá', { connection: app.company.connections.loja, ...more })
  await app.settled()
  const name = 'group' in more ? 'Grupo' : number
  const { body } = await app.as('admin')('GET', `/tickets?status=search&searchParam=${name}&showAll=true`)
  return body.tickets[0]
}

/** Whether the server allows an action that needs the permission. */
type Lets = (who: 'ana' | 'admin') => Promise<boolean>
const takes =
  ([method, path, body]: Asked): Lets =>
  async (who) =>
    ![403, 404].includes((await app.as(who)(method, path, body)).status)
const asks: Record<Flag, () => Promise<Lets>> = {
  allTicket: async () => takes(['GET', `/tickets/u/${(await written({})).uuid}`]), // without a queue, because its connection has two
  allowGroup: async () => {
    const group = { id: '120363000000000777@g.us', name: 'Grupo' }
    return takes(['GET', `/tickets/u/${(await written({ group, connection: app.company.connections.balcao })).uuid}`])
  },
  /** This permission refuses nothing; it adds earlier messages of other queues to the conversation. */
  allHistoric: async () => {
    const { suporte, vendas } = app.company.queues
    const contactId = await contact()
    const before = await ticket({ contactId, queueId: suporte, status: 'open' })
    await app.as('admin')('POST', `/messages/${before.id}`, { body: 'Dito no suporte' })
    await app.as('admin')('PUT', `/tickets/${before.id}`, { status: 'closed', sendFarewellMessage: false })
    const { id } = await ticket({ contactId, queueId: vendas })
    await app.settled()
    return async (who) => {
      const { messages } = (await app.as(who)('GET', `/messages/${id}`)).body
      return messages.some((message: { body: string }) => message.body.includes('Dito no suporte'))
    }
  },
  allUserChat: async () => takes(['GET', `/tickets/u/${(await ticket({ status: 'open' }, 'bruno')).uuid}`]),
  userClosePendingTicket: async () =>
    takes(['PUT', `/tickets/${(await ticket()).id}`, { status: 'closed', sendFarewellMessage: false, amountUsedBotQueues: 0 }]),
  showDashboard: async () => takes(['PUT', `/tickets/${(await ticket()).id}`, { status: 'closed' }]),
  allowRealTime: async () => takes(['GET', '/usersMoments']),
  allowConnections: async () => takes(['POST', '/whatsapp', {}]),
  allowAudit: async () => takes(['GET', '/audit']),
}
const grant = (name: Flag, is: boolean) =>
  app.as('admin')('PUT', `/users/${app.company.users.ana}`, { [name]: published(is ? { [name]: true } : {})[name] })

it('every permission of the form has a call that requires it', () => expect(Object.keys(asks).sort()).toEqual([...flags].sort()))
describe.each(Object.keys(asks) as (keyof typeof asks)[])('the permission %s (R-PERM-03 to 05, R-VIS-02 to 05)', (name) => {
  it('is checked by the server at once when given or removed, and never for an admin', async () => {
    let lets = await asks[name]()
    expect(await lets('ana')).toBe(false)
    expect((await grant(name, true)).status).toBe(200)
    await expect.poll(() => lets('ana')).toBe(true) // each process is notified
    await grant(name, false)
    const taken = async () => {
      lets = await asks[name]()
      return !(await lets('ana'))
    }
    await expect.poll(taken).toBe(true)
    expect(await lets('admin')).toBe(true)
  })
})
