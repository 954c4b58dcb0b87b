import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runLeaseCoordinator } from '#app/channels/leases.ts'
import { type NewJournalEntry, recordInbound } from '#app/inbound/inbound-journal.ts'
import { processInbound } from '#app/inbound/inbound-processor.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

let app: TestApp
let people = 0
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const number = () => `55118${String(70_000_000 + ++people)}`
async function connection(name: string): Promise<number> {
  const { id } = await app.db
    .insertInto('connection')
    .values({
      ...{ companyId: app.company.companies.casa, name, channel: 'whatsapp', provider: 'sandbox', number: null, status: 'CONNECTED' },
      ...{ isDefault: false, allowGroup: true, groupAsTicket: 'disabled', color: null, greetingMessage: null, complationMessage: null },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
/** The newest ticket of a number, once all inbound events are processed. */
async function ticketOf(from: string) {
  await app.settled()
  return app.db
    .selectFrom('ticket')
    .innerJoin('contact', 'contact.id', 'ticket.contactId')
    .select(['ticket.id', 'ticket.isGroup', 'ticket.queueId'])
    .where('contact.number', '=', from)
    .orderBy('ticket.id', 'desc')
    .executeTakeFirst()
}
/** A new contact writes; returns the ticket, if one opens. */
async function openTicket(id: number, inGroup = false) {
  const from = number()
  const group = `group-${from}`
  await app.phone.says(from, 'oi', { connection: id, ...(inGroup && { group: { id: group, name: 'Turma' } }) })
  return ticketOf(inGroup ? group : from)
}
/** The Postgres connections that lease handling uses. */
async function backends(): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and application_name = 'guiche leases'`.execute(app.db)
  return rows.map(({ pid }) => pid)
}

it('forty connections are processed with one Postgres connection', async () => {
  const ids = await Promise.all(Array.from({ length: 40 }, (_, i) => connection(`Linha ${i}`)))
  const from = ids.map(number)
  await Promise.all(ids.map((id, i) => app.phone.says(from[i]!, 'oi', { connection: id })))
  await app.settled()
  for (const one of from) expect(await ticketOf(one)).toBeDefined()
  expect(await backends()).toHaveLength(1)
})

it('processing continues after that Postgres connection breaks', async () => {
  const [pid] = await backends()
  await sql`select pg_terminate_backend(${pid})`.execute(app.db)
  expect(await openTicket(app.company.connections.balcao)).toBeDefined()
  const now = await backends()
  expect(now).toHaveLength(1)
  expect(now).not.toContain(pid)
})

it('only one process holds a connection, and another takes over from it', async () => {
  const over = new AbortController()
  const [pid] = await backends()
  const other = runLeaseCoordinator([processInbound], app.ctx, over.signal)
  await eventually(backends, (found) => found.length === 2)
  await sql`select pg_terminate_backend(${pid})`.execute(app.db)
  const ticket = await openTicket(app.company.connections.balcao)
  const said = await app.db.selectFrom('message').select('body').where('ticketId', '=', ticket!.id).execute()
  expect(said).toEqual([{ body: 'oi' }])
  over.abort()
  await other
  expect(await openTicket(app.company.connections.balcao)).toBeDefined()
})

it('processing uses the current settings of the connection', async () => {
  const { loja } = app.company.connections
  const { vendas, suporte } = app.company.queues
  const set = (to: { allowGroup?: boolean; groupAsTicket?: 'enabled' | 'disabled' }) =>
    app.db.updateTable('connection').set(to).where('id', '=', loja).execute()
  expect(await openTicket(loja, true)).toMatchObject({ isGroup: true, queueId: null })
  await set({ groupAsTicket: 'enabled' })
  await eventually(
    () => openTicket(loja, true),
    (ticket) => ticket?.isGroup === false,
  )
  await set({ allowGroup: false })
  await eventually(
    () => openTicket(loja, true),
    (ticket) => ticket === undefined,
  )
  await app.db.deleteFrom('connectionQueue').where('connectionId', '=', loja).where('queueId', '=', suporte).execute()
  await eventually(
    () => openTicket(loja),
    (ticket) => ticket?.queueId === vendas,
  )
})

it('many inbound events of one person are not read again for each event of another', async () => {
  const id = await connection('Vitrine')
  const [flooder, other] = [number(), number()]
  const entry = (from: string, externalId: string): NewJournalEntry => ({
    ...{ companyId: app.company.companies.casa, connectionId: id, externalId, conversation: from },
    payload: {
      ...{ type: 'message', externalId, from: [{ kind: 'phone', id: from }], name: from, group: null },
      ...{ kind: 'chat', body: externalId, media: null, vCard: null, quotedExternalId: null, at: new Date().toISOString() },
    },
  })
  const passedOver = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(app.db)
    const { rows } = await sql<{ n: string }>`
      select idx_tup_read as n from pg_stat_user_indexes where indexrelname = 'inbound_event_waiting'`.execute(app.db)
    return Number(rows[0]!.n)
  }
  const before = await passedOver()
  const began = performance.now()
  const theirs = Array.from({ length: 1500 }, (_, n) => entry(flooder, `flood-${n}`))
  await recordInbound(app.db, theirs)
  for (let n = 0; n < 150; n++) {
    await recordInbound(app.db, [entry(other, `other-${n}`)])
    app.ctx.wakeWorker(id)
    await sleep(10)
  }
  const pages = 5 + ((performance.now() - began) / 1000) * 5
  expect((await passedOver()) - before).toBeLessThan(pages * 2 * 1650) // twice, because processed rows stay in the index until they are swept
  await app.settled()
  const bodies = await app.db
    .selectFrom('message')
    .innerJoin('ticket', 'ticket.id', 'message.ticketId')
    .innerJoin('contact', 'contact.id', 'ticket.contactId')
    .where('contact.number', 'in', [flooder, other])
    .select('body')
    .execute()
  expect(bodies).toHaveLength(1650)
})
