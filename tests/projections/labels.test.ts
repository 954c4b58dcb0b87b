import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '#projections/database.ts'
import { messagesById } from '#projections/message/read.ts'
import { migrate } from '#projections/migrate.ts'
import { openStore } from '#projections/postgres.ts'
import { ticketsById } from '#projections/ticket/read.ts'
import { type Company, furnish } from '#tests/kit/company.ts'
import { freshDatabase } from '#tests/kit/postgres.ts'

/* Names and colours are held by each process: a change in one of them is in the next row that another reads. */
let database: Awaited<ReturnType<typeof freshDatabase>>
let here: Kysely<Database>
let there: Kysely<Database>
let company: Company
const ours = 1
const theirs = 2

beforeAll(async () => {
  database = await freshDatabase()
  here = openStore(database.url, 2).db
  there = openStore(database.url, 2).db
  await migrate(here)
  company = await furnish(here)
  const { companies, connections, contacts, queues, users } = company
  const at = '2026-01-05T12:00:00.000Z'
  const rest = {
    status: 'open',
    channel: 'whatsapp',
    isGroup: false,
    isBot: false,
    lastMessage: '',
    lastMessageFromMe: false,
    unreadMessages: 0,
    isTransfered: false,
    useIntegration: false,
    revision: 3,
    createdAt: at,
    updatedAt: at,
    openedAt: at,
    closedAt: null,
  } as const
  const ticket = (id: number, companyId: number, contactId: number, whatsappId: number, queueId: number, userId: number) => ({
    id,
    uuid: crypto.randomUUID(),
    companyId,
    contactId,
    whatsappId,
    queueId,
    userId,
    ...rest,
  })
  await here
    .insertInto('ticket')
    .values([
      ticket(ours, companies.casa, contacts.maria, connections.loja, queues.vendas, users.ana),
      ticket(theirs, companies.vizinha, contacts.deles, connections.deles, queues.deles, users.rita),
    ])
    .execute()
  const said = { body: 'oi', words: 'oi', mediaType: 'chat', isForwarded: false, isPrivate: false, isEdited: false, failed: null }
  const marks = { uncertain: false, ack: 0, senderName: null, deletedBy: null, media: null, vCard: null, quotedId: null, reactions: '[]' }
  await here
    .insertInto('message')
    .values({
      id: 9,
      companyId: companies.casa,
      ticketId: ours,
      queueId: queues.vendas,
      fromMe: true,
      userId: users.ana,
      revision: 3,
      createdAt: at,
      ...said,
      ...marks,
    } as never)
    .execute()
  await here.deleteFrom('contactTag').execute()
})
afterAll(async () => {
  await Promise.all([here.destroy(), there.destroy()])
  await database.drop()
})

async function shown(db: Kysely<Database>) {
  const [[ticket], [message]] = await Promise.all([ticketsById(db, [ours]), messagesById(db, [9], () => '')])
  const { whatsapp, queue, user, tags } = ticket!
  return { whatsapp, queue, user, tags, author: message!.user?.name }
}

it('shows a new name and colour in every process at once, of whatever a row shows', async () => {
  const { connections, queues, users, tags, contacts, companies } = company
  for (const db of [here, there])
    expect(await shown(db)).toMatchObject({ queue: { name: 'Vendas' }, user: { name: 'ana' }, tags: [], author: 'ana' })
  await here.updateTable('queue').set({ name: 'Compras', color: '#123456' }).where('id', '=', queues.vendas).execute()
  await here.updateTable('user').set({ name: 'Ana Souza' }).where('id', '=', users.ana).execute()
  await here.updateTable('connection').set({ name: 'Loja nova', groupAsTicket: 'enabled' }).where('id', '=', connections.loja).execute()
  await here.insertInto('contactTag').values({ companyId: companies.casa, contactId: contacts.maria, tagId: tags.vip }).execute()
  await here.updateTable('tag').set({ color: '#654321' }).where('id', '=', tags.vip).execute()
  for (const db of [here, there])
    expect(await shown(db)).toMatchObject({
      queue: { id: queues.vendas, name: 'Compras', color: '#123456' },
      user: { id: users.ana, name: 'Ana Souza' },
      whatsapp: { id: connections.loja, name: 'Loja nova', groupAsTicket: 'enabled' },
      tags: [{ id: tags.vip, color: '#654321' }],
      author: 'Ana Souza',
    })
})

it('shows what came since, and no longer what is gone', async () => {
  const { companies, users } = company
  const fresh = { companyId: companies.casa, name: 'Nova', color: '#0000ff', greetingMessage: null, orderQueue: null }
  const { id } = await there.insertInto('queue').values(fresh).returning('id').executeTakeFirstOrThrow()
  await there.updateTable('ticket').set({ queueId: id }).where('id', '=', ours).execute()
  for (const db of [here, there]) expect(await shown(db)).toMatchObject({ queue: { id, name: 'Nova' } })
  await there.deleteFrom('queue').where('id', '=', id).execute()
  await there.deleteFrom('user').where('id', '=', users.ana).execute()
  for (const db of [here, there]) expect(await shown(db)).toMatchObject({ queue: null, user: null, author: undefined })
})

it('reads the tickets of two companies at once, each with its own', async () => {
  const rows = await ticketsById(here, [ours, theirs])
  expect(Object.fromEntries(rows.map(({ id, queue, user }) => [id, [queue?.name, user?.name]]))).toEqual({
    [ours]: [undefined, undefined],
    [theirs]: ['Deles', 'rita'],
  })
})
