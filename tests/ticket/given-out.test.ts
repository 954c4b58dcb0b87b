import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openClock } from '#app/scheduler/clock.ts'
import { assign } from '#app/ticket/assignment.ts'
import type { Person } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import type { TestSocket } from '#tests/support/socket.ts'
import { eventually } from '#tests/support/wait.ts'

/* Assignment and reassignment of waiting tickets, in the whole app with a simulated clock (A-ROT-01, A-WALLET-01, A-RANDOM-01). */
let app: TestApp
let minutes = 0
let said = 0
/** The open sockets: Ana, Bruno, and others who join later. */
const sockets: TestSocket[] = []
beforeAll(async () => {
  app = await startTestApp({ clock: openClock(() => minutes * 60_000) })
  await app.as('admin')('PUT', `/queue/${app.company.queues.vendas}`, { ativarRoteador: true, tempoRoteador: 5 })
  for (const who of ['ana', 'bruno'] as const) sockets.push(await app.socket(who))
  await eventually(team, (all) => all.filter(([, now]) => now === 'available').length === 2)
})
afterAll(() => app?.stop())

const team = async (): Promise<[string, string][]> =>
  (await app.as('admin')('GET', '/users/list')).body.map(({ name, availability }: any) => [name, availability])
const availabilityOf = async (who: Person) => (await team()).find(([name]) => name === who)![1]
const away = (who: Person, is: boolean) => app.as(who)('PUT', `/users/${app.company.users[who]}/away`, { away: is })
const ticketOf = async (number: string) => {
  const { body } = await app.as('admin')('GET', `/tickets?status=search&searchParam=${number}&showAll=true`)
  return body.tickets[0]
}
/** Advances the clock and runs due deadlines. The sockets report activity first, so that their users stay online (A-RT-03). */
async function advance(some: number): Promise<void> {
  minutes += some
  for (const one of sockets) one.emit('userStatus', { idle: false })
  const since = new Date(app.ctx.clock.now() - 60_000).toISOString()
  const here = app.db.selectFrom('userPresence').select('id').where('online', '=', true).where('seenAt', '>', since)
  await expect.poll(async () => (await here.execute()).length).toBeGreaterThanOrEqual(sockets.length)
  await sql`select pg_notify('clock_moved', '0')`.execute(app.db)
}
/** A customer writes; resolves once the message is processed. */
async function customerWrites(number = `55119600000${String(++said).padStart(2, '0')}`) {
  await app.phone.says(number, 'Bom dia')
  await app.settled()
  return number
}
const statusAndOwner = async (number: string) => {
  const { status, user } = await ticketOf(number)
  return [status, user?.name ?? null]
}
const log = async (number: string) => {
  const { id } = await ticketOf(number)
  const { body } = await app.as('admin')('GET', `/tickets-log/${id}`)
  return body.filter(({ way }: any) => way !== null && way !== undefined).map(({ user, way }: any) => [user?.name, way])
}
const dueOf = (id: number, kind: string) =>
  app.db.selectFrom('deadline').select('dueAt').where('aggregateId', '=', id).where('kind', '=', kind).executeTakeFirst()
const close = async (number: string, who: Person) => {
  const { id } = await ticketOf(number)
  await app.as(who)('PUT', `/tickets/${id}`, { status: 'open', userId: app.company.users[who] })
  await app.as(who)('PUT', `/tickets/${id}`, { status: 'closed' })
  await app.settled()
}

