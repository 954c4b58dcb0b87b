import { afterAll, beforeAll, expect, it } from 'vitest'
import { openClock } from '#app/scheduler/clock.ts'
import type { TestApp } from '#tests/support/server.ts'
import type { Double } from '#tests/support/whatsapp/double.ts'
import { becomes, codeOf, installationAtDouble } from '#tests/support/whatsapp/linked.ts'
import type { Contact } from '#tests/support/whatsapp/world.ts'

const soon = <T>(look: () => T) => expect.poll(look)
let double: Double
let app: TestApp
let ahead = 0
beforeAll(async () => {
  ;({ house: app, double } = await installationAtDouble({ clock: openClock(() => ahead) }))
})
afterAll(async () => {
  await app?.stop()
  await double?.stop()
})

const day = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * day).toISOString()
const historyMessage = ({ jid }: Contact, text: string, days: number) => ({
  message: {
    ...{ key: { remoteJid: jid, id: text, fromMe: false }, message: { conversation: text } },
    messageTimestamp: Math.floor(Date.parse(daysAgo(days)) / 1000),
  },
})

/** Links a number whose phone has history of two customers, and waits for the import. */
async function imports(digits: string, settings: object) {
  const [ada, bia] = ['Ada', 'Bia'].map((name, i) => double.addContact({ pn: `${digits}${i + 1}`, name: `${name} ${digits}` })) as [
    Contact,
    Contact,
  ]
  const phone = double.addPhone({ pn: `${digits}0`, name: 'Caixa' })
  const chat = (who: Contact, ...messages: ReturnType<typeof historyMessage>[]) => ({
    id: who.jid,
    name: who.name,
    lidJid: who.lidJid,
    messages,
  })
  phone.history.conversations = [
    chat(
      ada,
      historyMessage(ada, `${digits} ontem`, 1),
      historyMessage(ada, `${digits} na semana passada`, 8),
      historyMessage(ada, `${digits} há meses`, 90),
    ),
    chat(bia, historyMessage(bia, `${digits} anteontem`, 2)),
  ]
  const { vendas } = app.company.queues
  const made = await app.as('admin')('POST', '/whatsapp', {
    ...{ name: `Caixa ${digits}`, channel: 'whatsapp', enableImportMessage: true, queueIdImportMessages: vendas },
    ...{ importOldMessages: daysAgo(30), ...settings },
  })
  expect(made).toMatchObject({ status: 200 })
  const { id } = made.body
  const row = () => app.db.selectFrom('connection').select(['statusImportMessages', 'importDone', 'importAll']).where('id', '=', id)
  await phone.scan(await codeOf(app, id))
  await becomes(app, id, 'CONNECTED')
  await soon(async () => Date.parse((await row().executeTakeFirstOrThrow()).statusImportMessages ?? '')).toBeGreaterThan(0)
  const gathered = await app.db.selectFrom('importMessage').select('externalId').where('connectionId', '=', id).orderBy('at').execute()
  ahead += 35_000
  await soon(async () => (await row().executeTakeFirstOrThrow()).statusImportMessages ?? 'over').not.toMatch(/^\d|Running/)
  await app.settled()
  const messages = app.db
    .selectFrom('message')
    .innerJoin('ticket', 'ticket.id', 'message.ticketId')
    .select(['message.body', 'ticket.status', 'ticket.queueId', 'ticket.unreadMessages'])
    .where('ticket.whatsappId', '=', id)
    .orderBy('message.createdAt')
  return { id, ada, phone, gathered: gathered.map(({ externalId }) => externalId), messages: () => messages.execute(), row }
}

it('messages after the last wanted day are not imported (A-IMP-04)', async () => {
  const { gathered, messages } = await imports('551190000012', { importRecentMessages: daysAgo(4) })
  expect(gathered).toEqual(['551190000012 na semana passada'])
  expect((await messages()).map(({ body, status }) => [body, status])).toEqual([['551190000012 na semana passada', 'pending']])
})

it('imported tickets can stay closed, and a new message opens another ticket (A-IMP-05)', async () => {
  const { ada, phone, messages, row } = await imports('551190000013', { closedTicketsPostImported: true })
  const lines = await messages()
  expect(lines.map(({ body }) => body.split(' ').slice(1).join(' '))).toEqual(['na semana passada', 'anteontem', 'ontem'])
  expect(lines.map(({ status, unreadMessages }) => [status, unreadMessages])).toEqual(Array.from({ length: 3 }, () => ['closed', 0]))
  expect((await row().executeTakeFirstOrThrow()).statusImportMessages).toBe(null)
  expect(ada.received).toEqual([])
  await ada.says(phone, 'voltei')
  await soon(async () => (await messages()).map(({ body, status }) => [body.split(' ').at(-1), status])).toEqual([
    ['passada', 'closed'],
    ['anteontem', 'closed'],
    ['ontem', 'closed'],
    ['voltei', 'pending'],
  ])
})
