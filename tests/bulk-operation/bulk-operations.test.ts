import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { goOn, type LongWork, type LongWorks, startWork } from '#app/bulk-operation/bulk-operations.ts'
import { closeTickets } from '#app/ticket/close.ts'
import { refuse } from '#domain/errors.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const admin = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
  app.as('admin')(method, path, body, headers)
const workOf = async (id: number) => (await admin('GET', '/works')).body.find((one: { id: number }) => one.id === id)
const openTickets = async () => (await admin('GET', '/tickets?status=open&showAll=true')).body.count as number

async function made(n: number, from: number): Promise<number[]> {
  const ids: number[] = []
  for (let i = 0; i < n; i++) {
    const contact = (await admin('POST', '/contacts', { name: `Pessoa ${from + i}`, number: `55119${50_000_000 + from + i}` })).body
    const ticket = (await admin('POST', '/tickets', { contactId: contact.id, queueId: app.company.queues.vendas })).body
    ids.push(ticket.id)
  }
  await app.settled()
  return ids
}

describe('closing all listed tickets', () => {
  it('starts with one call, reports progress and result, and is undone as one action', async () => {
    await made(20, 100)
    const before = await openTickets()
    const line = await app.socket('admin')
    const other = await app.socket('bruno')
    const headers = { 'x-command-id': 'close-them-all-1' }
    const begun = await admin('POST', '/tickets/listed/close-work', { status: 'open', showAll: true }, headers)
    expect([begun.status, begun.body.total, begun.body.state]).toEqual([202, before, 'running'])
    expect((await admin('POST', '/tickets/listed/close-work', { status: 'open', showAll: true }, headers)).body.id).toBe(begun.body.id)
    await expect.poll(async () => (await workOf(begun.body.id)).state).toBe('done')
    expect(await workOf(begun.body.id)).toMatchObject({ done: before, changed: before, failed: 0 })
    expect(await openTickets()).toBe(0)
    const told = (from: typeof line) =>
      from.frames.filter(({ channel }: any) => channel.endsWith('-work')).map(({ work }: any) => work?.done)
    await expect.poll(() => told(line).at(-1)).toBe(before)
    expect(told(other)).toEqual([])
    expect((await app.as('bruno')('GET', '/works')).body).toEqual([])

    await admin('POST', '/tickets/closeAll/undo', { batch: begun.body.batch }).then(({ status }) => expect(status).toBeLessThan(300))
    await app.settled()
    expect(await openTickets()).toBe(before)
    expect((await admin('DELETE', `/works/${begun.body.id}`)).status).toBe(204)
    expect(await workOf(begun.body.id)).toBeUndefined()
  })
})

