import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { flags, type Viewer } from '#domain/access.ts'
import type { Database } from '#projections/database.ts'
import { messagesById } from '#projections/message/read.ts'
import { migrate } from '#projections/migrate.ts'
import { openStore } from '#projections/postgres.ts'
import { listTickets } from '#projections/ticket/read.ts'
import { ticketsById } from '#projections/ticket/rows.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { type Company, seedCompanies } from '#tests/support/seed-companies.ts'

/* Each process caches related rows, names and colors. A change in one process appears in the next row of another. */
let database: Awaited<ReturnType<typeof freshDatabase>>
let here: Kysely<Database>
let there: Kysely<Database>
let company: Company
let admin: Viewer
const ours = 1
const theirs = 2

beforeAll(async () => {
  database = await freshDatabase()
  here = openStore(database.url, 2).db
  there = openStore(database.url, 2).db
  await migrate(here)
  company = await seedCompanies(here)
  admin = {
    ...{
      id: company.users.admin,
      name: 'admin',
      companyId: company.companies.casa,
      profile: 'admin',
      super: false,
      plan: {},
      masked: false,
      timeZone: 'America/Sao_Paulo',
      phoneCountry: 'BR' as const,
      companyLanguage: 'pt-BR' as const,
    },
    ...{
      queueIds: [],
      retiredQueueIds: [],
      reportQueueIds: null,
      flags: Object.fromEntries(flags.map((name) => [name, true])) as Viewer['flags'],
    },
  }
  const { companies, connections, contacts, queues, users } = company
  const at = '2026-01-05T12:00:00.000Z'
  const rest = {
    status: 'open',
    channel: 'whatsapp',
    isGroup: false,
    isBot: false,
    lastMessage: '',
    lastMessageFromMe: false,
    lastMessageDeleted: false,
    lastMessageElsewhere: false,
    failedIds: JSON.stringify([]) as never,
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

/** The row as a list returns it and as it is returned by id. */
async function shown(db: Kysely<Database>) {
  const [{ tickets }, [ticket], [message]] = await Promise.all([
    listTickets(db, admin, { status: 'open', showAll: true }),
    ticketsById(db, [ours]),
    messagesById(db, [9], () => ''),
  ])
  expect(tickets).toEqual([ticket])
  const { whatsapp, queue, user, tags, contact, lastMessage } = ticket!
  return { whatsapp, queue, user, tags, contact, lastMessage, author: message!.user?.name }
}

it('a changed name or color appears in every process at once', async () => {
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

it('a new related row appears, and a deleted one disappears', async () => {
  const { companies, users } = company
  const fresh = { companyId: companies.casa, name: 'Nova', color: '#0000ff', greetingMessage: null, orderQueue: null }
  const { id } = await there.insertInto('queue').values(fresh).returning('id').executeTakeFirstOrThrow()
  await there.updateTable('ticket').set({ queueId: id, revision: 4 }).where('id', '=', ours).execute()
  for (const db of [here, there]) expect(await shown(db)).toMatchObject({ queue: { id, name: 'Nova' } })
  await there.deleteFrom('queue').where('id', '=', id).execute()
  await there.deleteFrom('user').where('id', '=', users.ana).execute()
  for (const db of [here, there]) expect(await shown(db)).toMatchObject({ queue: null, user: null, author: undefined })
})

it('changes of a ticket and its contact appear', async () => {
  const { contacts, companies, tags } = company
  const everywhere = async (what: object) => {
    for (const db of [here, there]) expect(await shown(db)).toMatchObject(what)
  }
  await here.updateTable('ticket').set({ lastMessage: 'tudo bem?', unreadMessages: 1, revision: 5 }).where('id', '=', ours).execute()
  await everywhere({ lastMessage: 'tudo bem?' })
  await there.updateTable('contact').set({ name: 'Maria Souza', version: 2 }).where('id', '=', contacts.maria).execute()
  await everywhere({ contact: { name: 'Maria Souza' } })
  await here.insertInto('contactTag').values({ companyId: companies.casa, contactId: contacts.maria, tagId: tags.novo }).execute()
  await everywhere({ tags: [{ name: 'VIP' }, { name: 'Novo' }] })
  await there.deleteFrom('contactTag').where('tagId', '=', tags.vip).execute()
  await everywhere({ tags: [{ name: 'Novo' }] })
  await here.updateTable('ticket').set({ status: 'closed', revision: 6 }).where('id', '=', ours).execute()
  for (const db of [here, there]) expect((await listTickets(db, admin, { status: 'open', showAll: true })).tickets).toEqual([])
})

it('tickets of two companies are read at once with their own rows', async () => {
  const rows = await ticketsById(here, [ours, theirs])
  expect(Object.fromEntries(rows.map(({ id, queue, user }) => [id, [queue?.name, user?.name]]))).toEqual({
    [ours]: [undefined, undefined],
    [theirs]: ['Deles', 'rita'],
  })
})
