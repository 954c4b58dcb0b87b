import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* A deletion removes a ticket from the lists, not from the audit (A-AUDIT-01). */
let app: TestApp
let gone: { id: number; uuid: string; contactId: number }
const number = '5511955554444'

beforeAll(async () => {
  app = await startTestApp()
  await app.phone.says(number, 'isto será apagado')
  await app.settled()
  const { body } = await app.as('admin')('GET', `/tickets?status=search&searchParam=${number}`)
  gone = body.tickets[0]
  await app.as('admin')('PUT', `/tickets/${gone.id}`, { status: 'open', queueId: app.company.queues.vendas })
  await app.as('bruno')('GET', `/tickets/u/${gone.uuid}`)
  expect((await app.as('admin')('DELETE', `/tickets/${gone.id}`)).status).toBe(204)
  await app.settled()
})
afterAll(() => app.stop())

const found = async (query: string, who: Person = 'dulce') =>
  (await app.as(who)('GET', `/ticket-history?${query}`)).body.tickets.map(({ id }: { id: number }) => id)
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toLocaleDateString('sv-SE', { timeZone: 'America/Sao_Paulo' })

describe('a deleted ticket', () => {
  it('is in no list of agents', async () => {
    expect((await app.as('admin')('GET', `/tickets/u/${gone.uuid}`)).status).toBe(404)
    expect((await app.as('admin')('GET', `/tickets?status=search&searchParam=${number}`)).body.tickets).toEqual([])
  })

  it('is found by an auditor by id, contact name and number', async () => {
    for (const search of [String(gone.id), `%23${gone.id}`, gone.uuid, gone.uuid.toUpperCase(), 'cliente 4444', '95555-4444'])
      expect({ search, ids: await found(`searchParam=${search}`) }).toEqual({ search, ids: [gone.id] })
    expect(await found(`searchParam=${crypto.randomUUID()}`)).toEqual([])
  })

  it('is found by its agents, its readers, its state and its days', async () => {
    const { users, queues } = app.company
    for (const query of [`userId=${users.admin}`, `userId=${users.bruno}`, 'status=deleted', `queueId=${queues.vendas}`])
      expect({ query, ids: await found(query) }).toEqual({ query, ids: [gone.id] })
    expect(await found(`from=${day(0)}&to=${day(0)}`)).toEqual([gone.id])
    for (const query of [`userId=${users.carla}`, 'status=open', `queueId=${queues.suporte}`, `from=${day(1)}`, `to=${day(-1)}`])
      expect({ query, ids: await found(query) }).toEqual({ query, ids: [] })
  })

  it('can be replayed and exported completely, including the deletion', async () => {
    const { status, body } = await app.as('dulce')('GET', `/ticket-history/${gone.uuid}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ticket: { id: gone.id, status: 'deleted', contact: 'Cliente 4444' }, chain: { holds: true } })
    expect(body.events.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining(['TicketOpened', 'MessageReceived', 'TicketAccepted', 'TicketDeleted']),
    )
    const said = body.events.find(({ type }: { type: string }) => type === 'MessageReceived')
    expect(said.data.body).toBe('isto será apagado')
    expect((await app.as('dulce')('GET', `/ticket-history/${gone.uuid}/export`)).body.events.length).toBeGreaterThanOrEqual(
      body.events.length,
    )
  })

  it('is never visible to another company', async () => {
    expect(await found(`searchParam=${gone.uuid}`, 'root')).toEqual([])
    expect((await app.as('root')('GET', `/ticket-history/${gone.uuid}`)).status).toBe(404)
  })

  it('can be verified by id from the command line', async () => {
    const command = new URL('../../app/commands/verify.ts', import.meta.url).pathname
    const env = { ...process.env, DATABASE_URL: app.ctx.connectionString, MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
    const { stdout } = await promisify(execFile)(process.execPath, [command, '--ticket', gone.uuid], { env })
    expect(stdout).toContain('1 streams')
  })

  it('has no personal data in the history index', async () => {
    const { rows } = await sql<{ row: string }>`select to_jsonb(h)::text as row from ticket_history h where id = ${gone.id}`.execute(app.db)
    expect(rows[0]!.row).not.toMatch(/Cliente|5511|apagado/)
  })
})

describe('a masked auditor', () => {
  it('cannot guess a number by parts of it (A-LGPD-04)', async () => {
    await app.set('enableLGPD', 'enabled')
    await app.set('lgpdHideNumber', 'enabled')
    app.forget('dulce')
    expect(await found('searchParam=95555')).toEqual([])
    expect(await found(`searchParam=${number}`)).toEqual([gone.id])
    const { body } = await app.as('dulce')('GET', `/ticket-history?searchParam=${number}`)
    expect(body.tickets[0].contact.number).not.toContain('5555')
  })
})