describe('a bulk operation', () => {
  const items = Array.from({ length: 40 }, (_, i) => i + 1)
  const begin = (commandId: string, of = items) =>
    startWork(
      { db: app.db, enqueue: async () => undefined }, // the test runs it by hand, as the worker would
      { companyId: app.company.companies.casa, userId: app.company.users.admin, kind: 'closeTickets', commandId, items: of, args: {} },
    )
  /** The holder sends no heartbeat any more. */
  const silent = (id: number) =>
    app.db.updateTable('bulkOperation').set({ beatAt: sql`now() - interval '1 minute'` }).where('id', '=', id).execute()
  const kinds = (each: (item: number) => Promise<boolean>): LongWorks => ({ closeTickets: { each } })

  it('of a killed process is continued by another, without counting an item twice', async () => {
    const { id } = await begin('killed')
    const seen: number[] = []
    const dead = new Promise<never>(() => undefined)
    const first = goOn(
      id,
      kinds(async (item) => {
        seen.push(item)
        return item > 20 ? dead : true
      }),
      app.ctx,
    )
    await expect.poll(() => seen.length).toBeGreaterThanOrEqual(24)
    const late: number[] = []
    await goOn(
      id,
      kinds(async (item) => late.push(item) > 0),
      app.ctx,
    ) // held by another process: nothing to do
    expect(late).toEqual([])
    await silent(id)
    await goOn(
      id,
      kinds(async (item) => late.push(item) > 0),
      app.ctx,
    )
    expect(late[0]).toBe(17) // the eight items in flight are repeated
    expect(await workOf(id)).toMatchObject({ state: 'done', done: 40, changed: 40 })
    void first
  })

  it('lists refused items and continues, and waits for transient errors', async () => {
    const { id } = await begin('refused')
    let away = true
    const each = async (item: number) => {
      if (item === 3) refuse('ERR_TICKET_NOT_OPEN')
      if (item === 20 && away) throw Object.assign(new Error('the store is away'), { code: 'ECONNREFUSED' })
      return item % 2 === 0
    }
    await expect(goOn(id, kinds(each), app.ctx)).rejects.toThrow('away')
    expect(await workOf(id)).toMatchObject({ state: 'running', done: 16 })
    away = false
    await goOn(id, kinds(each), app.ctx)
    expect(await workOf(id)).toMatchObject({ state: 'done', done: 40, changed: 20, failed: 1 })
    expect((await admin('GET', `/works/${id}/errors`)).body).toEqual([{ item: 3, code: 'ERR_TICKET_NOT_OPEN' }])
    expect((await app.as('ana')('GET', `/works/${id}/errors`)).status).toBe(404)
  })

  it('that is cancelled finishes only the items in flight', async () => {
    const { id } = await begin('stopped')
    const seen: number[] = []
    const each = async (item: number) => {
      seen.push(item)
      if (item === 10) expect((await admin('POST', `/works/${id}/cancel`)).body.state).toBe('cancelled')
      return true
    }
    await goOn(id, kinds(each), app.ctx)
    expect(seen.length).toBe(16)
    expect(await workOf(id)).toMatchObject({ state: 'cancelled', done: 16, changed: 16 })
    await silent(id)
    await goOn(id, kinds(each), app.ctx)
    expect(seen.length).toBe(16)
  })

  it('that is cancelled ends even if its process was killed or gone', async () => {
    const ends: string[] = []
    const dead = new Promise<never>(() => undefined)
    const kind = (end: () => Promise<void>): LongWorks => ({ closeTickets: { each: async () => true, end } })
    for (const held of [true, false]) {
      const { id } = await begin(`stopped-${held}`)
      if (held) {
        const cancels: LongWork['each'] = async () => (await admin('POST', `/works/${id}/cancel`)).status < 300
        const killed = () => {
          ends.push('killed')
          return dead
        }
        void goOn(id, { closeTickets: { each: cancels, end: killed } }, app.ctx)
        await expect.poll(() => ends).toEqual(['killed'])
        await silent(id)
      } else await admin('POST', `/works/${id}/cancel`)
      const end = async () => void ends.push('ended')
      for (let again = 0; again < 2; again++) await goOn(id, kind(end), app.ctx)
      expect((await workOf(id)).state).toBe('cancelled')
    }
    expect(ends).toEqual(['killed', 'ended', 'ended'])
  })

  it('that leaves imported tickets waiting offers to close them (R-CONN-16)', async () => {
    const { companies, connections } = app.company
    const { companyId, connectionId } = { companyId: companies.casa, connectionId: connections.balcao }
    for (let n = 0; n < 12; n++) await app.phone.says(`55119788800${10 + n}`, 'oi')
    await app.settled()
    const { tickets } = (await admin('GET', '/tickets?status=pending&showAll=true')).body as {
      tickets: { id: number; whatsappId: number }[]
    }
    const items = tickets.filter(({ whatsappId }) => whatsappId === connectionId).map(({ id }) => id)
    const at = new Date().toISOString()
    const chat = (ticketId: number) => ({
      companyId,
      connectionId,
      conversation: `${ticketId}`,
      ticketId,
      uuid: null,
      begunAt: at,
      doneAt: at,
    })
    await app.db.insertInto('importChat').values(items.map(chat)).execute()
    const { id } = await begin('imported', items)
    const each: LongWork['each'] = async (item, ...rest) => {
      if (item === items[0]) await admin('POST', `/works/${id}/cancel`)
      return closeTickets.each(item, ...rest)
    }
    await goOn(id, { closeTickets: { ...closeTickets, each } }, app.ctx)
    const { statusImportMessages } = (await admin('GET', `/whatsapp/${connectionId}`)).body
    expect([(await workOf(id)).changed, statusImportMessages]).toEqual([8, 'renderButtonCloseTickets'])
    const rest = (await admin('POST', `/closedimported/${connectionId}`)).body
    expect(rest.total).toBe(items.length - 8)
    await expect.poll(async () => (await workOf(rest.id)).state).toBe('done')
    expect((await admin('GET', `/whatsapp/${connectionId}`)).body.statusImportMessages).toBeNull()
  })
})