it('rotates among available agents until one of them accepts (A-ROT-01, R-QUEUE-08)', async () => {
  const [one, two] = [await customerWrites(), await customerWrites()]
  expect([(await statusAndOwner(one))[0], (await statusAndOwner(two))[0]]).toEqual(['pending', 'pending'])
  const [first, second] = [(await statusAndOwner(one))[1], (await statusAndOwner(two))[1]]
  expect(new Set([first, second])).toEqual(new Set(['ana', 'bruno']))
  const { id, turnEndsAt } = await ticketOf(two)
  expect(Date.parse(turnEndsAt)).toBe(Date.parse((await dueOf(id, 'rotation'))!.dueAt))
  expect((await app.as(second)('PUT', `/tickets/${id}`, { status: 'open' })).body.turnEndsAt).toBeNull()
  await advance(6)
  await expect.poll(() => statusAndOwner(one)).toEqual(['pending', second])
  expect(await statusAndOwner(two)).toEqual(['open', second])
  expect(Date.parse((await ticketOf(one)).turnEndsAt)).toBeGreaterThan(Date.parse(turnEndsAt))
  const turns = [first, second].map((who) => [who, 'rotation'])
  expect(await log(one)).toEqual(expect.arrayContaining(turns))
  await close(two, second)
  await close(one, second)
})
it('assigns nothing to agents who are away or full, and waits if nobody is available', async () => {
  await away('bruno', true)
  expect(await availabilityOf('bruno')).toBe('away')
  expect((await app.as('bruno')('GET', '/auth/me')).body.away).toBe(true)
  await app.set('maxOpenTickets', '1')
  const told = (what: string) =>
    sockets[1]!.heard(({ channel, user }) => channel.endsWith('-user') && user?.name === 'ana' && user.availability === what)
  const one = await customerWrites()
  expect(await statusAndOwner(one)).toEqual(['pending', 'ana'])
  await app.as('ana')('PUT', `/tickets/${(await ticketOf(one)).id}`, { status: 'open' })
  await app.settled()
  expect(await availabilityOf('ana')).toBe('full')
  await told('full') // to the browser with the list open, without a request
  const two = await customerWrites()
  expect(await statusAndOwner(two)).toEqual(['pending', null])
  await away('bruno', false)
  await advance(6)
  await expect.poll(() => statusAndOwner(two)).toEqual(['pending', 'bruno'])
  await app.set('maxOpenTickets', '')
  await told('available')
  await close(one, 'ana')
  await close(two, 'bruno')
})
it('distinguishes an agent without input from one who chose to be away', async () => {
  sockets[0]!.emit('userStatus', { idle: true })
  const idle = async () => (await team()).filter(([, now]) => now === 'idle').length
  await expect.poll(idle).toBe(1)
  sockets[0]!.emit('userStatus', { idle: false })
  await expect.poll(idle).toBe(0)
})
it('assigns no imported ticket (A-IMP-04)', async () => {
  const one = await customerWrites()
  const { whatsappId: connectionId, contactId } = await ticketOf(one)
  await close(one, (await statusAndOwner(one))[1])
  const { execute, load, nextTicketId, nextMessageId } = app.ctx
  const queueId = app.company.queues.vendas
  const ticketId = await nextTicketId()
  const by = { companyId: app.company.companies.casa, by: { kind: 'system' as const } }
  const place = { ticketId, uuid: crypto.randomUUID(), contactId, connectionId }
  const opening = { ...place, channel: 'whatsapp' as const, group: false, queueId, predecessorId: null }
  const content = { kind: 'chat' as const, body: 'há dias', media: null, vCard: null, quotedExternalId: null }
  const messageId = await nextMessageId()
  const said = { externalId: 'given-out', messageId, from: 'contact' as const, participant: null, author: null, ...content }
  const { events: facts } = await execute(ticketId, { type: 'Import', ...said, opening, ...by }, 'given-out-1')
  await execute(ticketId, { type: 'EndImport', queueId, ...by }, 'given-out-2')
  const begun = facts.find((fact) => fact.type === 'TicketOpened')!
  const from = { stream: `ticket-${ticketId}`, aggregateId: ticketId, revision: 0, eventId: crypto.randomUUID(), position: 0n }
  await assign.on.TicketOpened!({ ...begun, ...by, ...from, at: new Date().toISOString() }, app.ctx) // a late delivery of the event
  await app.settled()
  expect(await load(by.companyId, ticketId)).toMatchObject({ status: 'pending', userId: null })
  expect((await app.as('admin')('PUT', `/tickets/${ticketId}`, { status: 'closed' })).status).toBe(200)
})
it('skips the agent who returned the ticket, once', async () => {
  const one = await customerWrites()
  const [, holder] = await statusAndOwner(one)
  const { id } = await ticketOf(one)
  await app.as(holder)('PUT', `/tickets/${id}`, { status: 'open' })
  await app.as(holder)('PUT', `/tickets/${id}`, { status: 'pending' })
  await app.settled()
  expect(await statusAndOwner(one)).toEqual(['pending', holder === 'ana' ? 'bruno' : 'ana'])
  await close(one, 'ana')
})
it('prefers the contact’s last agent, then a random one (A-WALLET-01, A-RANDOM-01)', async () => {
  await app.set('DirectTicketsToWallets', 'enabled')
  await app.set('userRandom', 'enabled')
  const number = await customerWrites()
  await close(number, 'bruno')
  await customerWrites(number)
  expect(await statusAndOwner(number)).toEqual(['pending', 'bruno'])
  expect(await log(number)).toContainEqual(['bruno', 'wallet'])
  await close(number, 'bruno')
  await away('bruno', true)
  await customerWrites(number)
  expect(await statusAndOwner(number)).toEqual(['pending', 'ana'])
  expect(await log(number)).toContainEqual(['ana', 'random'])
  await close(number, 'ana')
  await away('ana', true)
  expect(await statusAndOwner(await customerWrites())).toEqual(['pending', null]) // nobody is there
  for (const who of ['ana', 'bruno'] as const) await away(who, false)
})
it('assigns the contact’s last agent also right after the bot chose the queue (A-WALLET-01)', async () => {
  const { db, company } = app
  const { loja } = company.connections
  await db.updateTable('connection').set({ greetingMessage: 'Com quem?' }).where('id', '=', loja).execute()
  const menu = await db
    .selectFrom('connectionQueue')
    .innerJoin('queue', 'queue.id', 'connectionQueue.queueId')
    .select('queue.id')
    .where('connectionId', '=', loja)
    .orderBy('queue.id')
    .execute()
  const digit = `${menu.findIndex(({ id }) => id === company.queues.vendas) + 1}`
  const customers = Array.from({ length: 20 }, (_, n) => `55119700000${String(n).padStart(2, '0')}`)
  const say = (body: string) => Promise.all(customers.map((number) => app.phone.says(number, body, { connection: loja })))
  await say('Olá')
  await app.settled()
  await say(digit)
  await app.settled()
  for (const number of customers) expect((await statusAndOwner(number))[0]).toBe('pending')
  const number = customers[0]!
  await close(number, 'bruno')
  for (const body of ['Voltei', digit]) {
    await app.phone.says(number, body, { connection: loja })
    await app.settled()
  }
  expect(await statusAndOwner(number)).toEqual(['pending', 'bruno'])
  expect(await log(number)).toContainEqual(['bruno', 'wallet'])
})
it('rotates also a pending ticket that an agent created without a bot (A-ROT-01)', async () => {
  await app.set('DirectTicketsToWallets', 'disabled')
  await app.set('userRandom', 'disabled')
  const { body: contact } = await app.as('admin')('POST', '/contacts', { name: 'Sem robô', number: '5511970001001' })
  const asked = { contactId: contact.id, queueId: app.company.queues.vendas, whatsappId: app.company.connections.balcao }
  const { status } = await app.as('admin')('POST', '/tickets', { ...asked, status: 'pending' })
  expect(status).toBe(200)
  await expect.poll(async () => ['ana', 'bruno'].includes((await statusAndOwner('5511970001001'))[1])).toBe(true)
})
it('pauses during the collective vacation and continues afterwards (A-VAC-01)', async () => {
  const one = await customerWrites()
  const [, first] = await statusAndOwner(one)
  const now = Date.now() + minutes * 60_000
  const day = (at: number) => new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(at)
  const vacation = (collectiveVacationStart: string | null, collectiveVacationEnd: string | null) =>
    app.db
      .updateTable('connection')
      .set({ collectiveVacationStart, collectiveVacationEnd })
      .where('id', '=', app.company.connections.balcao)
      .execute()
  await vacation(day(now), day(now + 86_400_000)) // the test may run late in the evening
  await advance(6)
  const { id } = await ticketOf(one)
  const due = () => dueOf(id, 'rotation')
  await expect.poll(async () => Date.parse((await due())?.dueAt ?? '0') - now > 20 * 60_000).toBe(true)
  expect(await statusAndOwner(one)).toEqual(['pending', first])
  await advance(Math.ceil((Date.parse((await due())!.dueAt) - now) / 60_000) + 1)
  await expect.poll(() => statusAndOwner(one)).toEqual(['pending', first === 'ana' ? 'bruno' : 'ana'])
  await vacation(null, null)
  await close(one, 'ana')
})
it('reassigns waiting tickets when a queue turns on rotation or shortens its turns (A-ROT-01)', async () => {
  const { suporte } = app.company.queues
  const rotates = (ativarRoteador: boolean, tempoRoteador: 5 | 30) =>
    app.as('admin')('PUT', `/queue/${suporte}`, { ativarRoteador, tempoRoteador })
  sockets.push(await app.socket('carla'))
  await eventually(team, (all) => all.some(([name, now]) => name === 'carla' && now === 'available'))
  await away('bruno', true)
  const { body: contact } = await app.as('admin')('POST', '/contacts', { name: 'Espera', number: '5511970001002' })
  const asked = { contactId: contact.id, queueId: suporte, whatsappId: app.company.connections.balcao, status: 'pending' }
  expect((await app.as('admin')('POST', '/tickets', asked)).status).toBe(200)
  await app.settled()
  expect(await statusAndOwner('5511970001002')).toEqual(['pending', null])
  expect((await rotates(true, 30)).status).toBe(200)
  await advance(0)
  await expect.poll(() => statusAndOwner('5511970001002')).toEqual(['pending', 'carla'])
  await away('bruno', false)
  await advance(6)
  await app.settled()
  expect(await statusAndOwner('5511970001002')).toEqual(['pending', 'carla'])
  expect((await rotates(true, 5)).status).toBe(200)
  await advance(0)
  await expect.poll(() => statusAndOwner('5511970001002')).toEqual(['pending', 'bruno'])
  await rotates(false, 5)
})
it('returns a ticket once its agent is away, without a turn (A-ROT-01, A-RANDOM-01)', async () => {
  const queue = `/queue/${app.company.queues.vendas}`
  const rotates = (is: boolean) => app.as('admin')('PUT', queue, { ativarRoteador: is, tempoRoteador: 5 })
  const turned = await customerWrites()
  await rotates(false)
  await app.set('userRandom', 'enabled')
  const both = [turned, await customerWrites()]
  const waiting = () => Promise.all(both.map(statusAndOwner))
  const before = await waiting()
  const { id } = await ticketOf(turned)
  const { dueAt: first } = (await dueOf(id, 'availability'))!
  await advance(6)
  await expect.poll(async () => (await dueOf(id, 'availability'))!.dueAt > first).toBe(true)
  expect(await waiting()).toEqual(before)
  for (const who of ['ana', 'bruno'] as const) await away(who, true)
  await advance(6)
  await expect.poll(waiting).toEqual(both.map(() => ['pending', null]))
  for (const who of ['ana', 'bruno'] as const) await away(who, false)
  await app.set('userRandom', 'disabled')
  await rotates(true)
})
it('reassigns at once if the agent the contact chose is away (A-BOT-03, A-ROT-01)', async () => {
  const { db, company } = app
  const { loja } = company.connections
  const none = {
    closeTicket: false,
    chatBotId: null,
    optQueueId: null,
    optIntegrationId: null,
    optFileId: null,
    greetingMessage: 'Já vem.',
  }
  const person = { ...none, companyId: company.companies.casa, queueType: 'attendent' as const }
  for (const queue of ['vendas', 'suporte'] as const)
    for (const [position, name] of (['ana', 'bruno'] as const).entries())
      await db
        .insertInto('menuOption')
        .values({ ...person, queueId: company.queues[queue], position, name, optUserId: company.users[name] })
        .execute()
  const chooses = async (number: string, name: string, queue = 'vendas') => {
    for (const body of ['Olá', queue, name]) {
      await app.phone.says(number, body, { connection: loja })
      await app.settled()
    }
    return number
  }
  await away('bruno', true)
  await advance(0)
  const gone = await chooses('5511970001003', 'bruno')
  await expect.poll(() => statusAndOwner(gone)).toEqual(['pending', 'ana'])
  expect((await log(gone)).flat()).toEqual(['bruno', 'bot', 'ana', 'rotation'])
  const parked = await chooses('5511970001005', 'bruno', 'suporte')
  await expect.poll(() => statusAndOwner(parked)).toEqual(['pending', null])
  expect(await log(parked)).toEqual([['bruno', 'bot']])
  await away('bruno', false)
  const stays = await chooses('5511970001004', 'bruno')
  expect([await statusAndOwner(stays), await log(stays)]).toEqual([['pending', 'bruno'], [['bruno', 'bot']]])
  expect(Date.parse((await ticketOf(stays)).turnEndsAt)).toBeGreaterThan(app.ctx.clock.now())
})
