import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HistoryEvent } from '#domain/history/contract.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { advance } from '#web/history/replay.ts'
import { before } from '#web/history/then.ts'

/* The owner of the database can write anything into an event. The replay reports the fault and stays usable. */
let app: TestApp
let ticket: { id: number; uuid: string }
let stream: string
beforeAll(async () => {
  app = await startTestApp()
  await app.phone.says('5511933332222', 'bom dia')
  await app.settled()
  ticket = (await app.as('admin')('GET', '/tickets?status=search&searchParam=5511933332222')).body.tickets[0]
  await app.as('ana')('PUT', `/tickets/${ticket.id}`, { status: 'open', queueId: app.company.queues.vendas })
  await app.settled()
  stream = `ticket-${app.company.companies.casa}-${ticket.id}`
})
afterAll(() => app.stop({ faultsExpected: true }))

const replayed = () => app.as('dulce')('GET', `/ticket-history/${ticket.uuid}`)

/** Runs the test while the second event of the ticket is changed, and restores it. */
async function tampered(column: 'data' | 'meta', value: string, act: () => Promise<void>): Promise<void> {
  const at = sql`stream = ${stream} and version = 1`
  const { rows } = await sql<{ was: string }>`select ${sql.id(column)}::text as was from event where ${at}`.execute(app.db)
  await sql`update event set ${sql.id(column)} = ${value}::jsonb where ${at}`.execute(app.db)
  try {
    await act()
  } finally {
    await sql`update event set ${sql.id(column)} = ${rows[0]!.was}::jsonb where ${at}`.execute(app.db)
  }
}

const meta = (change: object) => JSON.stringify({ companyId: 1, by: { kind: 'system' }, at: '2026-01-05T12:00:00.000Z', ...change })

describe('the replay of a changed history', () => {
  it.each([
    ['an invalid time', 'meta', meta({ at: 'ontem' }), 'at'],
    ['a time that is a number', 'meta', meta({ at: 17 }), 'at'],
    ['no actor', 'meta', meta({ by: null }), 'by'],
    ['an actor without a kind', 'meta', meta({ by: { id: 'x' } }), 'by'],
    ['metadata that is a list', 'meta', '[]', 'at'],
    ['metadata that is a number', 'meta', '7', 'at'],
    ['data that is a text', 'data', '"nada"', 'data'],
    ['data that is null', 'data', 'null', 'data'],
    ['an encrypted text that cannot be decrypted', 'data', '{"messageId":1,"body":{"sealed":"AAAA"}}', 'words'],
    ['a text that was never encrypted', 'data', '{"messageId":1,"kind":"chat","body":"eu não disse isso"}', 'plain'],
  ] as const)('with %s reports the faulty event and shows the others', async (_, column, value, fault) => {
    await tampered(column, value, async () => {
      const { status, body } = await replayed()
      expect(status).toBe(200)
      expect(body.chain).toMatchObject({ holds: false, brokenAt: 1, reason: 'hash' })
      expect(body.events[1]).toMatchObject({ fault, erased: false })
      expect(Date.parse(body.events[1].at)).not.toBeNaN()
      expect(body.events.length).toBeGreaterThanOrEqual(3)
      expect(body.events[0]).toMatchObject({ type: 'TicketOpened', fault: null })
      expect(body.events.filter(({ type }: HistoryEvent) => type === 'TicketAccepted')).toMatchObject([{ fault: null }])
    })
    expect((await replayed()).body.chain.holds).toBe(true)
  })

  it('with a missing event reports the gap and shows the rest', async () => {
    const at = sql`stream = ${stream} and version = 1`
    await sql`create table taken as select * from event where ${at}`.execute(app.db)
    await sql`delete from event where ${at}`.execute(app.db)
    try {
      const { status, body } = await replayed()
      expect(status).toBe(200)
      expect(body.chain).toMatchObject({ holds: false, brokenAt: 2, reason: 'gap' })
      expect(body.events.map(({ revision }: HistoryEvent) => revision).slice(0, 2)).toEqual([0, 2])
      const { stuckAt } = advance(before, body.events as HistoryEvent[])
      expect(stuckAt).toBeNull()
    } finally {
      await sql`insert into event overriding system value select * from taken`.execute(app.db)
      await sql`drop table taken`.execute(app.db)
    }
  })

  it('shows a record as stored, encrypted and with its hash', async () => {
    const { body } = await app.as('dulce')('GET', `/ticket-history/${ticket.uuid}/records/1`)
    expect(body).toMatchObject({ stream, revision: 1, type: 'MessageReceived', meta: { hash: expect.stringMatching(/^[0-9a-f]{64}$/) } })
    expect(JSON.stringify(body)).not.toContain('bom dia')
    expect((await app.as('dulce')('GET', `/ticket-history/${ticket.uuid}/records/x`)).status).toBe(400)
  })
})

describe('the fold of a replay', () => {
  const event = (revision: number, type: string, data: Record<string, unknown>): HistoryEvent => ({
    ...{ revision, id: `e${revision}`, type, data, occurredAt: null, hash: '', fault: null, erased: false },
    by: { kind: 'system', id: null, name: '' },
    at: '2026-01-05T12:00:00.000Z',
  })
  it('names the first record that cannot be replayed, and continues after it', () => {
    const then = advance(before, [
      event(0, 'TicketOpened', { group: false, queueId: 5 }),
      event(1, 'MessagesRead', { messageIds: 7 }),
      event(2, 'MessagesRead', { messageIds: 8 }),
      event(3, 'MessageReceived', { messageId: 9, kind: 'chat', body: 'ainda aqui' }),
    ])
    expect(then.stuckAt).toBe(1)
    expect(then.entries.at(-1)).toMatchObject({ type: 'message', body: 'ainda aqui' })
  })
  it('treats an invalid text as missing', () => {
    const then = advance(before, [event(0, 'MessageReceived', { messageId: 1, kind: 'chat', body: { a: 1 }, media: 'x' })])
    expect(then.entries[0]).toMatchObject({ body: null, media: null })
  })
})

it('an open history is updated live for an auditor, and for nobody else', async () => {
  const [auditor, agent] = [await app.socket('dulce'), await app.socket('ana')]
  for (const line of [auditor, agent]) line.emit('joinHistory', { uuid: ticket.uuid })
  await app.phone.says('5511933332222', 'mais uma')
  await app.settled()
  const told = (line: typeof auditor) => line.frames.filter(({ channel }) => channel.endsWith('-ticketHistory'))
  await expect.poll(() => told(auditor).length).toBeGreaterThan(0)
  expect(told(auditor).at(-1)).toMatchObject({ history: { uuid: ticket.uuid } })
  expect(told(agent)).toEqual([])
})
