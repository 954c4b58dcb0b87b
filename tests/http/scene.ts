import { makePasswordLink } from '#app/session/password-link.ts'
import { contactTable } from '#tests/support/contact-table.ts'
import { openMailbox } from '#tests/support/mailbox.ts'
import { type Person, people as persons } from '#tests/support/seed-companies.ts'
import type { TestApp } from '#tests/support/server.ts'

/** Records that calls need. Each is new and created through the calls themselves. */
export type Scene = Awaited<ReturnType<typeof openScene>>
export type Ticket = { id: number; uuid: string; contactId: number }

export async function openScene(app: TestApp) {
  const { as, company } = app
  let people = 0
  async function made(who: Person, method: string, path: string, body: object) {
    const answer = await as(who)(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const contact = (who: Person = 'admin'): Promise<{ id: number }> =>
    made(who, 'POST', '/contacts', { name: `Pessoa ${++people}`, number: `55119${String(40_000_000 + people)}` })
  async function ticket(who: Person, more: object = {}): Promise<Ticket> {
    const { id: contactId } = await contact(who)
    return made(who, 'POST', '/tickets', { contactId, queueId: who === 'rita' ? company.queues.deles : company.queues.vendas, ...more })
  }
  const message = async ({ id }: Ticket, who: Person = 'ana', more: object = {}): Promise<{ id: number }> =>
    (await made(who, 'POST', `/messages/${id}`, { body: 'Bom dia', ...more })).messages[0]

  async function superUser(): Promise<void> {
    await app.db.updateTable('user').set({ super: true }).where('id', '=', company.users.dulce).execute()
    app.ctx.viewerCache.forget()
  }
  const upload = (who: Person, number = `1198${4_000_000 + ++people}`): Promise<{ id: number }> =>
    made(who, 'POST', '/contacts/upload', contactTable(`nome,numero,email\nPessoa,${number},\n`))
  const served = () => ticket('ana')
  const theirList = () =>
    app.db
      .insertInto('fileList')
      .values({ companyId: company.companies.vizinha, userId: null, name: 'Deles', message: 'Deles' })
      .returning('id')
      .executeTakeFirstOrThrow()
  const theirTicket = await ticket('rita')
  const theirs = {
    ...{ ticket: theirTicket, message: await message(theirTicket, 'rita'), tag: company.tags.deles, queue: company.queues.deles },
    ...{ contact: company.contacts.deles, connection: company.connections.deles, user: company.users.rita, reply: company.replies.deles },
    fileList: await theirList(),
    note: (await made('rita', 'POST', '/ticket-notes', { ticketId: theirTicket.id, note: 'Deles' })) as { id: number },
  }
  return {
    ...{ ...company, house: app, made, contact, theirs, served, message },
    /** A bulk operation without any ticket. */
    work: (who: Person = 'admin'): Promise<{ id: number }> => made(who, 'POST', '/tickets/listed/close-work', { status: 'group' }),
    /** A person whom the phone of the default connection knows. */
    people: (source: 'book' | 'chats') =>
      made('admin', 'POST', `/sandbox/${company.connections.loja}/people`, {
        source,
        people: [{ name: 'Da Agenda', number: '5511985557171' }],
      }),
    /** An uploaded table of contacts. */
    upload: (who: Person = 'ana') => upload(who),
    /** A bulk operation that imports such a table, whose only row is ignored. */
    imported: async (who: Person = 'ana'): Promise<{ id: number }> =>
      made(who, 'POST', `/contacts/upload/${(await upload(who, '')).id}/begin`, { existing: 'update' }),
    nameOf: async (id: number): Promise<string> =>
      (await app.db.selectFrom('contact').select('name').where('id', '=', id).executeTakeFirstOrThrow()).name,
    /** A finished erasure or export of a new contact. */
    async dataRequest(kind: 'erasure' | 'export', who: Person = 'admin'): Promise<number> {
      const id = kind === 'export' && who === 'root' ? company.contacts.deles : (await contact(who)).id
      const { name } = await app.db.selectFrom('contact').select('name').where('id', '=', id).executeTakeFirstOrThrow()
      const request = await made(who, 'POST', `/contacts/${id}/${kind}`, kind === 'erasure' ? { name } : {})
      await app.settled()
      return request.id
    },
    /** A waiting ticket in ana's queue without an owner. */
    waiting: () => ticket('ana', { status: 'pending' }),
    /** A message that the channel refuses. All earlier messages have been sent by then. */
    async failed(of: Ticket, more: object = {}): Promise<{ id: number }> {
      await app.settled()
      await made('admin', 'POST', `/sandbox/${company.connections.loja}/faults`, { failCode: 'BLOCKED', count: 1 })
      const one = await message(of, 'ana', more)
      await app.settled()
      return one
    },
    note: async (of: Ticket): Promise<{ id: number }> => made('ana', 'POST', '/ticket-notes', { ticketId: of.id, note: 'Pediu boleto' }),
    tag: (kanban = 0): Promise<{ id: number }> =>
      made(kanban === 1 ? 'dulce' : 'ana', 'POST', '/tags', { name: `Marca ${++people}`, color: '#123456', kanban }),
    fileList: (): Promise<{ id: number }> => made('admin', 'POST', '/files', { name: `Lista ${++people}`, message: 'Segue' }),
    reply: (): Promise<{ id: number }> => made('ana', 'POST', '/quick-messages', { shortcode: `r${++people}`, message: 'Olá' }),
    /** A user who has never signed in. */
    person: (): Promise<{ id: number }> =>
      made('admin', 'POST', '/users', { name: `Colega ${++people}`, email: `colega${people}@casa.test` }),
    option: async (): Promise<{ id: number; queueId: number }> =>
      made('admin', 'POST', '/chatbot', { queueId: company.queues.suporte, name: `Opção ${++people}` }),
    connection: (): Promise<{ id: number }> =>
      made('admin', 'POST', '/whatsapp', { name: `Conexão ${++people}`, channel: 'whatsapp', provider: 'sandbox' }),
    /** Makes dulce a super user. */
    async superUser(): Promise<Person> {
      await superUser()
      return 'dulce'
    },
    /** A mail server that accepts everything, configured by dulce, who becomes a super user. */
    async mailbox(): Promise<void> {
      await superUser()
      const { port } = await openMailbox()
      const values = { mailHost: '127.0.0.1', mailPort: String(port), mailSecurity: 'none', mailFrom: 'guiche@casa.test' }
      const rows = Object.entries(values).map(([key, value]) => ({ key, value }))
      await app.db
        .insertInto('platformSetting')
        .values(rows)
        .onConflict((known) => known.column('key').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })))
        .execute()
    },
    queue: (): Promise<{ id: number }> =>
      made('admin', 'POST', '/queue', { name: `Fila ${++people}`, color: `#ab${String(1000 + people)}` }),
    /** The token of a password link, as an operator gets it. */
    passwordLink: (who: Person): Promise<string> => {
      const companyId = persons[who].company === 'casa' ? company.companies.casa : company.companies.vizinha
      return makePasswordLink(app.db, { id: company.users[who], companyId })
    },
    /** A ticket parked for a processor that does not run. Dulce becomes a super user and sees it. */
    async parked(): Promise<{ id: number; eventId: string }> {
      await app.db.updateTable('user').set({ super: true }).where('id', '=', company.users.dulce).execute()
      app.ctx.viewerCache.forget()
      const at = {
        companyId: company.companies.casa,
        ticketId: 900_000 + ++people,
        eventId: crypto.randomUUID(),
        eventType: 'TicketQueued',
      }
      const row = {
        ...at,
        follower: 'nobody',
        stream: `ticket-1-${at.ticketId}`,
        revision: 3,
        behind: 5,
        reason: 'thirteen',
        releasedAt: null,
      }
      const { id } = await app.db.insertInto('parkedStream').values(row).returning('id').executeTakeFirstOrThrow()
      return { id, eventId: at.eventId }
    },
    /** A cookie of a new session. */
    async cookie(who: Person, password: string): Promise<string> {
      const answer = await app.stranger('POST', '/auth/login', { email: `${who}@casa.test`, password })
      return answer.headers.get('set-cookie')!.split(';')[0]!
    },
  }
}
