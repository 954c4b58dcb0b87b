import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordInbound } from '#app/inbound/inbound-journal.ts'
import { expiredCompanies } from '#app/plan/expired.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

/* Tickets that waited: before their queue used rotation, or while the company's subscription was over. */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await app.socket('ana')
  await app.socket('rita')
})
afterAll(() => app.stop())

const ticketOf = async (number: string) => {
  await app.settled()
  return app.db
    .selectFrom('ticket')
    .innerJoin('contact', 'contact.id', 'ticket.contactId')
    .select(['ticket.id', 'ticket.status', 'ticket.userId', 'ticket.unreadMessages'])
    .where('contact.number', '=', number)
    .executeTakeFirstOrThrow()
}
const setRotation = (queueId: number, is: boolean) =>
  app.db.updateTable('queue').set({ ativarRoteador: is, tempoRoteador: 5 }).where('id', '=', queueId).execute()

it('a waiting ticket is assigned once its queue turns on rotation (A-ROT-01)', async () => {
  const number = '5511960000101'
  await app.phone.says(number, 'Bom dia')
  expect(await ticketOf(number)).toMatchObject({ status: 'pending', userId: null })
  await setRotation(app.company.queues.vendas, true)
  await eventually(
    () => ticketOf(number),
    ({ userId }) => userId === app.company.users.ana,
  )
})

it('a message in an expired subscription is stored, and handled once it is paid (A-AUTH-06)', async () => {
  const { vizinha } = app.company.companies
  const { deles } = app.company.connections
  const due = (dueDate: string | null) => app.db.updateTable('company').set({ dueDate }).where('id', '=', vizinha).execute()
  await app.db.updateTable('connection').set({ greetingMessage: 'Olá!' }).where('id', '=', deles).execute()
  await setRotation(app.company.queues.deles, true)
  await due('2026-01-01')
  await eventually(
    () => expiredCompanies(app.ctx),
    (ids) => ids.has(vizinha),
  )
  const number = '5511960000102'
  const said = async () => {
    const rows = await app.db.selectFrom('sandboxMessage').select('body').where('connectionId', '=', deles).execute()
    return rows.filter(({ body }) => body === 'Olá!').length
  }
  const before = await said()
  const inboundMessage = {
    ...{
      type: 'message' as const,
      externalId: 'while-over',
      from: [{ kind: 'phone' as const, id: number }],
      name: 'Nina',
      group: null,
      kind: 'chat' as const,
    },
    ...{ body: 'Bom dia', media: null, vCard: null, quotedExternalId: null, at: new Date().toISOString() },
  }
  await recordInbound(app.db, [
    { companyId: vizinha, connectionId: deles, externalId: 'while-over', conversation: number, payload: inboundMessage },
  ])
  app.ctx.wakeWorker(deles)
  expect(await ticketOf(number)).toMatchObject({ status: 'pending', userId: null, unreadMessages: 1 })
  expect(await said()).toBe(before)
  await due(null)
  await eventually(
    () => expiredCompanies(app.ctx),
    (ids) => !ids.has(vizinha),
  )
  await eventually(
    () => ticketOf(number),
    ({ userId }) => userId === app.company.users.rita,
  )
})
