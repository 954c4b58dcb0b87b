import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openClock } from '#app/scheduler/clock.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'
import { customerOf } from './customer.ts'

let app: TestApp
let minutes = 0
beforeAll(async () => {
  app = await startTestApp({ clock: openClock(() => minutes * 60_000) })
  const { companies, queues, users, connections } = app.company
  await app.socket('carla')
  const there = () => app.db.selectFrom('userPresence').select('online').where('id', '=', users.carla).executeTakeFirst()
  await eventually(there, (row) => row?.online === true)
  await app.db.updateTable('connection').set({ greetingMessage: 'Olá!' }).where('id', '=', connections.loja).execute()
  const none = {
    closeTicket: false,
    chatBotId: null,
    optQueueId: null,
    optIntegrationId: null,
    optFileId: null,
    greetingMessage: 'Já vem.',
  }
  const row = { ...none, companyId: companies.casa, queueId: queues.vendas }
  await app.db
    .insertInto('menuOption')
    .values([
      { ...row, position: 0, name: 'Falar com Carla', queueType: 'attendent', optUserId: users.carla },
      { ...row, position: 1, name: 'Outra coisa', queueType: 'text', optUserId: null },
    ])
    .execute()
})
afterAll(() => app?.stop())

it('an agent of an option who does not serve the queue is ignored (A-BOT-03, A-VIS-01)', async () => {
  const { companies, queues, users, connections } = app.company
  const { db } = app
  const asksForCarla = async () => {
    const one = customerOf(app, connections.loja)
    for (const body of ['oi', 'vendas', 'falar com carla']) await one.says(body)
    return one
  }
  const waiting = async (who: 'ana' | 'carla') => {
    const { body } = await app.as(who)('GET', '/tickets?status=pending')
    return body.tickets.map(({ id }: { id: number }) => id)
  }
  const one = await asksForCarla()
  const { id, ...row } = await one.ticket()
  expect(row).toMatchObject({ status: 'pending', isBot: false, queueId: queues.vendas, userId: null })
  expect([await waiting('ana'), await waiting('carla')]).toEqual([[id], []])

  const serves = { companyId: companies.casa, userId: users.carla, queueId: queues.vendas }
  await db.insertInto('userQueue').values(serves).execute()
  const other = await asksForCarla()
  expect(await other.ticket()).toMatchObject({ userId: users.carla })
  await db.deleteFrom('userQueue').where('userId', '=', users.carla).where('queueId', '=', queues.vendas).execute()
  minutes += 6
  await sql`select pg_notify('clock_moved', '0')`.execute(db)
  await expect.poll(async () => (await other.ticket()).userId).toBe(null) // no turn would have ended it
  const { id: gone } = await other.ticket()
  const { steps } = (await app.as('ana')('GET', `/tickets/${gone}/automation`)).body
  expect(steps.at(-1)).toMatchObject({ rule: 'A-ROT-01', reason: 'unavailable' })
  expect((await app.as('ana')('GET', `/tickets-log/${gone}`)).body.at(-1)).toMatchObject({
    type: 'pending',
    user: null,
    rule: 'A-ROT-01',
  })
})

it('a message caused by an agent’s action is recorded with its rule (A-TICKET-03, A-TICKET-07)', async () => {
  const { connections, queues } = app.company
  await app.db.deleteFrom('menuOption').execute()
  await app.set('greetingAcceptedMessage', 'Sou da loja.')
  await app.set('sendGreetingAccepted', 'enabled')
  await app.db.updateTable('connection').set({ complationMessage: 'Até logo!' }).where('id', '=', connections.balcao).execute()
  const one = customerOf(app, connections.balcao)
  await one.says('oi')
  const { id } = await one.ticket()
  const admin = app.as('admin')
  await admin('PUT', `/tickets/${id}`, { status: 'open', userId: app.company.users.admin, queueId: queues.vendas })
  await app.settled()
  await admin('PUT', `/tickets/${id}`, { status: 'closed' })
  minutes += 1
  await sql`select pg_notify('clock_moved', '0')`.execute(app.db)
  await expect.poll(one.heard).toEqual(['Sou da loja.', 'Até logo!'])
  const { steps, next } = (await admin('GET', `/tickets/${id}/automation`)).body
  expect(steps.map(({ rule, reason, said }: any) => [rule, reason, said.map(({ body }: any) => body)])).toEqual([
    ['A-TICKET-03', 'greetingAccepted', ['Sou da loja.']],
    ['A-TICKET-07', 'farewell', ['Até logo!']],
  ])
  expect(next).toEqual([])
})
